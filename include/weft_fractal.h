/* SPDX-License-Identifier: MIT
 *
 * weft_fractal.h - fractal coding of still pictures and video: partitioned iterated function
 * systems, on CPU and GPU.
 *
 * A picture is cut into range blocks of n x n pixels. Each is said as scale * domain + mean, where
 * the domain is a block of 2n x 2n pixels of the same plane, averaged to n x n, without its own
 * mean. The code of a range is (j, z, mean): the number of the domain, the number of the scale, and
 * the mean. A decoder begins with any picture and applies all codes to it several times: what stays
 * the same then, the attractor, is the decoded picture. Frames after the first take their domains
 * from the decoded first one, the reference, and only ranges that changed are coded; these are
 * decoded in one pass.
 *
 * All of it is done in integers: one search has one answer, whichever strategy looks for it, and
 * every decoder gives the same pixels. The stream, FVC1, is described byte by byte in docs/fvc1.md
 * of Weft's source tree.
 *
 * Planes are Y, Cr, Cb, in this order everywhere, of 8 bits. Sizes are those of Y; chroma that is
 * halved rounds up. Codes are of the padded plane, both sides of which are multiples of 2n.
 *
 * To encode: weft_fractal_encoder_create, weft_fractal_write_header, then weft_fractal_encode for
 * each picture; what these write, one after another, is the stream. To decode: read as many bytes
 * as weft_fractal_header_size asks for, weft_fractal_decoder_create, then for each frame as many as
 * weft_fractal_frame_size asks for, weft_fractal_decode, and in the end weft_fractal_decoder_end.
 *
 * As in weft.h: every function that can fail returns a weft_status, and weft_last_error() says what
 * was wrong; nothing is printed, and nothing is allocated while frames are encoded or decoded. An
 * encoder or decoder has the state of its stream: one thread at a time may use it.
 */
#ifndef WEFT_FRACTAL_H
#define WEFT_FRACTAL_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEFT_FRACTAL_PLANES = 3,
    WEFT_FRACTAL_MOST_SCALES = 31,
    /* For weft_fractal_desc.change and .refresh. */
    WEFT_FRACTAL_AUTO = -1,
    WEFT_FRACTAL_EVERY = -2
};

typedef enum weft_fractal_chroma {
    WEFT_FRACTAL_MONO = 0, /* Y alone */
    WEFT_FRACTAL_422,      /* Cr and Cb of half the width */
    WEFT_FRACTAL_420,      /* of half the width and height */
    WEFT_FRACTAL_444       /* of the same size */
} weft_fractal_chroma;

/* What is searched for which code. */
typedef enum weft_fractal_profile {
    /* Domains side by side (every 2n pixels), the smallest sum of absolute differences, the scales
     * -1, -3/4, -1/2, 1/4, 1/2, 3/4, 1. */
    WEFT_FRACTAL_SEED = 0,
    /* Domains at every even position, least squares, the scales k/16 for -15 <= k <= 15. */
    WEFT_FRACTAL_DENSE
} weft_fractal_profile;

typedef enum weft_fractal_arith {
    WEFT_FRACTAL_FIXED = 0, /* integers */
    WEFT_FRACTAL_FLOAT      /* float, exact: the same codes. cpu and cuda */
} weft_fractal_arith;

typedef enum weft_fractal_place { WEFT_FRACTAL_HOST = 0, WEFT_FRACTAL_DEVICE } weft_fractal_place;

/* ---- encode ------------------------------------------------------------------------------------
 */

/* What to encode, and how. Zero it, set height and width, then set what differs: zero means the
 * default. */
