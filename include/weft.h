/* SPDX-License-Identifier: MIT
 *
 * weft.h - the 2-D Fourier transform of real images, on CPU and GPU.
 *
 * Throughout: an image has H rows and W columns; x[m][n] is row-major, m = row, n = column. Its
 * spectrum is
 *
 *     X[k][l] = sum_m sum_n x[m][n] exp(-2 pi i (k m / H + l n / W)),     0 <= k < H, 0 <= l < W,
 *
 * and because x is real, X[k'][l'] = conj X[k][l] with k' = (H - k) % H and l' = (W - l) % W.
 *
 * Three calls make a transform: weft_plan_create, weft_forward (or weft_inverse, weft_filter),
 * weft_plan_destroy. Every function that can fail returns a weft_status; weft_last_error() then
 * says in words what was wrong and with which value. On failure outputs are untouched unless stated
 * otherwise.
 *
 * The library never prints, exits, changes the locale, keeps threads of its own (it uses OpenMP's)
 * or mutable global state, but for what it has found out about the CPU, about forks, and for each
 * calling thread about OpenMP's threads. Plans are immutable: share one between any number of
 * threads and streams.
 *
 * The caller's floating-point environment has no influence: whatever rounding mode is set, whether
 * denormals are flushed to zero or exceptions trapped, plans and results are those of the default
 * environment on every thread, and the caller's comes back as it was, flags included.
 *
 * cpu.*: how many threads work changes no bit, and may be fewer than a plan asks for.
 *
 * In a process that was forked while it had several threads, whoever made them, every plan works on
 * one, for OpenMP waits for ever for those that a fork does not copy. What another user of OpenMP
 * does in such a process, and a fork before the library was loaded, it does not know.
 *
 * OpenMP ends the process if it cannot start a thread, because of a limit or for lack of memory. So
 * threads that it is to start for a call are started on trial before, and where that fails, those
 * that can be had do the work. What other threads or processes take in between may still end the
 * process, and so may threads that have not quite ended after another user of OpenMP began a
 * smaller team on the calling thread; threads = 1 never calls OpenMP.
 *
 * A calling thread that is cancelled while a team works ends after that.
 *
 * A call, weft_plan_create too, needs up to 64 KiB of stack on the CPU, of the calling thread and
 * of each of OpenMP's, whose default is far more: a smaller OMP_STACKSIZE ends the process.
 *
 * Where others use the cores, and threads that wait for a core take longer together than the caller
 * would alone, it works alone for up to a second before it tries them again.
 *
 * The shared library stays in the process after dlclose(), because OpenMP's threads do. A shared
 * library that contains the static one has to be linked with -z nodelete for that.
 */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>

/* major * 10000 + minor * 100 + patch of this header; weft_version() is the library's. */
#define WEFT_VERSION_NUMBER 200

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A transform of one shape, ready to run. Immutable after weft_plan_create. */
typedef struct weft_plan weft_plan;

/* *cudaStream_t, so that no CUDA header is needed here. */
struct CUstream_st;

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_BAD_ARGUMENT, /* NULL, zero or overflowing size, unknown name, bad alignment, partial
                          overlap */
    WEFT_UNSUPPORTED,  /* the named strategy cannot run this description on this machine */
    WEFT_NO_MEMORY,    /* host or device; the text has the bytes wanted and, on a device, the bytes
                          free, or the CUDA call that ran out of memory */
    WEFT_NO_DEVICE, /* no usable GPU: no driver, no device, driver too old, no kernel for this GPU
                     */
    WEFT_DEVICE_FAILED, /* CUDA reported an error; the text has file:line, call and CUDA's words */
    WEFT_BAD_DATA /* a stream is not as its format says; the text has what is wrong, and where */
} weft_status;

/* The type of every real number of a transform, in and out.
 *
 * cpu.*: nothing overflows on its way where the absolute values of the image, or of the spectrum of
 * an inverse, add up to at most a quarter of the type's largest number; of a filter, that sum times
 * the largest absolute value of the transfer, which of a WEFT_HALF one may be half the largest
 * number itself. Each image of a batch counts for itself. Sums from
 * about 2^87 on, of doubles 2^943, can take more than twice the time; in place, all inputs take a
 * little more, as they are measured first.
 *
 * cuda.*: results may overflow on their way where the absolute values of an image, of its spectrum
 * or of a filter's product add up to 2^86 or more, of doubles to 2^943 or more. */
