# SPDX-License-Identifier: GPL-3.0-or-later
# Validators that are not installed leave out their test; packaging/setup test installs them all.
find_program(CLUSTERWRIGHT_BASH bash REQUIRED)
set(packaging_tests)

function(clusterwright_validate name program)
    string(MAKE_C_IDENTIFIER ${program} variable)
    find_program(CLUSTERWRIGHT_${variable} ${program})
    if(CLUSTERWRIGHT_${variable})
        add_test(NAME packaging_${name} COMMAND ${CLUSTERWRIGHT_${variable}} ${ARGN})
        set_tests_properties(packaging_${name} PROPERTIES LABELS packaging TIMEOUT 60)
    else()
        message(STATUS "No ${program}: packaging_${name} is not tested")
    endif()
endfunction()

clusterwright_validate(desktop desktop-file-validate
                       ${CMAKE_CURRENT_SOURCE_DIR}/${app_id}.desktop)
clusterwright_validate(metainfo appstreamcli validate --no-net
                       ${CMAKE_CURRENT_BINARY_DIR}/${app_id}.metainfo.xml)

function(clusterwright_script_test name)
    add_test(NAME packaging_${name}
             COMMAND ${CLUSTERWRIGHT_BASH} ${CMAKE_CURRENT_SOURCE_DIR}/checks/${ARGN})
    set_tests_properties(packaging_${name} PROPERTIES LABELS packaging TIMEOUT 120)
endfunction()

clusterwright_script_test(mime mime.sh ${CMAKE_CURRENT_SOURCE_DIR}/${app_id}.mime.xml
                          ${CMAKE_CURRENT_BINARY_DIR}/mime)
clusterwright_script_test(install install.sh ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR}
                          ${CMAKE_CURRENT_BINARY_DIR}/staging)
if(TARGET clusterwright-cli)
    clusterwright_script_test(manual_cli manual.sh $<TARGET_FILE:clusterwright-cli>
                              ${CMAKE_CURRENT_BINARY_DIR}/clusterwright-cli.1)
endif()
if(TARGET clusterwright)
    clusterwright_script_test(manual_window manual.sh $<TARGET_FILE:clusterwright>
                              ${CMAKE_CURRENT_BINARY_DIR}/clusterwright.1)
endif()
