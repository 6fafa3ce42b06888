/* SPDX-License-Identifier: MIT
 * What Python sees of weft.h: plans that run over buffers of any kind, conversions of layouts,
 * sizes. It knows no NumPy and has no opinion: which dtype, axes or norm a caller means is decided
 * in the Python files beside it. It only makes sure that no buffer is shorter, less aligned or more
 * read-only than the library needs it. The GIL is released wherever the library works.
 */
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <weft.h>

#define WORK_ALIGNMENT 64 /* of a line of the cache; the library asks for 16 */
#define SMALL_WORK 4096   /* lies on the stack: allocating it takes a small call 0.1 us */

typedef struct module_state {
    PyObject *argument, *unsupported, *memory, *device; /* exceptions of weft/_errors.py */
    PyObject *plan_type;
} module_state;

typedef struct plan_object {
    PyObject_HEAD weft_plan *plan;
    size_t image_bytes, spectrum_bytes;       /* of the whole batch */
    size_t spectrum_bytes_of_one, gain_bytes; /* of what a filter multiplies by */
    size_t real_bytes, pixel_bytes;
} plan_object;

/* A caller's buffer while a call uses it. */
typedef struct block {
    Py_buffer view;
    int is_held;
} block;

/* ---- errors ---------------------------------------------------------------------------------- */

static PyObject *raise_status(const module_state *state, weft_status status) {
    PyObject *kind = status == WEFT_UNSUPPORTED                                 ? state->unsupported
                     : status == WEFT_NO_MEMORY                                 ? state->memory
                     : status == WEFT_NO_DEVICE || status == WEFT_DEVICE_FAILED ? state->device
                                                                                : state->argument;
    PyErr_SetString(kind, weft_last_error());
    return NULL;
}

