# SPDX-License-Identifier: MIT
# weft reproduce weft, in every build. Included by CMakeLists.txt of tool/.
set(sources aims.c bits.c claims.c rows.c tables.c times.c weft.c)
list(TRANSFORM sources PREPEND reproduce/weft/)
weft_tool_part(weft_tool_reproduce_weft SEES check src cuda SOURCES ${sources})