typedef enum weft_precision {
    WEFT_F32 = 0, /* float  */
    WEFT_F64      /* double */
} weft_precision;

/* The type of an image's elements. */
typedef enum weft_pixel {
    WEFT_PIXEL_REAL = 0, /* float or double, as the precision says */
    WEFT_PIXEL_U8,       /* unsigned char:  values 0..255 as they are, not scaled to 0..1 */
    WEFT_PIXEL_U16       /* unsigned short: values 0..65535 as they are */
} weft_pixel; /* the inverse rounds to nearest (ties to even), clamps, and turns NaN into 0 */

/* How a spectrum lies in memory. */
typedef enum weft_layout {
    /* Real [H][W]: the image's own size and element type, no padding, any parity of H and W. With
     * S the packed spectrum, k' = (H - k) % H and l' = (W - l) % W:
     *     l == l' (column 0, and W/2 when W is even):
     *         k == k':    S[k][l] = X[k][l]                          (it is real)
     *         k <  k':    S[k][l] = Re X[k][l],  S[k'][l] = Im X[k][l]
     *     0 < l < l':     S[k][l] = Re X[k][l],  S[k][l'] = Im X[k][l]      for every k
     * All other values of X follow by conjugate symmetry. */
    WEFT_PACKED = 0,
    /* Complex [H][W/2 + 1], (re, im) pairs: X[k][l] for 0 <= l <= W/2, as FFTW's r2c, cuFFT's R2C
     * and NumPy's rfft2 give it. The inverse ignores the part of columns 0 and W/2 that is not
     * Hermitian (X[k'][l] != conj X[k][l]), as NumPy's irfft2 does. */
    WEFT_HALF
} weft_layout;

/* Factors on the forward / inverse transform, N = H * W. */
typedef enum weft_norm {
    WEFT_NORM_BACKWARD = 0, /* 1 / 1/N: NumPy's default; inverse(forward(x)) = x */
    WEFT_NORM_ORTHO,        /* 1/sqrt N / 1/sqrt N */
    WEFT_NORM_FORWARD,      /* 1/N / 1 */
    WEFT_NORM_NONE          /* 1 / 1: FFTW's and cuFFT's; inverse(forward(x)) = N x */
} weft_norm;

/* What to transform. Zero it, set height and width, then set what differs: zero means the default.
 */
typedef struct weft_desc {
    size_t height, width; /* H and W, >= 1 each; required */
    size_t batch;         /* images (or colour planes) per execution; 0 = 1 */
    weft_precision precision;
    weft_pixel pixel;
    weft_layout layout;
    weft_norm norm;
    /* In elements: pixels for the image; for the spectrum reals (WEFT_PACKED) or complex numbers
     * (WEFT_HALF). A pitch is the distance from row to row, a stride from image to image; 0 means
     * tight, and a tight stride is height * pitch. Elements between the rows are never read or
     * written. */
    size_t image_pitch, spectrum_pitch;
    size_t image_stride, spectrum_stride;
    /* "cpu" or "cuda" for the fastest of that kind that can run, a full name such as
     * "cuda.twopass", or "auto" or NULL for the fastest of all that can run. A full name may go on
     * with options, each once, as in "cuda.slm:twiddle=compute:real=tangle"; see
     * weft_strategy_options. Ask weft_plan_strategy() which one it became: it decides where the
     * pointers of weft_forward and its kin must live. */
    const char *strategy;
    int threads;        /* cpu.*: threads to use, up to WEFT_MOST_THREADS; 0 = as OpenMP is set
                           (OMP_NUM_THREADS, or all cores); see above */
    int device;         /* cuda.*: CUDA ordinal */
    size_t reserved[8]; /* for later versions; all zero, or the description is refused */
} weft_desc;

/* The most that weft_desc.threads may ask for, far more than any machine has. */
#define WEFT_MOST_THREADS 4096

