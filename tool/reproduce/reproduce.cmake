# SPDX-License-Identifier: MIT
# What the experiments of weft reproduce share, and how their documents are printed, in every build. Included by
# CMakeLists.txt of tool/.
set(sources claims.c experiments.c findings.c page.c present.c dx11/print.c ladder/print.c)
list(TRANSFORM sources PREPEND reproduce/)
weft_tool_part(weft_tool_reproduce SOURCES ${sources})
weft_tool_part(weft_tool_reproduce_programs SEES check src cuda SOURCES reproduce/programs.c)
