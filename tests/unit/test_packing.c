/* SPDX-License-Identifier: MIT
 * Rows of a PNG are packed into the same bytes wherever in memory their packer lies.
 */
#include <stdint.h>
#include <string.h>

#include "expect.h"
#include "files/deflate.h"

/* ISA-L once took bits of its stream's address for four bytes of what it packs: of rows that begin
 * with these it forgot the beginning. */
static void bytes_do_not_depend_on_addresses(void **state) {
    unsigned char rows[400], packed[2][2048];
    deflater packers[2];
    size_t counts[2];
    (void)state;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(deflater_begin(&packers[i], 0, "test"), 0);
    }
    for (int i = 0; i < 2; i++) {
        const uint32_t bits = (uint32_t)((uintptr_t)packers[i].isal >> 16);

        for (size_t k = 0; k < sizeof rows; k++) {
            rows[k] = (unsigned char)(k % 200 * k % 200);
        }
        memcpy(rows, &bits, sizeof bits);
        memcpy(rows + sizeof rows / 2, rows, sizeof rows / 2);
        for (int k = 0; k < 2; k++) {
            counts[k] = deflater_pack(&packers[k], rows, sizeof rows, packed[k], sizeof packed[k]);
        }
        assert_int_equal(counts[0], counts[1]);
        assert_memory_equal(packed[0], packed[1], counts[0]);
    }
    deflater_end(&packers[0]);
    deflater_end(&packers[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_do_not_depend_on_addresses)};
    return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