/* Makes a plan. *plan is NULL on failure. Takes all memory that executing it needs, except `work`.
 * Sizes whose tables would take more memory than the machine has, or, where a side has a prime
 * above 127, minutes to make, are refused before any is made.
 * On a GPU the first plan of a process waits until CUDA is ready, and the first one of a kind of
 * sizes until CUDA has loaded their kernels, which takes many times as long as a plan.
 * The environment variable WEFT_ISA (plain, v2, v3, v4) chooses the instructions of cpu.fast, for
 * tests and comparisons; cpu.fast refuses a value that it does not know or that this CPU does not
 * have. Errors: WEFT_BAD_ARGUMENT, WEFT_UNSUPPORTED, WEFT_NO_MEMORY, WEFT_NO_DEVICE,
 * WEFT_DEVICE_FAILED. */
WEFT_API weft_status weft_plan_create(weft_plan **plan, const weft_desc *desc);

/* Frees a plan; NULL is fine. No call that uses the plan may be in flight. */
WEFT_API void weft_plan_destroy(weft_plan *plan);

/* Bytes that the caller passes as `work` to one call, enough for any of the three; if it is 0, as
 * of a NULL plan, work may be NULL. It differs between strategies, sizes and numbers of threads;
 * gaps between rows and images do not count. */
WEFT_API size_t weft_plan_workspace(const weft_plan *plan);

/* The full name of the strategy that was chosen, such as "cpu.reference", which lives as long as
 * the library. Options that are not at their defaults follow the name; such a text lives as long as
 * the plan. Of a NULL plan it is "". */
WEFT_API const char *weft_plan_strategy(const weft_plan *plan);

/* What the plan consists of, for people: a line on the problem and the strategy, a line for each
 * pass of the forward transform (the factors of its lines, the engine that transforms them, tiles,
 * threads, bytes), and a line on the workspace and on all bytes that are moved. Each line ends with
 * a newline. The wording may change between versions. The text lives as long as the plan; of
 * a NULL plan it is "". */
WEFT_API const char *weft_plan_describe(const weft_plan *plan);

/* Forward: spectrum = factor * DFT(image). Inverse: image = factor * inverse DFT(spectrum).
 *
 * Pointers live where the strategy runs. cuda.*: device memory; the call enqueues on `stream` and
 * returns; it neither allocates nor synchronises, so it can be captured into a CUDA graph. cpu.*:
 * host memory; the work is done on return, and stream is ignored. `work`: weft_plan_workspace()
 * bytes, one such block per call in flight, aligned to 16 bytes.
 *
 * Image and spectrum are aligned to their element type (on a device, a WEFT_HALF spectrum to a
 * whole complex number); cpu.fast is faster where rows begin at multiples of 64 bytes. They may be
 * the same memory when the layout is WEFT_PACKED, the pixels are WEFT_PIXEL_REAL and pitches and
 * strides are equal; otherwise they must not overlap, gaps between rows and images included. Out of
 * place the input is never modified.
 *
 * U8 and U16 images are transformed without the rounding error of their mean: an integer near the
 * mean is taken out exactly before, and X[0][0] is the exact sum of the pixels, rounded once, and
 * once more where the norm's factor is not a power of two. Errors: WEFT_BAD_ARGUMENT (before
 * anything is written), WEFT_DEVICE_FAILED, and WEFT_NO_MEMORY when CUDA itself lacks it for a
 * launch. */
WEFT_API weft_status weft_forward(const weft_plan *plan, const void *image, void *spectrum,
                                  void *work, struct CUstream_st *stream);
WEFT_API weft_status weft_inverse(const weft_plan *plan, const void *spectrum, void *image,
                                  void *work, struct CUstream_st *stream);

/* What weft_filter multiplies the spectrum by: one transfer for all images of the batch. */
typedef enum weft_transfer {
    /* A spectrum in the plan's precision, layout and pitch: the transform of a kernel. */
    WEFT_TRANSFER_SPECTRUM = 0,
    /* Real gains g[k][l] in the plan's precision, tight [H][W/2 + 1], the same for X[k][l] and
     * X[k'][l']; in columns 0 and W/2 the one with the smaller row, k <= k', is taken for both. */
    WEFT_TRANSFER_GAIN
} weft_transfer;

