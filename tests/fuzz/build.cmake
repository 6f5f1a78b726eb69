# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the fuzz target and the model under it with Clang, and lays out its seeds.
set(launcher)
if(LAUNCHER)
    set(launcher -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/tests/fuzz/project -B ${BUILD}
                        -DCMAKE_CXX_COMPILER=${CXX} ${launcher}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target fuzz_plan --parallel 2
                COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${BUILD}/corpus ${BUILD}/seeds)
file(GLOB examples ${SOURCE}/resources/examples/*.clusterwright)
file(COPY ${examples} DESTINATION ${BUILD}/seeds)
