/* SPDX-License-Identifier: MIT
 * weft reproduce report in parts: the report's program and those of today on one image, and what
 * its text says of the transform, found out on lines and images so small that their sums can be
 * added up as they are defined.
 */
#ifndef WEFT_TOOL_REPRODUCE_REPORT_EXPERIMENT_H
#define WEFT_TOOL_REPRODUCE_REPORT_EXPERIMENT_H

#include "bench/contender.h"
#include "reproduce/claims.h"
#include "reproduce/findings.h"
#include "reproduce/programs.h"
#include "reproduce/reproduce.h"

/* Relative L2 errors. */
typedef struct erratum_found {
    double as_printed, corrected;
} erratum_found;

typedef struct erratum {
    const char *name;
    int (*find)(erratum_found *e); /* an exit code */
} erratum;
enum { ERRATA = 8 };
extern const erratum errata[ERRATA];

/* An image of which every bin is known by its plain sum, and what was made of it. */
enum { SMALL_SIDE = 64 };
typedef struct small_image {
    double defined, divided; /* errors of cpu.report, and of it divided by H W */
    double pair;             /* of two real lines out of one transform */
    double tangled, single;  /* of the image, by pairs of lines and by each line alone */
    size_t tangled_transforms, single_transforms;
    size_t image_bytes, spectrum_bytes, workspace; /* of a plan of cpu.report at the size timed */
} small_image;

/* Single precision, one line as long as a side of the image. */
typedef struct line_errors {
    double float_angle, per_element, table, gate;
} line_errors;

typedef struct report_experiment {
    bench_task task;
    line_up programs; /* of whoever can run, verified and timed */
    erratum_found errata[ERRATA];
    small_image small;
    line_errors line;
    findings found;
} report_experiment;

/* Exit codes, after a complaint; a wrong number is kept in the findings. */
int report_find_programs(report_experiment *e); /* times, beside those of the report */
int report_find_angles(report_experiment *e);   /* sine and cosine per element, and tables */
int report_find_errata(report_experiment *e);
/* What the report says that it computes, and how. */
int report_find_transform(report_experiment *e);

/* NULL where it did not run; threads do not count on a GPU. */
const contender *report_program(const report_experiment *e, const char *name, int threads);
int report_all_threads(void);
double report_median(const contender *c); /* us, hot; NAN for NULL and for what was not timed */

/* A list for the document, NULL where memory ran out. */
json_t *report_claims(const report_experiment *e);

#endif