typedef struct weft_fractal_desc {
    size_t height, width; /* of Y, 1 to 65535 each; required */
    weft_fractal_chroma chroma;
    weft_fractal_profile profile;
    int block_size; /* n; 4 is the only one, and the default */

    /* "seq", "cpu", "cuda", "fft", or "auto" or NULL for the fastest that can run: of them seq
     * takes both profiles, fft WEFT_FRACTAL_DENSE, the others WEFT_FRACTAL_SEED. No search, and no
     * number of threads, changes a bit of the stream. */
    const char *search;
    int threads; /* as in weft_desc */
    int device;  /* cuda: CUDA ordinal */

    /* What changes codes. */
    int pruning;    /* percent: domains whose correlation with the one to the left or above exceeds
                       it are left out of the search; 1 to 99, 0 = none is. WEFT_FRACTAL_SEED only */
    int no_flat;    /* 1: every range takes a domain, though its mean alone were as good */
    int trunc_mean; /* 1: means are rounded down, not to nearest */
    int iterations; /* of the decoder, 1 to 32; 0 = 5, WEFT_FRACTAL_DENSE 10 */
    int change;     /* T: a range whose sum of absolute differences to that of the reference's
                       original exceeds T is changed; 0 = 32, up to 4080. WEFT_FRACTAL_AUTO: T from
                       the median difference of two frames. WEFT_FRACTAL_EVERY: all ranges are
                       taken for changed */
    int refresh;    /* every N-th frame is a new reference; 0 = the first alone, 1 = all of them.
                       WEFT_FRACTAL_AUTO: a frame in which more than 60 % of the ranges changed */
    int no_repeat;  /* 1: a changed range is searched anew, though it differs by no more than T from
                       what its last code was found for */

    /* What changes the stream's bytes, but no pixel. */
    int raw_codes; /* 1: codes of fixed length, 25 bits in WEFT_FRACTAL_SEED, which wants at most
                      16384 domains a plane then; they cannot say "as before", so that no_repeat is
                      taken for 1. 0: Huffman codes */
    unsigned fps_numerator, fps_denominator; /* up to 65535 each; both 0: not known */
    unsigned frames;                         /* in the stream; 0: until it ends */

    /* How a search goes about it, which changes no code. A search that has no such way refuses. */
    int elimination; /* 1: domains are ruled out by bounds before all of their terms are computed */
    weft_fractal_arith arith;
    int store_scaled;            /* 1: all scaled copies of a domain are stored and transferred */
    int no_reorder;              /* 1: the pixels of a block are not moved together before */
    int block, unroll;           /* threads of a block, a multiple of 32 up to 256, and domains of a
                                    loop's turn, 1, 2 or 4; 0: chosen */
    weft_fractal_place codebook; /* where the domains are made */

    size_t reserved[8]; /* for later versions; all zero, or the description is refused */
} weft_fractal_desc;

/* The planes of a picture: plane[i] has rows of bytes, pitch[i] bytes apart (0: as wide as the
 * plane). Those that the chroma format lacks are not looked at. Of a picture to be encoded they are
 * only read. */
typedef struct weft_fractal_picture {
    unsigned char *plane[WEFT_FRACTAL_PLANES]; /* Y, Cr, Cb */
    size_t pitch[WEFT_FRACTAL_PLANES];
} weft_fractal_picture;

/* Rows and columns of a plane of such pictures; 0 if there is no such plane. */
WEFT_API size_t weft_fractal_plane_height(size_t height, weft_fractal_chroma chroma, int plane);
WEFT_API size_t weft_fractal_plane_width(size_t width, weft_fractal_chroma chroma, int plane);

typedef enum weft_fractal_mode {
    WEFT_FRACTAL_UNCHANGED = 0, /* as in the reference */
    WEFT_FRACTAL_CODED,         /* by a code of its own */
    WEFT_FRACTAL_REPEATED       /* by the last code of this range */
} weft_fractal_mode;

/* The code of a range. Of an unchanged one, what its last code was. */
typedef struct weft_fractal_code {
    unsigned domain;    /* j, 0 in a flat range */
    signed char scale;  /* in quarters, WEFT_FRACTAL_DENSE sixteenths; 0: flat, mean alone */
    unsigned char z;    /* the scale's number; flat is 7, WEFT_FRACTAL_DENSE 15 */
    unsigned char mean; /* 0 to 255 */
    unsigned char mode; /* of weft_fractal_mode */
} weft_fractal_code;

/* What was done for one plane of a frame. */
typedef struct weft_fractal_counts {
    size_t ranges;          /* of the padded plane, and of these: */
    size_t coded, repeated; /* by mode */
    size_t flat;            /* of those coded */
    size_t searched;        /* that were looked for a code for, which may be the last one again */
    size_t domains;         /* that were searched: the codebook less what was pruned */
    double terms_decided; /* what a full search computes: searched ranges x domains x scales x n n;
                             in WEFT_FRACTAL_DENSE without the scales */
    double terms_evaluated;   /* what this one computed */
    int change;               /* T */
    size_t bytes;             /* of the plane in the stream, its header included */
    double mean_square_error; /* of the decoded plane, without padding */
    double psnr;              /* of the same, peak 255, in dB; HUGE_VAL if nothing differs */
} weft_fractal_counts;

