# SPDX-License-Identifier: MIT
# weft reproduce report, in every build. Included by CMakeLists.txt of tool/.
set(sources angles.c claims.c complex_line.c errata.c programs.c report.c transform.c)
list(TRANSFORM sources PREPEND reproduce/report/)
weft_tool_part(weft_tool_reproduce_report SEES check src cuda SOURCES ${sources})
