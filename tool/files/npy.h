/* SPDX-License-Identifier: MIT
 * NumPy's array files: a header, then the values. Written as version 1.0, little-endian and in C
 * order; read in any version, order of bytes and order of indices. Only what Weft needs: real and
 * complex numbers in two precisions, pixels of 8 and 16 bits, up to three dimensions. Bytes after
 * the values are ignored by numpy.load; what Weft keeps there is laid down in spectrum_file.h.
 */
#ifndef WEFT_TOOL_FILES_NPY_H
#define WEFT_TOOL_FILES_NPY_H

#include "weft.h"

#include "shell/input.h"
#include "shell/output.h"

enum { NPY_MOST_DIMENSIONS = 3, NPY_SHAPE_TEXT = 80, NPY_MAGIC_SIZE = 6 };
extern const char npy_magic[]; /* what every such file begins with */

typedef struct npy_header {
    weft_precision precision;
    int is_complex;
    size_t whole_bytes;            /* 1, 2, 4, 8: whole numbers of so many bytes; 0: those above */
    int is_signed;                 /* of whole numbers: some may be below 0 */
    int is_fortran, is_big_endian; /* first index fastest; neither in files that Weft writes */
    size_t dimensions;
    size_t shape[NPY_MOST_DIMENSIONS];
} npy_header;

/* Exit codes, after a complaint. A header that was read has 1 to 3 dimensions of at least 1 each,
 * and its npy_bytes() do not overflow. */
int npy_read_header(input *in, npy_header *header);         /* refuses whole numbers */
int npy_read_picture_header(input *in, npy_header *header); /* complex ones, and all but u1, u2 */
int npy_read_kernel_header(input *in, npy_header *header);  /* and takes all whole numbers */
int npy_read_any_header(input *in, npy_header *header);     /* neither, to look what it is */
/* All values, which are npy_bytes() bytes, in C order and little-endian whatever the file's. */
int npy_read_values(input *in, const npy_header *header, void *values);
int npy_write_header(output *out, const npy_header *header);

/* (rows, columns), or (planes, rows, columns) where there is more than one plane. */
npy_header npy_of_planes(weft_precision precision, int is_complex, size_t planes, size_t rows,
                         size_t columns);
size_t npy_real_bytes(weft_precision precision); /* of one real number */
size_t npy_bytes(const npy_header *header);
const char *npy_shape_text(const npy_header *header, char text[NPY_SHAPE_TEXT]); /* "(3, 4, 5)" */

#endif
