// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/program.h"

int main(int argc, char** argv)
{
    return cw::cli::run(argc, argv, {std::cin, std::cout, std::cerr});
}
