/* SPDX-License-Identifier: MIT
 * CRC-32 as zlib and PNG have it, over any bytes.
 */
#ifndef WEFT_FRACTAL_CRC_H
#define WEFT_FRACTAL_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc_of(const uint8_t *bytes, size_t count);

#endif