typedef struct weft_fractal_frame {
    size_t bytes; /* of the frame in the stream, all headers and the checksum included */
    int is_reference;
    int planes;
    weft_fractal_counts plane[WEFT_FRACTAL_PLANES];
    double search_seconds;   /* in the search, transfers included */
    double transfer_seconds; /* between host and device */
    double kernel_seconds;   /* in kernels of a device, making codebooks included */
} weft_fractal_frame;

typedef struct weft_fractal_encoder weft_fractal_encoder;

/* *encoder is NULL on failure. Takes all memory that encoding needs. WEFT_ISA chooses instructions,
 * as for weft_plan_create. Errors: WEFT_BAD_ARGUMENT, WEFT_UNSUPPORTED, WEFT_NO_MEMORY,
 * WEFT_NO_DEVICE, WEFT_DEVICE_FAILED. */
WEFT_API weft_status weft_fractal_encoder_create(weft_fractal_encoder **encoder,
                                                 const weft_fractal_desc *desc);
WEFT_API void weft_fractal_encoder_destroy(weft_fractal_encoder *encoder); /* NULL is fine */

/* The search that was chosen, which lives as long as the library. */
WEFT_API const char *weft_fractal_encoder_search(const weft_fractal_encoder *encoder);

/* Bytes that suffice for the stream's header, and for any frame. */
WEFT_API size_t weft_fractal_encoder_bound(const weft_fractal_encoder *encoder);

/* The header, with which a stream begins, into out, which has weft_fractal_encoder_bound() bytes;
 * *written of them are the header. Errors: WEFT_BAD_ARGUMENT. */
WEFT_API weft_status weft_fractal_write_header(const weft_fractal_encoder *encoder, void *out,
                                               size_t *written);

/* The next frame, likewise. What was done goes to *frame; NULL: nobody asks, and frames that are no
 * references are not decoded for their PSNR. After a failure of a device, and only then, the
 * encoder can only be destroyed. Errors: WEFT_BAD_ARGUMENT, also where the description's number of
 * frames is exceeded; WEFT_DEVICE_FAILED, WEFT_NO_MEMORY of a device. */
WEFT_API weft_status weft_fractal_encode(weft_fractal_encoder *encoder,
                                         const weft_fractal_picture *picture, void *out,
                                         size_t *written, weft_fractal_frame *frame);

/* The codes of a plane's ranges after the last frame, in the order of rows; *count of them. NULL
 * and 0 where there is no such plane. They live until the next call with this encoder. */
WEFT_API const weft_fractal_code *weft_fractal_encoder_codes(const weft_fractal_encoder *encoder,
                                                             int plane, size_t *count);

/* ---- decode ------------------------------------------------------------------------------------
 */

/* What the header of a stream says. */
typedef struct weft_fractal_stream {
    size_t height, width;
    weft_fractal_chroma chroma;
    weft_fractal_profile profile;
    int block_size, domain_step; /* in pixels */
    int scales;                  /* how many; the numbers of scales are 0 to scales - 1 */
    signed char scale[WEFT_FRACTAL_MOST_SCALES]; /* in quarters, WEFT_FRACTAL_DENSE sixteenths */
    int raw_codes, iterations;
    unsigned fps_numerator, fps_denominator, frames;
} weft_fractal_stream;

typedef enum weft_fractal_start {
    WEFT_FRACTAL_START_GREY = 0, /* 128 */
    WEFT_FRACTAL_START_BLACK,    /* 0 */
    WEFT_FRACTAL_START_WHITE,    /* 255 */
    WEFT_FRACTAL_START_NOISE     /* the same noise every time */
} weft_fractal_start;

/* How to decode. All zero, or NULL, is the decoder that the format describes. */
typedef struct weft_fractal_decoding {
    /* Streams that want more are refused before anything is allocated for them. Pixels are those of
     * all padded planes of a decoded frame; work is pixels times iterations. */
    size_t most_pixels; /* 0 = 2^27 */
    size_t most_work;   /* 0 = 2^31 */
    int scale;          /* 1, 2 or 4: so many times the height and width; 0 = 1 */
    weft_fractal_start start;
    int iterations; /* 1 to 32 instead of the stream's; 0 = the stream's */
    /* Called before the first iteration of a frame with a reference of its own (iteration 0) and
     * after each. The picture has the size of the decoder's, and lives until the call returns. */
    void (*trace)(void *of, int iteration, const weft_fractal_picture *picture);
    void *trace_of;
    weft_fractal_place place; /* WEFT_FRACTAL_DEVICE: on a GPU; the pixels are the same */
    int device;               /* there: CUDA ordinal */
    size_t reserved[8];       /* all zero */
} weft_fractal_decoding;

