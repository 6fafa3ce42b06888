# SPDX-License-Identifier: MIT
# weft reproduce fractal, in every build. Included by CMakeLists.txt of tool/.
set(sources claims.c experiment.c films.c fractal.c overtaking.c passage.c pictures.c times.c)
list(TRANSFORM sources PREPEND reproduce/fractal/)
weft_tool_part(weft_tool_reproduce_fractal SOURCES ${sources})