/* out = inverse(forward(image) .* transfer), with the plan's factors both ways; the spectrum stays
 * in work, and the caller never sees it. With WEFT_NORM_BACKWARD and the transform of a kernel that
 * is the circular convolution with the kernel, whose origin is row 0, column 0. out is an image
 * like the input and may be the same memory; otherwise they must not overlap. The transfer is
 * aligned as a spectrum, gains to their reals, and overlaps neither out nor work. Where pointers
 * live, stream, work and errors: as weft_forward. */
WEFT_API weft_status weft_filter(const weft_plan *plan, const void *image, const void *transfer,
                                 weft_transfer kind, void *out, void *work,
                                 struct CUstream_st *stream);

/* The same three with host pointers under any strategy: they allocate, copy and wait. For drivers
 * and first steps, not for timing. Errors: as weft_forward, and WEFT_NO_MEMORY. */
WEFT_API weft_status weft_forward_host(const weft_plan *plan, const void *image, void *spectrum);
WEFT_API weft_status weft_inverse_host(const weft_plan *plan, const void *spectrum, void *image);
WEFT_API weft_status weft_filter_host(const weft_plan *plan, const void *image,
                                      const void *transfer, weft_transfer kind, void *out);

/* Layout conversions on the host, tight arrays that must not overlap, aligned to their reals;
 * height and width are the image's. packed is real [H][W], half complex [H][W/2 + 1], full complex
 * [H][W]. Going to packed drops what a real image cannot have: the parts of columns 0 and W/2 that
 * are not Hermitian. Errors: WEFT_BAD_ARGUMENT. */
WEFT_API weft_status weft_packed_to_half(size_t height, size_t width, weft_precision p,
                                         const void *packed, void *half);
WEFT_API weft_status weft_half_to_packed(size_t height, size_t width, weft_precision p,
                                         const void *half, void *packed);
WEFT_API weft_status weft_packed_to_full(size_t height, size_t width, weft_precision p,
                                         const void *packed, void *full);

/* The strategies built into this library, for most problems fastest first: i = 0, 1, 2 ...; NULL
 * past the end. */
WEFT_API const char *weft_strategy_name(int i);
WEFT_API const char *weft_strategy_about(int i); /* one line on the same strategy, or NULL */
/* The options that may follow its name, such as "twiddle=lut|compute real=zero|tangle", the default
 * value first; "" if there are none, or no such strategy. */
WEFT_API const char *weft_strategy_options(int i);
/* What the strategy uses of this machine, such as the instructions that cpu.fast takes, or what it
 * lacks here; "" if there is nothing to say, or no such strategy. */
WEFT_API const char *weft_strategy_here(int i);

/* The smallest size >= n without a prime factor above 7; n = 0 gives 1; 0 if there is none in
 * size_t. */
WEFT_API size_t weft_next_fast_size(size_t n);

/* The size, of at least desc's height and width each, whose transform should be the fastest: for
 * images that may be enlarged. It is estimated, for the kind of strategy that would be chosen for
 * desc, by the factors of both sides; nothing is measured. A side that is enlarged is estimated to
 * save a tenth of the time at least, for the estimates are no better, and never goes beyond the
 * next power of two. Pitches and strides of desc have no influence. It may be one that no plan has
 * memory for, if desc's own is as large. On failure *height and *width are untouched. Errors: of
 * desc, as weft_plan_create. */
WEFT_API weft_status weft_good_size(const weft_desc *desc, size_t *height, size_t *width);

/* "WEFT_BAD_ARGUMENT" and the like; "unknown status" of any other number. */
WEFT_API const char *weft_status_string(weft_status status);
WEFT_API const char *weft_last_error(void); /* this thread's last failure in words, "" if none;
                                               until its next one */
WEFT_API const char *weft_version(void);    /* "1.2.3": the library's, see WEFT_VERSION_NUMBER */

#ifdef __cplusplus
}
#endif
#endif