typedef struct weft_fractal_decoder weft_fractal_decoder;

/* How many bytes a header has that begins with these `count`: *size, which may be more than count
 * and then is a lower bound: have so many and ask again. Errors: WEFT_BAD_ARGUMENT; WEFT_BAD_DATA
 * as soon as it is known that this is no header; WEFT_UNSUPPORTED, a later version of the format.
 */
WEFT_API weft_status weft_fractal_header_size(const void *bytes, size_t count, size_t *size);

/* A decoder of the stream that begins with this header, which has `count` bytes exactly. *decoder
 * is NULL on failure. Errors: WEFT_BAD_ARGUMENT; WEFT_BAD_DATA, a damaged header; WEFT_UNSUPPORTED,
 * a later version of the format, more pixels or work than allowed, or a place that this library
 * cannot decode at; WEFT_NO_MEMORY; WEFT_NO_DEVICE, WEFT_DEVICE_FAILED. */
WEFT_API weft_status weft_fractal_decoder_create(weft_fractal_decoder **decoder,
                                                 const weft_fractal_decoding *decoding,
                                                 const void *header, size_t count);
WEFT_API void weft_fractal_decoder_destroy(weft_fractal_decoder *decoder); /* NULL is fine */

/* What the header says; it lives as long as the decoder. */
WEFT_API const weft_fractal_stream *
weft_fractal_decoder_stream(const weft_fractal_decoder *decoder);

/* The size of decoded pictures: that of the stream times the decoder's scale. */
WEFT_API size_t weft_fractal_decoder_height(const weft_fractal_decoder *decoder);
WEFT_API size_t weft_fractal_decoder_width(const weft_fractal_decoder *decoder);

/* As weft_fractal_header_size, for the next frame: no frame is asked to be larger than frames of
 * this stream can be. Errors: WEFT_BAD_ARGUMENT, WEFT_BAD_DATA, also where the header's number of
 * frames is exceeded; WEFT_UNSUPPORTED for planes of a type that a later version may have. */
WEFT_API weft_status weft_fractal_frame_size(const weft_fractal_decoder *decoder, const void *bytes,
                                             size_t count, size_t *size);

/* Decodes the next frame, which has `count` bytes exactly; picture NULL: codes are read, and no
 * pixels are made of them, in this frame and those after it. Nothing is written and the decoder is
 * as before unless the frame is right as a whole. After a failure of a device, and only then, the
 * decoder can only be destroyed. Errors: as weft_fractal_frame_size; WEFT_DEVICE_FAILED. */
WEFT_API weft_status weft_fractal_decode(weft_fractal_decoder *decoder, const void *bytes,
                                         size_t count, const weft_fractal_picture *picture);

/* To be called where the stream ends. Errors: WEFT_BAD_ARGUMENT; WEFT_BAD_DATA if the header
 * promised more frames. */
WEFT_API weft_status weft_fractal_decoder_end(const weft_fractal_decoder *decoder);

/* As weft_fractal_encoder_codes, of the last frame that was decoded. */
WEFT_API const weft_fractal_code *weft_fractal_decoder_codes(const weft_fractal_decoder *decoder,
                                                             int plane, size_t *count);

/* The bits of a plane in the stream, by what they say. Their sum is 8 times its bytes, the plane's
 * header of 5 bytes included. */
typedef struct weft_fractal_parts {
    size_t header, tables, changes, domains, scales, means, padding;
} weft_fractal_parts;

/* Of a plane of the last frame that was decoded. All zero where there is none. */
WEFT_API weft_fractal_parts weft_fractal_decoder_parts(const weft_fractal_decoder *decoder,
                                                       int plane);
/* Whether the last frame that was decoded is a reference. */
WEFT_API int weft_fractal_decoder_is_reference(const weft_fractal_decoder *decoder);

/* How long kernels of a device took for the last frame that was decoded there; 0 elsewhere. */
WEFT_API double weft_fractal_decoder_kernel_seconds(const weft_fractal_decoder *decoder);

/* ---- searches ----------------------------------------------------------------------------------
 */

/* The searches built into this library, fastest first: i = 0, 1, 2 ...; NULL past the end. */
WEFT_API const char *weft_fractal_search_name(int i);
WEFT_API const char *weft_fractal_search_about(int i); /* one line on the same search */

#ifdef __cplusplus
}
#endif
#endif
