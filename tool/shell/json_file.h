/* SPDX-License-Identifier: MIT
 * A JSON document to a file, or to standard output: one whole document or nothing, or piece by
 * piece where memory may have no room for it; and back.
 */
#ifndef WEFT_TOOL_SHELL_JSON_FILE_H
#define WEFT_TOOL_SHELL_JSON_FILE_H

#include <jansson.h>
#include <stdio.h>

#include "shell/output.h"

/* A number, or null for one that is not finite. */
json_t *json_finite(double value);

/* The list with the value behind it, or NULL where either is NULL or memory ran out; whoever asks
 * gives both away. */
json_t *json_append(json_t *list, json_t *value);

/* The beginning of a text, of whole characters, as lines and documents can say it: control
 * characters, and what is no UTF-8, become '?'. Names of files may be anything. */
void json_label(char *label, size_t size, const char *text);

/* Exit codes, after a complaint. */
int json_file_check(const char *path); /* whether it could be written; NULL is fine */
int json_file_write(const char *path, const json_t *document);

/* Writes an object on one line as a piece of a document that is too long for memory. Its last
 * bracket is left out, so that more members can follow. The object is given away; NULL says that
 * memory ran out. It returns an exit code, after a complaint. */
int json_file_put_open(output *out, json_t *object);

/* The document becomes what who reads it from a file gets, where numbers have fewer digits; NULL,
 * and an exit code after a complaint, where memory ran out. */
int json_as_written(json_t **document);

/* The document in a file, or standard input for "-". Its texts have no control characters: they may
 * be printed. An exit code, after a complaint: EXIT_BAD_INPUT for what is no JSON object. */
int json_file_read(const char *path, json_t **document);

/* Where the text for people goes: standard error if the document has standard output. */
FILE *json_file_beside(const char *path);

#endif
