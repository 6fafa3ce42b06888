/* SPDX-License-Identifier: MIT
 * What the report's text says otherwise than its program must have it, each tried both ways on a
 * line of noise: as printed and as corrected, against the sums of the definition. Errata that say
 * nothing a machine could compute are not here.
 */
#include <complex.h>

#include "oracle/oracle.h"
#include "reproduce/report/complex_line.h"
#include "reproduce/report/experiment.h"
#include "shell/complain.h"

/* A line, and its transform from the definition. */
typedef struct known {
    complex_number f[LINE], F[LINE], other[LINE];
} known;

static known known_line(int is_real) {
    known k;

    line_noise(LINE, is_real, 1, k.f);
    line_sums(LINE, k.f, k.F);
    return k;
}

static double error_of(reading how) {
    known k = known_line(0);

    line_recurrence(LINE, k.f, k.other, how);
    return line_error(LINE, k.f, k.F);
}

/* ---- errata 1, 4, 5: the recurrence ---------------------------------------------------------- */

static int find_root(erratum_found *e) {
    *e = (erratum_found){error_of(READ_HALF_ROOT), error_of(READ_RIGHT)};
    return EXIT_DONE;
}

static int find_mod(erratum_found *e) {
    *e = (erratum_found){error_of(READ_WITHOUT_MOD), error_of(READ_RIGHT)};
    return EXIT_DONE;
}

static int find_in_place(erratum_found *e) {
    *e = (erratum_found){error_of(READ_IN_PLACE), error_of(READ_RIGHT)};
    return EXIT_DONE;
}

/* ---- erratum 2: even and odd ----------------------------------------------------------------- */

/* F'(u) out of the sums over even and odd x, of so many terms; behind the last value lies the first
 * one again. */
static double split(size_t terms) {
    known k = known_line(0);

    for (size_t u = 0; u < LINE; u++) {
        complex_number even = 0, odd = 0;

        for (size_t x = 0; x < terms; x++) {
            even += k.f[2 * x % LINE] * line_root(x * u, LINE / 2);
            odd += k.f[(2 * x + 1) % LINE] * line_root(x * u, LINE / 2);
        }
        k.other[u] = even + line_root(u, LINE) * odd;
    }
    return line_error(LINE, k.other, k.F);
}

static int find_split(erratum_found *e) {
    *e = (erratum_found){split(LINE / 2 + 1), split(LINE / 2)};
    return EXIT_DONE;
}

/* ---- erratum 6: powers of two ---------------------------------------------------------------- */

enum { OTHER_LENGTH = 12 };

/* By Weft's mixed radices, which any N has. */
static weft_status transform_other(const double line[OTHER_LENGTH],
                                   complex_number half[OTHER_LENGTH / 2 + 1]) {
    const weft_desc desc = {.height = 1,
                            .width = OTHER_LENGTH,
                            .precision = WEFT_F64,
                            .layout = WEFT_HALF,
                            .strategy = "cpu.reference"};
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, &desc);

    if (status == WEFT_OK) {
        status = weft_forward_host(plan, line, half);
    }
    weft_plan_destroy(plan);
    return status;
}

static int find_length(erratum_found *e) {
    complex_number f[OTHER_LENGTH], F[OTHER_LENGTH], other[OTHER_LENGTH],
        half[OTHER_LENGTH / 2 + 1];
    double line[OTHER_LENGTH];
    weft_status status;

    line_noise(OTHER_LENGTH, 1, 1, f);
    line_sums(OTHER_LENGTH, f, F);
    for (size_t x = 0; x < OTHER_LENGTH; x++) {
        line[x] = creal(f[x]);
    }
    status = transform_other(line, half);
    line_recurrence(OTHER_LENGTH, f, other, READ_RIGHT);
    *e = (erratum_found){line_error(OTHER_LENGTH, f, F), line_error(OTHER_LENGTH / 2 + 1, half, F)};
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- erratum 7: the value at N - u ----------------------------------------------------------- */

static double mirrored(int is_real) {
    known k = known_line(is_real);

    for (size_t u = 0; u < LINE; u++) {
        k.other[u] = conj(k.F[(LINE - u) % LINE]);
    }
    return line_error(LINE, k.other, k.F);
}

static int find_mirror(erratum_found *e) {
    *e = (erratum_found){mirrored(0), mirrored(1)};
    return EXIT_DONE;
}

/* ---- erratum 9: the sign of what is packed --------------------------------------------------- */

/* Im F(u), of this sign, at N - u; read by the formulas of weft.h. */
static double packed(int sign) {
    known k = known_line(1);
    double line[LINE];

    for (size_t u = 0; u <= LINE / 2; u++) {
        line[u] = creal(k.F[u]);
    }
    for (size_t u = 1; u < LINE / 2; u++) {
        line[LINE - u] = sign * cimag(k.F[u]);
    }
    for (size_t u = 0; u < LINE; u++) {
        double re, im;

        oracle_read(1, LINE, WEFT_F64, WEFT_PACKED, LINE, line, 0, u, &re, &im);
        k.other[u] = re + I * im;
    }
    return line_error(LINE, k.other, k.F);
}

/* Im F(N - u), which lies at that index, has the other sign. */
static int find_sign(erratum_found *e) {
    *e = (erratum_found){packed(-1), packed(1)};
    return EXIT_DONE;
}

/* ---- erratum 11: the way back ---------------------------------------------------------------- */

static double returned(double scale) {
    known k = known_line(0);

    for (size_t u = 0; u < LINE; u++) {
        k.F[u] = conj(k.F[u]);
    }
    line_recurrence(LINE, k.F, k.other, READ_RIGHT);
    for (size_t x = 0; x < LINE; x++) {
        k.F[x] = scale * conj(k.F[x]);
    }
    return line_error(LINE, k.F, k.f);
}

static int find_scale(erratum_found *e) {
    *e = (erratum_found){returned(1), returned(1.0 / LINE)};
    return EXIT_DONE;
}

/* ---- all of them ----------------------------------------------------------------------------- */

const erratum errata[ERRATA] = {
    {"erratum 1: the recurrence takes W_N, not W_N/2 alone", find_root},
    {"erratum 2: sums end at N/2 - 1, not at N/2", find_split},
    {"erratum 4: indices are taken mod N", find_mod},
    {"erratum 5: a step needs a second array, or a barrier", find_in_place},
    {"erratum 6: N must be a power of two (here 12)", find_length},
    {"erratum 7: only real lines mirror their spectrum", find_mirror},
    {"erratum 9: packed at N - u, Im F has the sign of u", find_sign},
    {"erratum 11: the way back has the factor 1/N", find_scale},
};

int report_find_errata(report_experiment *e) {
    static const char *const columns[] = {"as printed", "corrected", NULL};
    finding_table *t = findings_add(
        &e->found, "Errata", "relative L2 error of a line of 64, in double precision", columns);
    int code = EXIT_DONE;

    for (size_t i = 0; code == EXIT_DONE && i < ERRATA; i++) {
        finding_row *row = finding_add(t, errata[i].name);

        code = errata[i].find(&e->errata[i]);
        row->here[0] = e->errata[i].as_printed;
        row->here[1] = e->errata[i].corrected;
    }
    return code;
}
