# SPDX-License-Identifier: MIT
# Writes ${header}: #define WEFT_COMMIT, the commit being built, "-dirty" if the tree differs from
# it, "unknown" without git. Run by every build (tool/CMakeLists.txt); the file changes only with its
# contents.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git rev-parse --short HEAD WORKING_DIRECTORY ${source}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
    set(commit "unknown")
else()
    execute_process(COMMAND git status --porcelain WORKING_DIRECTORY ${source}
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT changes STREQUAL "")
        string(APPEND commit "-dirty")
    endif()
endif()
file(CONFIGURE OUTPUT ${header} CONTENT "#define WEFT_COMMIT \"@commit@\"\n" @ONLY)