static int is_count(const module_state *state, Py_ssize_t given, Py_ssize_t wanted,
                    const char *what) {
    if (given != wanted) {
        PyErr_Format(state->argument, "%s: %zd arguments, where %zd are expected", what, given,
                     wanted);
    }
    return given == wanted;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void release(block *held) {
    if (held->is_held) {
        PyBuffer_Release(&held->view);
        held->is_held = 0;
    }
}

/* PyBUF_SIMPLE refuses what is not contiguous. `work` may be longer than needed, nothing else. */
static int take(const module_state *state, block *to, PyObject *from, int is_written,
                const char *what, size_t bytes, size_t alignment, int may_be_longer) {
    if (PyObject_GetBuffer(from, &to->view, is_written ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) {
        return 0;
    }
    to->is_held = 1;
    size_t given = (size_t)to->view.len;
    if (given != bytes && !(may_be_longer && given > bytes)) {
        PyErr_Format(state->argument, "%s has %zu bytes: must have %zu", what, given, bytes);
        return 0;
    }
    if ((uintptr_t)to->view.buf % alignment != 0) {
        PyErr_Format(state->argument, "%s begins at %p: must be aligned to %zu bytes", what,
                     to->view.buf, alignment);
        return 0;
    }
    return 1;
}

/* ---- plans ----------------------------------------------------------------------------------- */

static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    const module_state *state = PyType_GetModuleState(type);
    Py_ssize_t height, width, batch;
    int precision, pixel, layout, norm, threads;
    const char *strategy;
    if (state == NULL ||
        !PyArg_ParseTuple(arguments, "nnniiiiis:Plan", &height, &width, &batch, &precision, &pixel,
                          &layout, &norm, &threads, &strategy)) {
        return NULL;
    }
    if (keywords != NULL && PyDict_Size(keywords) != 0) {
        PyErr_SetString(PyExc_TypeError, "Plan takes no keyword arguments");
        return NULL;
    }
    if (height < 1 || width < 1 || batch < 1) {
        PyErr_Format(state->argument, "%zd images of %zd x %zd: all must be at least 1", batch,
                     height, width);
        return NULL;
    }
    const weft_desc desc = {.height = (size_t)height,
                            .width = (size_t)width,
                            .batch = (size_t)batch,
                            .precision = (weft_precision)precision,
                            .pixel = (weft_pixel)pixel,
                            .layout = (weft_layout)layout,
                            .norm = (weft_norm)norm,
                            .strategy = strategy,
                            .threads = threads};
    weft_plan *made;
    weft_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = weft_plan_create(&made, &desc);
    Py_END_ALLOW_THREADS;
    if (status != WEFT_OK) {
        return raise_status(state, status);
    }
    if (strncmp(weft_plan_strategy(made), "cpu.", 4) != 0) {
        PyErr_Format(state->unsupported,
                     "strategy %s works in the memory of a GPU, which this package does not reach",
                     weft_plan_strategy(made));
        weft_plan_destroy(made);
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    plan_object *self = (plan_object *)allocate(type, 0);
    if (self == NULL) {
        weft_plan_destroy(made);
        return NULL;
    }
    size_t half = desc.height * (desc.width / 2 + 1);
    self->plan = made;
    self->real_bytes = desc.precision == WEFT_F64 ? sizeof(double) : sizeof(float);
    self->pixel_bytes = desc.pixel == WEFT_PIXEL_U8    ? 1
                        : desc.pixel == WEFT_PIXEL_U16 ? 2
                                                       : self->real_bytes;
    self->image_bytes = desc.batch * desc.height * desc.width * self->pixel_bytes;
    self->spectrum_bytes_of_one =
        self->real_bytes * (desc.layout == WEFT_HALF ? 2 * half : desc.height * desc.width);
    self->spectrum_bytes = desc.batch * self->spectrum_bytes_of_one;
    self->gain_bytes = half * self->real_bytes;
    return (PyObject *)self;
}

static void plan_free(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    weft_plan_destroy(((plan_object *)object)->plan);
    freefunc give_back = (freefunc)PyType_GetSlot(type, Py_tp_free);
    give_back(object);
    Py_DECREF(type);
}

/* Work memory of the caller's, or of this call alone: `small`, or `own`, which the caller frees.
 * NULL: with an exception set, or when none is needed. */
static void *take_work(const module_state *state, const plan_object *self, PyObject *given,
                       block *work, unsigned char *small, void **own) {
    size_t bytes = weft_plan_workspace(self->plan);
    if (given != Py_None) {
        return take(state, work, given, 1, "work", bytes, 16, 1) ? work->view.buf : NULL;
    }
    if (bytes == 0) {
        return NULL;
    }
    if (bytes <= SMALL_WORK) {
        return small;
    }
    *own = aligned_alloc(WORK_ALIGNMENT,
                         (bytes + WORK_ALIGNMENT - 1) / WORK_ALIGNMENT * WORK_ALIGNMENT);
    if (*own == NULL) {
        PyErr_Format(state->memory, "no memory for the %zu bytes of work memory of a call", bytes);
    }
    return *own;
}

/* forward(image, spectrum, work) and inverse(spectrum, image, work) */
static PyObject *transform(plan_object *self, PyTypeObject *type, PyObject *const *arguments,
                           Py_ssize_t count, int is_forward) {
    const module_state *state = PyType_GetModuleState(type);
    block image = {.is_held = 0}, spectrum = {.is_held = 0}, work = {.is_held = 0};
    _Alignas(WORK_ALIGNMENT) unsigned char small[SMALL_WORK];
    void *own = NULL;
    PyObject *result = NULL;
    if (state == NULL || !is_count(state, count, 3, is_forward ? "forward" : "inverse")) {
        return NULL;
    }
    if (take(state, &image, arguments[!is_forward], !is_forward, "image", self->image_bytes,
             self->pixel_bytes, 0) &&
        take(state, &spectrum, arguments[is_forward], is_forward, "spectrum", self->spectrum_bytes,
             self->real_bytes, 0)) {
        void *memory = take_work(state, self, arguments[2], &work, small, &own);
        if (memory != NULL || PyErr_Occurred() == NULL) {
            weft_status status;
            Py_BEGIN_ALLOW_THREADS;
            status =
                is_forward
                    ? weft_forward(self->plan, image.view.buf, spectrum.view.buf, memory, NULL)
                    : weft_inverse(self->plan, spectrum.view.buf, image.view.buf, memory, NULL);
            Py_END_ALLOW_THREADS;
            result = status == WEFT_OK ? Py_NewRef(Py_None) : raise_status(state, status);
        }
    }
    free(own);
    release(&work);
    release(&spectrum);
    release(&image);
    return result;
}

static PyObject *plan_forward(PyObject *self, PyTypeObject *type, PyObject *const *arguments,
                              Py_ssize_t count, PyObject *Py_UNUSED(names)) {
    return transform((plan_object *)self, type, arguments, count, 1);
}

static PyObject *plan_inverse(PyObject *self, PyTypeObject *type, PyObject *const *arguments,
                              Py_ssize_t count, PyObject *Py_UNUSED(names)) {
    return transform((plan_object *)self, type, arguments, count, 0);
}

/* filter(image, transfer, is_gain, out, work) */
static PyObject *plan_filter(PyObject *object, PyTypeObject *type, PyObject *const *arguments,
                             Py_ssize_t count, PyObject *Py_UNUSED(names)) {
    const module_state *state = PyType_GetModuleState(type);
    const plan_object *self = (const plan_object *)object;
    block image = {.is_held = 0}, transfer = {.is_held = 0}, out = {.is_held = 0},
          work = {.is_held = 0};
    _Alignas(WORK_ALIGNMENT) unsigned char small[SMALL_WORK];
    void *own = NULL;
    PyObject *result = NULL;
    if (state == NULL || !is_count(state, count, 5, "filter")) {
        return NULL;
    }
    int is_gain = PyObject_IsTrue(arguments[2]);
    if (is_gain < 0) {
        return NULL;
    }
    if (take(state, &image, arguments[0], 0, "image", self->image_bytes, self->pixel_bytes, 0) &&
        take(state, &transfer, arguments[1], 0, is_gain ? "gain" : "spectrum",
             is_gain ? self->gain_bytes : self->spectrum_bytes_of_one, self->real_bytes, 0) &&
        take(state, &out, arguments[3], 1, "out", self->image_bytes, self->pixel_bytes, 0)) {
        void *memory = take_work(state, self, arguments[4], &work, small, &own);
        if (memory != NULL || PyErr_Occurred() == NULL) {
            weft_status status;
            Py_BEGIN_ALLOW_THREADS;
            status = weft_filter(self->plan, image.view.buf, transfer.view.buf,
                                 is_gain ? WEFT_TRANSFER_GAIN : WEFT_TRANSFER_SPECTRUM,
                                 out.view.buf, memory, NULL);
            Py_END_ALLOW_THREADS;
            result = status == WEFT_OK ? Py_NewRef(Py_None) : raise_status(state, status);
        }
    }
    free(own);
    release(&work);
    release(&out);
    release(&transfer);
    release(&image);
    return result;
}

static PyObject *plan_workspace(PyObject *self, void *Py_UNUSED(closure)) {
    return PyLong_FromSize_t(weft_plan_workspace(((plan_object *)self)->plan));
}

static PyObject *plan_strategy(PyObject *self, void *Py_UNUSED(closure)) {
    return PyUnicode_FromString(weft_plan_strategy(((plan_object *)self)->plan));
}

static PyObject *plan_description(PyObject *self, void *Py_UNUSED(closure)) {
    return PyUnicode_FromString(weft_plan_describe(((plan_object *)self)->plan));
}

#define IN_CLASS (METH_METHOD | METH_FASTCALL | METH_KEYWORDS)

static PyMethodDef plan_methods[] = {
    {"forward", (PyCFunction)(void (*)(void))plan_forward, IN_CLASS, NULL},
    {"inverse", (PyCFunction)(void (*)(void))plan_inverse, IN_CLASS, NULL},
    {"filter", (PyCFunction)(void (*)(void))plan_filter, IN_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef plan_attributes[] = {
    {"workspace", plan_workspace, NULL, NULL, NULL},
    {"strategy", plan_strategy, NULL, NULL, NULL},
    {"description", plan_description, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, (void *)plan_new},
    {Py_tp_dealloc, (void *)plan_free},
    {Py_tp_methods, plan_methods},
    {Py_tp_getset, plan_attributes},
    {0, NULL},
};

static PyType_Spec plan_spec = {
    .name = "weft._weft.Plan",
    .basicsize = sizeof(plan_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = plan_slots,
};

/* ---- layouts --------------------------------------------------------------------------------- */

typedef weft_status conversion(size_t height, size_t width, weft_precision p, const void *from,
                               void *to);

static size_t reals_of(const char layout, size_t height, size_t width) {
    return layout == 'h' ? 2 * height * (width / 2 + 1) : height * width * (layout == 'f' ? 2 : 1);
}

/* name(height, width, precision, from, to): one image. The letters say the layouts: packed, half,
 * full. */
static PyObject *convert(PyObject *module, PyObject *arguments, conversion *function,
                         char from_layout, char to_layout) {
    const module_state *state = PyModule_GetState(module);
    Py_ssize_t height, width;
    int precision;
    PyObject *source, *target, *result = NULL;
    block from = {.is_held = 0}, to = {.is_held = 0};
    if (!PyArg_ParseTuple(arguments, "nniOO", &height, &width, &precision, &source, &target)) {
        return NULL;
    }
    if (height < 1 || width < 1 || height > PY_SSIZE_T_MAX / 64 / width) {
        PyErr_Format(state->argument,
                     "an image of %zd x %zd: sides must be at least 1, and fit into memory", height,
                     width);
        return NULL;
    }
    size_t h = (size_t)height, w = (size_t)width;
    size_t real_bytes = precision == WEFT_F64 ? sizeof(double) : sizeof(float);
    if (take(state, &from, source, 0, "spectrum", real_bytes * reals_of(from_layout, h, w),
             real_bytes, 0) &&
        take(state, &to, target, 1, "out", real_bytes * reals_of(to_layout, h, w), real_bytes, 0)) {
        weft_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = function(h, w, (weft_precision)precision, from.view.buf, to.view.buf);
        Py_END_ALLOW_THREADS;
        result = status == WEFT_OK ? Py_NewRef(Py_None) : raise_status(state, status);
    }
    release(&to);
    release(&from);
    return result;
}

static PyObject *packed_to_half(PyObject *module, PyObject *arguments) {
    return convert(module, arguments, weft_packed_to_half, 'p', 'h');
}

static PyObject *half_to_packed(PyObject *module, PyObject *arguments) {
    return convert(module, arguments, weft_half_to_packed, 'h', 'p');
}

static PyObject *packed_to_full(PyObject *module, PyObject *arguments) {
    return convert(module, arguments, weft_packed_to_full, 'p', 'f');
}

/* ---- sizes, and what there is ---------------------------------------------------------------- */

static PyObject *version(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing)) {
    return PyUnicode_FromString(weft_version());
}

static PyObject *next_fast_size(PyObject *module, PyObject *argument) {
    const module_state *state = PyModule_GetState(module);
    size_t n = PyLong_AsSize_t(argument);
    if (n == (size_t)-1 && PyErr_Occurred() != NULL) {
        return NULL;
    }
    size_t fast = weft_next_fast_size(n);
    if (fast == 0) {
        PyErr_Format(state->argument, "there is no fast size of %zu or more", n);
        return NULL;
    }
    return PyLong_FromSize_t(fast);
}

/* good_size(height, width, precision, pixel, layout) -> (height, width) */
static PyObject *good_size(PyObject *module, PyObject *arguments) {
    const module_state *state = PyModule_GetState(module);
    Py_ssize_t height, width;
    int precision, pixel, layout;
    if (!PyArg_ParseTuple(arguments, "nniii", &height, &width, &precision, &pixel, &layout)) {
        return NULL;
    }
    if (height < 1 || width < 1) {
        PyErr_Format(state->argument, "an image of %zd x %zd: sides must be at least 1", height,
                     width);
        return NULL;
    }
    const weft_desc desc = {.height = (size_t)height,
                            .width = (size_t)width,
                            .precision = (weft_precision)precision,
                            .pixel = (weft_pixel)pixel,
                            .layout = (weft_layout)layout,
                            .strategy = "cpu"};
    size_t good_height, good_width;
    weft_status status = weft_good_size(&desc, &good_height, &good_width);
    if (status != WEFT_OK) {
        return raise_status(state, status);
    }
    return Py_BuildValue("nn", (Py_ssize_t)good_height, (Py_ssize_t)good_width);
}

/* strategies() -> [(name, about, options, here), ...] */
static PyObject *strategies(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(nothing)) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && weft_strategy_name(i) != NULL; i++) {
        PyObject *row = Py_BuildValue("ssss", weft_strategy_name(i), weft_strategy_about(i),
                                      weft_strategy_options(i), weft_strategy_here(i));
        if (row == NULL || PyList_Append(list, row) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(row);
    }
    return list;
}

/* ---- the module ------------------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, NULL},
    {"next_fast_size", next_fast_size, METH_O, NULL},
    {"good_size", good_size, METH_VARARGS, NULL},
    {"strategies", strategies, METH_NOARGS, NULL},
    {"packed_to_half", packed_to_half, METH_VARARGS, NULL},
    {"half_to_packed", half_to_packed, METH_VARARGS, NULL},
    {"packed_to_full", packed_to_full, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int take_exception(PyObject *errors, const char *name, PyObject **to) {
    *to = PyObject_GetAttrString(errors, name);
    return *to != NULL;
}

static int take_exceptions(module_state *state) {
    PyObject *errors = PyImport_ImportModule("weft._errors");
    if (errors == NULL) {
        return 0;
    }
    int is_done = take_exception(errors, "ArgumentError", &state->argument) &&
                  take_exception(errors, "UnsupportedError", &state->unsupported) &&
                  take_exception(errors, "OutOfMemoryError", &state->memory) &&
                  take_exception(errors, "DeviceError", &state->device);
    Py_DECREF(errors);
    return is_done;
}

static int execute(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    if (!take_exceptions(state)) {
        return -1;
    }
    state->plan_type = PyType_FromModuleAndSpec(module, &plan_spec, NULL);
    if (state->plan_type == NULL) {
        if (PyErr_Occurred() == NULL) { /* Python 3.11 does not say it of every allocation there */
            PyErr_NoMemory();
        }
        return -1;
    }
    return PyModule_AddObjectRef(module, "Plan", state->plan_type);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    module_state *state = PyModule_GetState(module);
    Py_VISIT(state->argument);
    Py_VISIT(state->unsupported);
    Py_VISIT(state->memory);
    Py_VISIT(state->device);
    Py_VISIT(state->plan_type);
    return 0;
}

static int clear(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->argument);
    Py_CLEAR(state->unsupported);
    Py_CLEAR(state->memory);
    Py_CLEAR(state->device);
    Py_CLEAR(state->plan_type);
    return 0;
}

static void free_module(void *module) {
    clear(module);
}

/* All that the module has is in its state, so that it may be in several interpreters, each with a
 * lock of its own (3.12), or in one without a lock (3.13). The headers of 3.11 do not name these
 * two slots, and an interpreter refuses a slot that it does not know, so that its list ends before.
 */
static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)execute},
    {3, (void *)2}, /* Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */
    {4, (void *)1}, /* Py_mod_gil, Py_MOD_GIL_NOT_USED */
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,  .m_name = "weft._weft",  .m_size = sizeof(module_state),
    .m_methods = functions, .m_slots = module_slots, .m_traverse = traverse,
    .m_clear = clear,       .m_free = free_module,
};

PyMODINIT_FUNC PyInit__weft(void) {
    const size_t known = Py_Version < 0x030C0000 ? 1 : Py_Version < 0x030D0000 ? 2 : 3;
    module_slots[known] = (PyModuleDef_Slot){0, NULL};
    return PyModuleDef_Init(&definition);
}
