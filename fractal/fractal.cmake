# SPDX-License-Identifier: MIT
# The fractal codec: it sees src/ and its own folder, and the transform through weft.h only.
add_library(weft_fractal OBJECT fractal/blocks.c fractal/changes.c fractal/codebook.c fractal/crc.c
            fractal/decoder.c fractal/description.c fractal/encoder.c fractal/huffman.c fractal/payload.c
            fractal/payload_read.c fractal/payload_write.c fractal/plane.c fractal/reconstruct.c
            fractal/search_table.c fractal/seq.c fractal/stream.c)
weft_target(weft_fractal PRIVATE src fractal)
# The search that others are measured against has no vectors.
set_source_files_properties(fractal/seq.c PROPERTIES COMPILE_OPTIONS
    "$<IF:$<C_COMPILER_ID:GNU>,-fno-tree-vectorize,-fno-vectorize;-fno-slp-vectorize>")
list(APPEND WEFT_PARTS weft_fractal)
