/* Counting pairs of labels at the speed of memory: the only compiled loop over data.

   A column of labels is read block by block into small codes: integers as their distance from the lowest label,
   everything else through a dictionary. The two codes of an item make the number of its cell, and cells are counted
   in a small table that grows when a new label does not fit. Both columns have their own codes; which codes are
   the same label is decided afterwards, in Python, on the few labels that occur. */

#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#endif
#ifndef NOT_STABLE /* free-threaded builds have no stable interface */
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define BLOCK 2048               /* items read at a time: codes and keys stay in the first-level cache */
#define BREATH ((Py_ssize_t)1 << 24) /* items between two looks at pending signals */
#define SPREAD 512                 /* items looked at for a first guess, beside the first block */
#define LEAST_SIDE 16
#define MOST_SIDE 4096           /* of the dense table; more codes are counted sparsely */
#define FLUSH_AFTER ((uint64_t)1 << 31) /* items after which 32-bit cells could overflow */
#define SIGN ((uint64_t)1 << 63)

enum { DONE = 0, FAILED = -1, RESTART = 1, TOO_MANY = 2, OUTSIDE = 3, NO_MEMORY = 4 };
enum { RANGE, KEYS, TEXT, OBJECTS };

/* memory */

/* Large tables ask for large pages, as touching them page by page costs more than counting does. */
static void *room(uint64_t size) {
#if defined(__linux__)
    const uint64_t page = (uint64_t)1 << 21;
    void *memory = NULL;
    if (size >= page) {
        if (posix_memalign(&memory, page, size) != 0) return NULL;
        madvise(memory, size, MADV_HUGEPAGE); /* only a hint: nothing to do where it fails */
        return memory;
    }
#endif
    return malloc(size ? size : 1);
}

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)0)
#endif

static void *zeros(uint64_t size) {
    void *memory = room(size);
    return memory ? memset(memory, 0, size) : NULL;
}

/* integers: one loop for each type of label and each width of code */

#define WHOLE(x) (x)
#define TRUTH(x) ((x) != 0)

/* How the code of the second column is put after that of the first, in a way that vectorises at each width: bytes
   hold codes below 16, 16 bits multiply, 32 bits shift. */
#define FIRST(OUT, before, code, side, shift) ((OUT)(code))
#define SECOND(OUT, before, code, side, shift) JOIN_##OUT(before, (OUT)(code), side, shift)
#define JOIN_uint8_t(before, code, side, shift) ((uint8_t)((uint8_t)((before) << 4) + (code)))
#define JOIN_uint16_t(before, code, side, shift) ((uint16_t)((uint16_t)((before) * (side)) + (code)))
#define JOIN_uint32_t(before, code, side, shift) (((before) << (shift)) + (code))

/* The codes x − low. The result has a bit for every bit that is set in some code, so that it is below a power of
   two exactly if all of them are. Misaligned and strided items go the slower way. */
#define DEFINE_FILL(NAME, T, U, READ, OUT, PUT)                                                                   \
    static uint64_t fill_##NAME##_##OUT##_##PUT(const char *source, Py_ssize_t stride, Py_ssize_t count,          \
                                                uint64_t low, unsigned shift, void *target) {                     \
        OUT *restrict out = (OUT *)target;                                                                        \
        const OUT side = (OUT)(1u << shift);                                                                      \
        const U base = (U)low;                                                                                    \
        U any = 0;                                                                                                \
        (void)side;                                                                                               \
        if (stride == (Py_ssize_t)sizeof(T) && (uintptr_t)source % sizeof(T) == 0) {                              \
            const T *restrict x = (const T *)source;                                                              \
            for (Py_ssize_t k = 0; k < count; k++) {                                                              \
                const U code = (U)((U)READ(x[k]) - base);                                                         \
                any |= code;                                                                                      \
                out[k] = PUT(OUT, out[k], code, side, shift);                                                     \
            }                                                                                                     \
        } else {                                                                                                  \
            for (Py_ssize_t k = 0; k < count; k++) {                                                              \
                T x;                                                                                              \
                memcpy(&x, source + k * stride, sizeof x);                                                        \
                const U code = (U)((U)READ(x) - base);                                                            \
                any |= code;                                                                                      \
                out[k] = PUT(OUT, out[k], code, side, shift);                                                     \
            }                                                                                                     \
        }                                                                                                         \
        return any;                                                                                               \
    }

/* Floats that are whole are integers; a float that is not sets every bit. */
#define DEFINE_FLOAT_FILL(NAME, T, U, READ, OUT, PUT)                                                             \
    static uint64_t fill_##NAME##_##OUT##_##PUT(const char *source, Py_ssize_t stride, Py_ssize_t count,          \
                                                uint64_t low, unsigned shift, void *target) {                     \
        OUT *restrict out = (OUT *)target;                                                                        \
        const OUT side = (OUT)(1u << shift);                                                                      \
        uint64_t any = 0;                                                                                         \
        (void)side;                                                                                               \
        for (Py_ssize_t k = 0; k < count; k++) {                                                                  \
            T x;                                                                                                  \
            memcpy(&x, source + k * stride, sizeof x);                                                            \
            const int64_t whole = fabs((double)x) < 9007199254740992.0 ? (int64_t)x : 0;                          \
            const uint64_t code = (T)whole == x ? (uint64_t)whole - low : UINT64_MAX;                             \
            any |= code;                                                                                          \
            out[k] = PUT(OUT, out[k], code, side, shift);                                                         \
        }                                                                                                         \
        return any;                                                                                               \
    }

#define DEFINE_WIDTHS(DEFINE, NAME, T, U, READ)                                                                   \
    DEFINE(NAME, T, U, READ, uint8_t, FIRST)                                                                      \
    DEFINE(NAME, T, U, READ, uint8_t, SECOND)                                                                     \
    DEFINE(NAME, T, U, READ, uint16_t, FIRST)                                                                     \
    DEFINE(NAME, T, U, READ, uint16_t, SECOND)                                                                    \
    DEFINE(NAME, T, U, READ, uint32_t, FIRST)                                                                     \
    DEFINE(NAME, T, U, READ, uint32_t, SECOND)

#define DEFINE_FILLS(NAME, T, U, READ)                                                                            \
    DEFINE_WIDTHS(DEFINE_FILL, NAME, T, U, READ)                                                                  \
    static void keys_##NAME(const char *source, Py_ssize_t stride, Py_ssize_t count, uint64_t *out) {             \
        for (Py_ssize_t k = 0; k < count; k++) {                                                                  \
            T x;                                                                                                  \
            memcpy(&x, source + k * stride, sizeof x);                                                            \
            out[k] = (uint64_t)READ(x);                                                                           \
        }                                                                                                         \
    }

/* The key of a float is its bits; 0.0 and −0.0 are one label, and so are all NaNs. */
#define DEFINE_FLOAT_FILLS(NAME, T)                                                                               \
    DEFINE_WIDTHS(DEFINE_FLOAT_FILL, NAME, T, uint64_t, WHOLE)                                                    \
    static void keys_##NAME(const char *source, Py_ssize_t stride, Py_ssize_t count, uint64_t *out) {             \
        for (Py_ssize_t k = 0; k < count; k++) {                                                                  \
            T x;                                                                                                  \
            memcpy(&x, source + k * stride, sizeof x);                                                            \
            const double value = x != x ? (double)NAN : (double)x + 0.0;                                          \
            memcpy(out + k, &value, sizeof value);                                                                \
        }                                                                                                         \
    }

DEFINE_FILLS(i8, int8_t, uint8_t, WHOLE)
DEFINE_FILLS(u8, uint8_t, uint8_t, WHOLE)
DEFINE_FILLS(i16, int16_t, uint16_t, WHOLE)
DEFINE_FILLS(u16, uint16_t, uint16_t, WHOLE)
DEFINE_FILLS(i32, int32_t, uint32_t, WHOLE)
DEFINE_FILLS(u32, uint32_t, uint32_t, WHOLE)
DEFINE_FILLS(i64, int64_t, uint64_t, WHOLE)
DEFINE_FILLS(u64, uint64_t, uint64_t, WHOLE)
DEFINE_FILLS(truth, uint8_t, uint8_t, TRUTH)
DEFINE_FLOAT_FILLS(f32, float)
DEFINE_FLOAT_FILLS(f64, double)

typedef uint64_t (*Fill)(const char *, Py_ssize_t, Py_ssize_t, uint64_t, unsigned, void *);

typedef struct {
    int size, is_signed, is_float;
    Fill fill[2][3]; /* of the first and the second column, into codes of 8, 16 and 32 bits */
    void (*keys)(const char *, Py_ssize_t, Py_ssize_t, uint64_t *);
} Type;

#define TYPE(NAME, SIZE, SIGNED, FLOAT)                                                                           \
    static const Type type_##NAME = {                                                                             \
        SIZE, SIGNED, FLOAT,                                                                                      \
        {{fill_##NAME##_uint8_t_FIRST, fill_##NAME##_uint16_t_FIRST, fill_##NAME##_uint32_t_FIRST},               \
         {fill_##NAME##_uint8_t_SECOND, fill_##NAME##_uint16_t_SECOND, fill_##NAME##_uint32_t_SECOND}},           \
        keys_##NAME}

TYPE(i8, 1, 1, 0);
TYPE(u8, 1, 0, 0);
TYPE(i16, 2, 1, 0);
TYPE(u16, 2, 0, 0);
TYPE(i32, 4, 1, 0);
TYPE(u32, 4, 0, 0);
TYPE(i64, 8, 1, 0);
TYPE(u64, 8, 0, 0);
TYPE(truth, 1, 0, 0);
TYPE(f32, 4, 1, 1);
TYPE(f64, 8, 1, 1);

/* columns */

typedef struct {
    uint64_t hash; /* an integer's key, or the hash of a text */
    uint32_t code; /* from 1; 0 is a free place */
} Place;

typedef struct {
    Place *places;
    uint64_t size, mask;
    uint32_t count;
    uint64_t *keys;  /* by code, in order of appearance */
    char *texts;     /* by code, `width` bytes each */
    uint64_t capacity;
    Py_ssize_t width;
} Dictionary;

#define CACHED 4096

typedef struct {
    PyObject *object;
    uint32_t code;
} Cached;

typedef struct {
    int mode;
    const Type *type;
    Py_buffer view;
    int has_view;
    PyObject *list; /* a list of labels, where there is no buffer */
    const char *data;
    Py_ssize_t stride, length, size;
    uint64_t low;  /* range: the label of code 0, in the order of unsigned numbers */
    uint64_t side; /* range: codes are below this power of two */
    uint64_t most; /* range: the largest side that is allowed */
    Dictionary known;
    PyObject *codes, *labels, *examples; /* objects: {label: code}, [label], {type: label} */
    PyTypeObject *last_type;
    Py_ssize_t *first; /* objects: where each label appeared first */
    uint64_t first_capacity;
    Cached *cache;
} Column;

static void close_column(Column *c) {
    if (c->has_view) PyBuffer_Release(&c->view);
    Py_XDECREF(c->list);
    free(c->known.places);
    free(c->known.keys);
    free(c->known.texts);
    free(c->first);
    if (c->cache)
        for (int k = 0; k < CACHED; k++) Py_XDECREF(c->cache[k].object);
    free(c->cache);
    Py_XDECREF(c->codes);
    Py_XDECREF(c->labels);
    Py_XDECREF(c->examples);
}

static const Type *integer_type(char code, Py_ssize_t size) {
    switch (code) {
        case '?': return size == 1 ? &type_truth : NULL;
        case 'f': return size == 4 ? &type_f32 : NULL;
        case 'd': return size == 8 ? &type_f64 : NULL;
        case 'b': case 'h': case 'i': case 'l': case 'q': case 'n':
            return size == 1 ? &type_i8 : size == 2 ? &type_i16 : size == 4 ? &type_i32 : size == 8 ? &type_i64 : NULL;
        case 'B': case 'H': case 'I': case 'L': case 'Q': case 'N':
            return size == 1 ? &type_u8 : size == 2 ? &type_u16 : size == 4 ? &type_u32 : size == 8 ? &type_u64 : NULL;
        default: return NULL;
    }
}

static int open_objects(Column *c) {
    c->mode = OBJECTS;
    c->codes = PyDict_New();
    c->labels = PyList_New(0);
    c->examples = PyDict_New();
    c->cache = calloc(CACHED, sizeof(Cached));
    if (!c->cache) PyErr_NoMemory();
    return c->codes && c->labels && c->examples && c->cache ? 0 : -1;
}

/* A list of any labels, or a one-dimensional buffer of native numbers, text, bytes or objects. */
static int open_column(Column *c, PyObject *source) {
    memset(c, 0, sizeof *c);
    c->most = MOST_SIDE;
    if (PyList_Check(source)) {
        c->list = Py_NewRef(source);
        c->length = PyList_Size(source);
        return open_objects(c);
    }
    if (PyObject_GetBuffer(source, &c->view, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) return -1;
    c->has_view = 1;
    if (c->view.ndim != 1) {
        PyErr_SetString(PyExc_ValueError, "a column of labels has one dimension");
        return -1;
    }
    c->data = c->view.buf;
    c->length = c->view.shape[0];
    c->stride = c->view.strides[0];
    c->size = c->view.itemsize;
    const char *format = c->view.format ? c->view.format : "B";
#if PY_LITTLE_ENDIAN
    if (*format == '@' || *format == '=' || *format == '<') format++;
#else
    if (*format == '@' || *format == '=' || *format == '>') format++;
#endif
    const char *letter = format;
    while (*letter >= '0' && *letter <= '9') letter++;
    if (*letter && !letter[1]) {
        if (*letter == 'w' || *letter == 's') {
            c->mode = TEXT;
            c->known.width = c->size;
            return 0;
        }
        if (*letter == 'O' && letter == format) return open_objects(c);
        c->type = letter == format ? integer_type(*letter, c->size) : NULL;
        c->mode = RANGE;
        if (c->type) return 0;
    }
    PyErr_Format(PyExc_TypeError, "labels of the format %s cannot be counted here", c->view.format);
    return -1;
}

/* ranges of integers */

/* Numbers of every type in the order of unsigned ones. */
static uint64_t ordered(const Type *type, uint64_t key) { return type->is_signed ? key ^ SIGN : key; }

static uint64_t power_above(uint64_t count) {
    uint64_t power = LEAST_SIDE;
    while (power < count) power <<= 1;
    return power;
}

static int whole_key(const Type *type, uint64_t *key) {
    if (!type->is_float) return 1;
    double value;
    memcpy(&value, key, sizeof value);
    if (!(fabs(value) < 9007199254740992.0) || value != (double)(int64_t)value) return 0;
    *key = (uint64_t)(int64_t)value;
    return 1;
}

static uint64_t least_of(const Type *type) {
    if (type->is_float) return 0;
    return type->is_signed ? SIGN - ((uint64_t)1 << (8 * type->size - 1)) : 0;
}

static uint64_t greatest_of(const Type *type) {
    if (type->is_float || type->size == 8) return UINT64_MAX;
    return least_of(type) + ((uint64_t)1 << (8 * type->size)) - 1;
}

/* A window of `side` codes around [least, greatest], with the room to spare on both sides of it. */
static void place_window(Column *c, uint64_t least, uint64_t greatest, uint64_t side) {
    const uint64_t bottom = least_of(c->type), top = greatest_of(c->type);
    c->side = side;
    if (top - bottom < side) {
        c->low = bottom;
        return;
    }
    const uint64_t spare = (side - (greatest - least + 1)) / 2;
    c->low = least - bottom < spare ? bottom : least - spare;
    if (c->low > top - side + 1) c->low = top - side + 1;
}

static int widen(Column *c, uint64_t least, uint64_t greatest, uint64_t spare) {
    if (greatest - least >= c->most) return RESTART;
    place_window(c, least, greatest, power_above(greatest - least + 1 + spare));
    return DONE;
}

/* The smallest and the largest of some labels, or RESTART if one is not whole. */
static int extremes(Column *c, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count, uint64_t *least,
                    uint64_t *greatest) {
    uint64_t keys[BLOCK];
    c->type->keys(c->data + start * c->stride, step * c->stride, count, keys);
    for (Py_ssize_t k = 0; k < count; k++) {
        if (!whole_key(c->type, keys + k)) return RESTART;
        const uint64_t x = ordered(c->type, keys[k]);
        if (x < *least) *least = x;
        if (x > *greatest) *greatest = x;
    }
    return DONE;
}

/* A first guess at the range of labels: the first block and items spread over the column. */
static int guess_range(Column *c, int spare) {
    uint64_t least = UINT64_MAX, greatest = 0;
    if (c->length == 0) return widen(c, ordered(c->type, 0), ordered(c->type, 0), 0);
    const Py_ssize_t head = c->length < BLOCK ? c->length : BLOCK, spread = c->length < SPREAD ? 1 : SPREAD;
    if (extremes(c, 0, 1, head, &least, &greatest) != DONE) return RESTART;
    if (extremes(c, 0, c->length / spread, spread, &least, &greatest) != DONE) return RESTART;
    if (extremes(c, c->length - 1, 1, 1, &least, &greatest) != DONE) return RESTART;
    return widen(c, least, greatest, spare ? (greatest - least) / 8 : 0);
}

/* Every label that was counted lies in the old window: the new one covers it and the block that did not fit. */
static int outgrown(Column *c, Py_ssize_t start, Py_ssize_t count) {
    uint64_t least = c->low, greatest = c->low + c->side - 1;
    const uint64_t top = greatest_of(c->type);
    if (greatest > top || greatest < least) greatest = top;
    if (extremes(c, start, 1, count, &least, &greatest) != DONE) return RESTART;
    return widen(c, least, greatest, 0);
}

/* dictionaries */

static uint64_t mixed(uint64_t x) {
    x ^= x >> 32;
    x *= 0x9E3779B97F4A7C15u;
    return x ^ (x >> 29);
}

static int rehash(Dictionary *d) {
    const uint64_t size = d->size ? d->size * 4 : 1024;
    Place *places = calloc(size, sizeof(Place));
    if (!places) return NO_MEMORY;
    for (uint64_t k = 0; k < d->size; k++) {
        if (!d->places[k].code) continue;
        uint64_t at = (d->width ? d->places[k].hash : mixed(d->places[k].hash)) & (size - 1);
        while (places[at].code) at = (at + 1) & (size - 1);
        places[at] = d->places[k];
    }
    free(d->places);
    d->places = places;
    d->size = size;
    d->mask = size - 1;
    return DONE;
}

/* Room for one more entry in the list of keys or texts. */
static int reserve(Dictionary *d) {
    if (d->count < d->capacity) return DONE;
    const uint64_t capacity = d->capacity ? d->capacity * 2 : 256;
    void *grown = d->width ? realloc(d->texts, capacity * (uint64_t)d->width) : realloc(d->keys, capacity * 8);
    if (!grown) return NO_MEMORY;
    if (d->width)
        d->texts = grown;
    else
        d->keys = grown;
    d->capacity = capacity;
    return DONE;
}

static int fill_keys(Column *c, Py_ssize_t start, Py_ssize_t count, unsigned shift, uint32_t *out) {
    Dictionary *d = &c->known;
    uint64_t keys[BLOCK];
    c->type->keys(c->data + start * c->stride, c->stride, count, keys);
    for (Py_ssize_t k = 0; k < count; k++) {
        if ((uint64_t)d->count * 2 >= d->size && rehash(d) != DONE) return NO_MEMORY;
        uint64_t at = mixed(keys[k]) & d->mask;
        while (d->places[at].code && d->places[at].hash != keys[k]) at = (at + 1) & d->mask;
        if (!d->places[at].code) {
            if (d->count == INT32_MAX || reserve(d) != DONE) return NO_MEMORY;
            d->keys[d->count] = keys[k];
            d->places[at].hash = keys[k];
            d->places[at].code = ++d->count;
        }
        out[k] = (out[k] << shift) | (d->places[at].code - 1);
    }
    return DONE;
}

/* Odd numbers without a pattern, one for each word of a text; longer texts use them again, in other combinations. */
static const uint64_t factors[8] = {
    0x9E3779B97F4A7C15u, 0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu, 0xD6E8FEB86659FD93u,
    0xFF51AFD7ED558CCDu, 0xC4CEB9FE1A85EC53u, 0x87C37B91114253D5u, 0x4CF5AD432745937Fu,
};

static uint64_t finished(uint64_t hash) {
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    return hash ^ (hash >> 32);
}

static uint64_t text_hash(const char *text, Py_ssize_t size) {
    uint64_t hash = 0, word;
    Py_ssize_t k = 0;
    for (; k + 8 <= size; k += 8) {
        memcpy(&word, text + k, 8);
        if (k % 64 == 0) hash = finished(hash);
        hash += (word ^ (word >> 32)) * factors[k / 8 % 8];
    }
    if (k < size) {
        word = 0;
        memcpy(&word, text + k, (size_t)(size - k));
        hash += (word ^ (word >> 32)) * factors[k / 8 % 8];
    }
    return finished(hash);
}

/* Texts of a few whole words, such as <U4 or <U8: no loop is left after unrolling. */
#define DEFINE_HASHES(WORDS)                                                                                      \
    static void hash_##WORDS(const char *text, Py_ssize_t stride, Py_ssize_t count, uint64_t *restrict out) {     \
        for (Py_ssize_t k = 0; k < count; k++, text += stride) {                                                  \
            uint64_t words[WORDS], hash = 0;                                                                      \
            memcpy(words, text, sizeof words);                                                                    \
            for (int i = 0; i < WORDS; i++) hash += (words[i] ^ (words[i] >> 32)) * factors[i];                   \
            out[k] = finished(hash);                                                                              \
        }                                                                                                         \
    }

DEFINE_HASHES(1)
DEFINE_HASHES(2)
DEFINE_HASHES(3)
DEFINE_HASHES(4)
DEFINE_HASHES(5)
DEFINE_HASHES(6)
DEFINE_HASHES(7)
DEFINE_HASHES(8)

static void hash_texts(const Column *c, const char *text, Py_ssize_t count, uint64_t *out) {
    static void (*const whole[])(const char *, Py_ssize_t, Py_ssize_t, uint64_t *) = {
        hash_1, hash_2, hash_3, hash_4, hash_5, hash_6, hash_7, hash_8,
    };
    if (c->size % 8 == 0 && c->size <= 64)
        whole[c->size / 8 - 1](text, c->stride, count, out);
    else
        for (Py_ssize_t k = 0; k < count; k++, text += c->stride) out[k] = text_hash(text, c->size);
}

static int same_text(const char *x, const char *y, Py_ssize_t size) {
    for (; size >= 8; size -= 8, x += 8, y += 8) {
        uint64_t u, v;
        memcpy(&u, x, 8);
        memcpy(&v, y, 8);
        if (u != v) return 0;
    }
    return size == 0 || memcmp(x, y, (size_t)size) == 0;
}

static int add_text(Column *c, const char *text, uint64_t hash, uint64_t at) {
    Dictionary *d = &c->known;
    if (d->count == INT32_MAX || reserve(d) != DONE) return NO_MEMORY;
    memcpy(d->texts + d->count * (uint64_t)d->width, text, (size_t)c->size);
    d->places[at].hash = hash;
    d->places[at].code = ++d->count;
    return DONE;
}

static int fill_text(Column *c, Py_ssize_t start, Py_ssize_t count, unsigned shift, uint32_t *out) {
    Dictionary *d = &c->known;
    const Py_ssize_t size = c->size;
    const char *text = c->data + start * c->stride;
    uint64_t hashes[BLOCK];
    hash_texts(c, text, count, hashes);
    for (Py_ssize_t k = 0; k < count; k++, text += c->stride) {
        PREFETCH((const void *)((uintptr_t)text + (uintptr_t)(count * c->stride))); /* the next block */
        if ((uint64_t)d->count * 2 >= d->size && rehash(d) != DONE) return NO_MEMORY;
        uint64_t at = hashes[k] & d->mask;
        for (; d->places[at].code; at = (at + 1) & d->mask) {
            const Place *place = d->places + at;
            if (place->hash == hashes[k] && same_text(d->texts + (place->code - 1) * (uint64_t)size, text, size)) break;
        }
        if (!d->places[at].code && add_text(c, text, hashes[k], at) != DONE) return NO_MEMORY;
        out[k] = (out[k] << shift) | (d->places[at].code - 1);
    }
    return DONE;
}

/* objects: needs the GIL */

/* A label that the dictionary has not seen: -1 with an exception set if it cannot be remembered. */
static int64_t remember(Column *c, PyObject *label, Py_ssize_t position) {
    const Py_ssize_t code = PyList_Size(c->labels);
    if (code >= INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "too many different labels");
        return -1;
    }
    if ((uint64_t)code >= c->first_capacity) {
        const uint64_t capacity = c->first_capacity ? c->first_capacity * 2 : 256;
        Py_ssize_t *grown = realloc(c->first, capacity * sizeof *grown);
        if (!grown) {
            PyErr_NoMemory();
            return -1;
        }
        c->first = grown;
        c->first_capacity = capacity;
    }
    c->first[code] = position;
    PyObject *number = PyLong_FromSsize_t(code);
    const int failed = !number || PyDict_SetItem(c->codes, label, number) < 0 || PyList_Append(c->labels, label) < 0;
    Py_XDECREF(number);
    return failed ? -1 : code;
}

static int64_t look_up(Column *c, PyObject *label, Py_ssize_t position) {
    PyTypeObject *type = Py_TYPE(label);
    if (type != c->last_type) { /* 1 and True are equal to the dictionary: the types tell them apart afterwards */
        const int known = PyDict_Contains(c->examples, (PyObject *)type);
        if (known < 0 || (!known && PyDict_SetItem(c->examples, (PyObject *)type, label) < 0)) return -1;
        c->last_type = type;
    }
    if (PyFloat_Check(label)) {
        const double value = PyFloat_AsDouble(label);
        if (value != value) label = Py_None; /* every NaN would be a label of its own */
    }
    PyObject *number = PyDict_GetItemWithError(c->codes, label);
    if (number) return PyLong_AsLongLong(number);
    return PyErr_Occurred() ? -1 : remember(c, label, position);
}

static Cached *cache_of(const Column *c, PyObject *label) {
    const uintptr_t address = (uintptr_t)label;
    return c->cache + ((address >> 4 ^ address >> 16) & (CACHED - 1));
}

/* The code of a label that is not in the cache; it goes there, kept alive, as another must not get its address. */
static int64_t look_up_and_cache(Column *c, PyObject *label, Py_ssize_t position) {
    Cached *cached = cache_of(c, label);
    Py_INCREF(label);
    const int64_t code = look_up(c, label, position);
    if (code < 0) {
        Py_DECREF(label);
        return -1;
    }
    PyObject *before = cached->object;
    cached->object = label;
    cached->code = (uint32_t)code;
    Py_XDECREF(before);
    return code;
}

#define FILL_OBJECTS(GET)                                                                                         \
    for (Py_ssize_t k = 0; k < count; k++) {                                                                      \
        PyObject *label;                                                                                          \
        GET;                                                                                                      \
        const Cached *cached = cache_of(c, label);                                                                \
        if (cached->object == label) {                                                                            \
            out[k] = (out[k] << shift) | cached->code;                                                            \
            continue;                                                                                             \
        }                                                                                                         \
        const int64_t code = look_up_and_cache(c, label, start + k);                                              \
        if (code < 0) return FAILED;                                                                              \
        out[k] = (out[k] << shift) | (uint32_t)code;                                                              \
    }

static int fill_objects(Column *c, Py_ssize_t start, Py_ssize_t count, unsigned shift, uint32_t *out) {
    if (c->list) {
        /* a list may become shorter while Python code compares labels: then there is no item, but an IndexError */
        FILL_OBJECTS(if (!(label = PyList_GetItem(c->list, start + k))) return FAILED)
    } else {
        const char *item = c->data + start * c->stride;
        FILL_OBJECTS(memcpy(&label, item, sizeof label); item += c->stride;
                     if (!label) label = Py_None) /* NULL: an object array that was never filled */
    }
    return DONE;
}

/* one block of codes */

static uint64_t codes_so_far(const Column *c) {
    return c->mode == OBJECTS ? (uint64_t)PyList_Size(c->labels) : c->known.count;
}

/* The codes of the first column (shift 0), or those of the second after them, in 8, 16 or 32 bits (width 0, 1, 2);
   OUTSIDE if one is not below `side`. */
static int fill_block(Column *c, Py_ssize_t start, Py_ssize_t count, unsigned shift, uint64_t side, int width,
                      void *out) {
    int status;
    if (c->mode == RANGE) {
        const uint64_t low = c->type->is_signed ? c->low ^ SIGN : c->low;
        const Fill fill = c->type->fill[shift != 0][width];
        return fill(c->data + start * c->stride, c->stride, count, low, shift, out) < side ? DONE : OUTSIDE;
    }
    if (shift == 0) memset(out, 0, (size_t)count * sizeof(uint32_t));
    status = c->mode == KEYS   ? fill_keys(c, start, count, shift, out)
             : c->mode == TEXT ? fill_text(c, start, count, shift, out)
                               : fill_objects(c, start, count, shift, out);
    return status != DONE ? status : codes_so_far(c) <= side ? DONE : OUTSIDE;
}

/* the table of cells */

typedef struct {
    uint64_t side;
    unsigned shift;
    int copies, width;
    uint64_t apart;    /* from one private table to the next: not a multiple of 4 KB, where addresses would collide */
    uint32_t *counts;  /* `copies` private tables, so that neighbouring equal items do not wait for each other */
    int64_t *flushed;  /* what 32-bit cells held when they were emptied; NULL while they never were */
    uint64_t pending;  /* items since then */
    double *sums;      /* weights: a sum and what rounding lost, for each cell */
    uint8_t *seen[2];  /* weights: which codes occur, as a weight may be 0 */
} Table;

static void close_table(Table *t) {
    free(t->counts);
    free(t->flushed);
    free(t->sums);
    free(t->seen[0]);
    free(t->seen[1]);
    memset(t, 0, sizeof *t);
}

static int open_table(Table *t, uint64_t side, int narrow, int weighted) {
    const uint64_t cells = side * side;
    memset(t, 0, sizeof *t);
    t->side = side;
    while (((uint64_t)1 << t->shift) < side) t->shift++;
    t->width = !narrow || weighted || side > 256 ? 2 : side == 16 ? 0 : 1;
    t->copies = cells <= 256 ? 8 : cells <= 1024 ? 4 : cells <= 16384 ? 2 : 1;
    t->apart = cells + 24;
    if (weighted) {
        t->sums = zeros(2 * cells * sizeof *t->sums);
        t->seen[0] = calloc(side, 1);
        t->seen[1] = calloc(side, 1);
        return t->sums && t->seen[0] && t->seen[1] ? DONE : NO_MEMORY;
    }
    t->counts = zeros((uint64_t)t->copies * t->apart * sizeof *t->counts);
    return t->counts ? DONE : NO_MEMORY;
}

static uint32_t cell_count(const Table *t, uint64_t cell) {
    uint32_t sum = 0;
    for (int k = 0; k < t->copies; k++) sum += t->counts[(uint64_t)k * t->apart + cell];
    return sum;
}

/* All private tables added into the first. */
static void fold(Table *t) {
    if (!t->counts || t->copies == 1) return;
    for (uint64_t cell = 0; cell < t->side * t->side; cell++) t->counts[cell] = cell_count(t, cell);
    t->copies = 1;
}

static int flush(Table *t) {
    const uint64_t cells = t->side * t->side;
    if (!t->flushed && !(t->flushed = calloc(cells, sizeof *t->flushed))) return NO_MEMORY;
    for (uint64_t cell = 0; cell < cells; cell++) t->flushed[cell] += cell_count(t, cell);
    memset(t->counts, 0, (uint64_t)t->copies * t->apart * sizeof *t->counts);
    t->pending = 0;
    return DONE;
}

/* A larger table with the same cells, rows and columns moved up by so many codes. */
static int grow_table(Table *t, uint64_t side, int narrow, const uint64_t moved[2]) {
    Table grown;
    int status = open_table(&grown, side, narrow, t->sums != NULL);
    if (status == DONE && t->flushed && !(grown.flushed = calloc(side * side, sizeof *grown.flushed)))
        status = NO_MEMORY;
    if (status != DONE) {
        close_table(&grown);
        return status;
    }
    grown.pending = t->pending;
    for (uint64_t i = 0; i < t->side; i++) {
        for (uint64_t j = 0; j < t->side; j++) {
            const uint64_t from = i * t->side + j, to = (i + moved[0]) * side + j + moved[1];
            if (t->sums) {
                if (!t->seen[0][i] || !t->seen[1][j]) continue;
                memcpy(grown.sums + 2 * to, t->sums + 2 * from, 2 * sizeof(double));
                continue;
            }
            const uint32_t count = cell_count(t, from);
            if (count) grown.counts[to] = count;
            if (t->flushed && t->flushed[from]) grown.flushed[to] = t->flushed[from];
        }
        if (t->sums && t->seen[0][i]) grown.seen[0][i + moved[0]] = 1;
        if (t->sums && t->seen[1][i]) grown.seen[1][i + moved[1]] = 1;
    }
    close_table(t);
    *t = grown;
    return DONE;
}

/* While one block is counted, nothing is read from memory: the next block is fetched meanwhile. */
typedef struct {
    const char *start[2];
    Py_ssize_t step[2]; /* bytes for eight items */
} Ahead;

static void count_bytes(uint32_t *restrict h, const uint8_t *restrict cells, Py_ssize_t count, Ahead ahead) {
    Py_ssize_t k = 0;
    for (; k + 8 <= count; k += 8) {
        uint64_t eight;
        memcpy(&eight, cells + k, 8);
        PREFETCH(ahead.start[0]);
        PREFETCH(ahead.start[1]);
        ahead.start[0] += ahead.step[0];
        ahead.start[1] += ahead.step[1];
        h[eight & 255]++;
        h[280 + (eight >> 8 & 255)]++;
        h[560 + (eight >> 16 & 255)]++;
        h[840 + (eight >> 24 & 255)]++;
        h[1120 + (eight >> 32 & 255)]++;
        h[1400 + (eight >> 40 & 255)]++;
        h[1680 + (eight >> 48 & 255)]++;
        h[1960 + (eight >> 56)]++;
    }
    for (; k < count; k++) h[cells[k]]++;
}

#define COUNT_EIGHT(H0, H1, H2, H3)                                                                               \
    for (; k + 8 <= count; k += 8) {                                                                              \
        PREFETCH(ahead.start[0]);                                                                                 \
        PREFETCH(ahead.start[1]);                                                                                 \
        ahead.start[0] += ahead.step[0];                                                                          \
        ahead.start[1] += ahead.step[1];                                                                          \
        H0[cells[k]]++;                                                                                           \
        H1[cells[k + 1]]++;                                                                                       \
        H2[cells[k + 2]]++;                                                                                       \
        H3[cells[k + 3]]++;                                                                                       \
        H0[cells[k + 4]]++;                                                                                       \
        H1[cells[k + 5]]++;                                                                                       \
        H2[cells[k + 6]]++;                                                                                       \
        H3[cells[k + 7]]++;                                                                                       \
    }

#define DEFINE_COUNT(NAME, T)                                                                                     \
    static void NAME(uint32_t *restrict h, const T *restrict cells, Py_ssize_t count, uint64_t apart, int copies, \
                     Ahead ahead) {                                                                               \
        uint32_t *h1 = h + apart, *h2 = h1 + apart, *h3 = h2 + apart;                                             \
        Py_ssize_t k = 0;                                                                                         \
        if (copies >= 4) COUNT_EIGHT(h, h1, h2, h3)                                                               \
        else if (copies == 2) COUNT_EIGHT(h, h1, h, h1)                                                           \
        else COUNT_EIGHT(h, h, h, h)                                                                              \
        for (; k < count; k++) h[cells[k]]++;                                                                     \
    }

DEFINE_COUNT(count_halves, uint16_t)
DEFINE_COUNT(count_words, uint32_t)

/* Neumaier's sum: what rounding loses is kept beside it, so the result does not depend on the order of items. */
static void add_weights(Table *t, const uint32_t *cells, const char *weights, Py_ssize_t stride, Py_ssize_t count) {
    for (Py_ssize_t k = 0; k < count; k++) {
        double weight, *sum = t->sums + 2 * (uint64_t)cells[k];
        memcpy(&weight, weights + k * stride, sizeof weight);
        const double total = sum[0] + weight;
        sum[1] += sum[0] >= weight ? (sum[0] - total) + weight : (weight - total) + sum[0];
        sum[0] = total;
        t->seen[0][cells[k] >> t->shift] = 1;
        t->seen[1][cells[k] & (t->side - 1)] = 1;
    }
}

/* dense counting */

typedef struct {
    Column column[2];
    Table table;
    Py_buffer weights;
    int weighted;
} Crossing;

static int is_narrow(const Crossing *x) { return x->column[0].mode == RANGE && x->column[1].mode == RANGE; }

/* A larger table, after a block of one column did not fit; RESTART if that column must be read by dictionary. */
static int make_room(Crossing *x, Py_ssize_t start, Py_ssize_t count) {
    uint64_t before[2] = {x->column[0].low, x->column[1].low}, moved[2] = {0, 0}, side = x->table.side;
    for (int k = 0; k < 2; k++) {
        Column *c = x->column + k;
        uint64_t needed;
        if (c->mode == RANGE) {
            if (outgrown(c, start, count) != DONE) {
                c->mode = KEYS;
                return RESTART;
            }
            needed = c->side;
        } else {
            needed = power_above(codes_so_far(c));
        }
        if (needed > side) side = needed;
    }
    /* half of the first items are new labels: do not fill a large table only to find that it is too small */
    if (side > MOST_SIDE || (start == 0 && side > BLOCK / 2 && !is_narrow(x))) return TOO_MANY;
    for (int k = 0; k < 2; k++) {
        Column *c = x->column + k;
        if (c->mode != RANGE) continue;
        if (c->side < side) place_window(c, c->low, c->low + c->side - 1, side);
        moved[k] = before[k] - c->low;
    }
    return grow_table(&x->table, side, is_narrow(x), moved);
}

static Ahead next_block(const Column *column, Py_ssize_t start) {
    Ahead ahead;
    for (int k = 0; k < 2; k++) {
        const Column *c = column + k;
        const int inside = c->data && c->length - start >= BLOCK;
        ahead.start[k] = inside ? c->data + start * c->stride : (const char *)column;
        ahead.step[k] = inside ? 8 * c->stride : 0;
    }
    return ahead;
}

static void count_block(Crossing *x, const void *cells, Py_ssize_t start, Py_ssize_t count) {
    Table *t = &x->table;
    const Ahead ahead = next_block(x->column, start + count);
    if (x->weighted)
        add_weights(t, cells, (const char *)x->weights.buf + start * x->weights.strides[0], x->weights.strides[0], count);
    else if (t->width == 0)
        count_bytes(t->counts, cells, count, ahead);
    else if (t->width == 1)
        count_halves(t->counts, cells, count, t->apart, t->copies, ahead);
    else
        count_words(t->counts, cells, count, t->apart, t->copies, ahead);
}

static int count_items(Crossing *x, Py_ssize_t start, Py_ssize_t stop) {
    uint64_t cells[BLOCK / 2];
    while (start < stop) {
        const Py_ssize_t count = stop - start < BLOCK ? stop - start : BLOCK;
        Table *t = &x->table;
        int status = fill_block(x->column, start, count, 0, t->side, t->width, cells);
        if (status == DONE || status == OUTSIDE) {
            const int second = fill_block(x->column + 1, start, count, t->shift, t->side, t->width, cells);
            if (second != DONE) status = second;
        }
        if (status == OUTSIDE) status = make_room(x, start, count);
        else if (status == DONE) {
            count_block(x, cells, start, count);
            start += count;
            t->pending += (uint64_t)count;
            if (t->pending > FLUSH_AFTER && !x->weighted && flush(t) != DONE) return NO_MEMORY;
            continue;
        }
        if (status != DONE) return status;
    }
    return DONE;
}

/* Runs `items` over all of a column, letting other threads run and Ctrl-C come through now and then. */
static int breathe(int (*items)(void *, Py_ssize_t, Py_ssize_t), void *state, Py_ssize_t length, int keep_gil) {
    for (Py_ssize_t start = 0; start < length;) {
        const Py_ssize_t most = keep_gil ? BREATH / 16 : BREATH;
        const Py_ssize_t stop = length - start < most ? length : start + most;
        int status;
        if (keep_gil) {
            status = items(state, start, stop);
        } else {
            PyThreadState *thread = PyEval_SaveThread();
            status = items(state, start, stop);
            PyEval_RestoreThread(thread);
        }
        if (status != DONE) return status;
        if (PyErr_CheckSignals() < 0) return FAILED;
        start = stop;
    }
    return DONE;
}

/* Truth values need no table: how many are true in each column and in both, eight at a time. 0 where a byte is
   neither 0 nor 1, as in views of other data. */
static int count_truths(Crossing *x, Py_ssize_t start, Py_ssize_t stop) {
    const char *true_ = x->column[0].data + start, *pred = x->column[1].data + start;
    const Py_ssize_t count = stop - start, words = count / 8;
    uint64_t sums[3] = {0, 0, 0}, any = 0, u, v;
    for (Py_ssize_t begin = 0; begin < words; begin += 255) { /* a byte holds up to 255 ones */
        const Py_ssize_t end = words - begin < 255 ? words : begin + 255;
        uint64_t hits = 0, trues = 0, preds = 0;
        for (Py_ssize_t k = begin; k < end; k++) {
            memcpy(&u, true_ + 8 * k, 8);
            memcpy(&v, pred + 8 * k, 8);
            any |= u | v;
            trues += u;
            preds += v;
            hits += u & v;
        }
        const uint64_t byte[3] = {trues, preds, hits};
        for (int k = 0; k < 3; k++)
            for (int shift = 0; shift < 64; shift += 8) sums[k] += byte[k] >> shift & 255;
    }
    for (Py_ssize_t k = 8 * words; k < count; k++) {
        const uint8_t t = (uint8_t)true_[k], p = (uint8_t)pred[k];
        any |= (uint64_t)(t | p);
        sums[0] += t;
        sums[1] += p;
        sums[2] += t & p;
    }
    if (any & ~UINT64_C(0x0101010101010101)) return 0;
    uint32_t *counts = x->table.counts;
    const uint64_t side = x->table.side;
    counts[side + 1] += (uint32_t)sums[2];
    counts[side] += (uint32_t)(sums[0] - sums[2]);
    counts[1] += (uint32_t)(sums[1] - sums[2]);
    counts[0] += (uint32_t)((uint64_t)count - sums[0] - sums[1] + sums[2]);
    return 1;
}

static int are_truths(const Crossing *x) {
    for (int k = 0; k < 2; k++)
        if (x->column[k].type != &type_truth || x->column[k].stride != 1 || x->column[k].low != 0) return 0;
    return !x->weighted;
}

static int cross_items(void *state, Py_ssize_t start, Py_ssize_t stop) {
    Crossing *x = state;
    if (are_truths(x) && count_truths(x, start, stop)) {
        x->table.pending += (uint64_t)(stop - start);
        return x->table.pending > FLUSH_AFTER ? flush(&x->table) : DONE;
    }
    return count_items(x, start, stop);
}

static int cross_once(Crossing *x) {
    uint64_t side = LEAST_SIDE;
    for (int k = 0; k < 2; k++) {
        Column *c = x->column + k;
        if (c->mode == RANGE && guess_range(c, 0) != DONE) c->mode = KEYS;
        if (c->mode == RANGE && c->side > side) side = c->side;
    }
    for (int k = 0; k < 2; k++) {
        Column *c = x->column + k;
        if (c->mode == RANGE && c->side < side) place_window(c, c->low, c->low + c->side - 1, side);
    }
    close_table(&x->table);
    if (open_table(&x->table, side, is_narrow(x), x->weighted) != DONE) return NO_MEMORY;
    const int objects = x->column[0].mode == OBJECTS || x->column[1].mode == OBJECTS;
    return breathe(cross_items, x, x->column[0].length, objects);
}

/* Bytes, or None where there are none. The format y# of Py_BuildValue would do the same, but what is built for it with
   the headers of Python 3.13 raises SystemError in Python 3.11 and 3.12, for which the stable interface is built. */
static PyObject *as_bytes(const void *start, Py_ssize_t size) {
    if (start == NULL) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(start, size);
}

/* What the codes of a column stand for: (lowest label, flags), keys as bytes, or (labels, examples, positions). */
static PyObject *described(const Column *c, const uint8_t *seen, uint64_t side) {
    if (c->mode == OBJECTS)
        return Py_BuildValue("(OON)", c->labels, c->examples,
                             as_bytes(c->first, PyList_Size(c->labels) * (Py_ssize_t)sizeof *c->first));
    if (c->mode == TEXT)
        return PyBytes_FromStringAndSize(c->known.texts, (Py_ssize_t)c->known.count * c->known.width);
    if (c->mode == KEYS) return PyBytes_FromStringAndSize((const char *)c->known.keys, (Py_ssize_t)c->known.count * 8);
    if (c->type->is_signed) return Py_BuildValue("(LN)", (long long)(int64_t)(c->low ^ SIGN), as_bytes(seen, (Py_ssize_t)side));
    return Py_BuildValue("(KN)", (unsigned long long)c->low, as_bytes(seen, (Py_ssize_t)side));
}

/* Flags of the codes that occur in a folded table, and how many cells they span. */
static uint64_t mark_seen(const Crossing *x, uint8_t *seen[2]) {
    const Table *t = &x->table;
    uint64_t used[2] = {0, 0};
    for (uint64_t i = 0; i < t->side && !x->weighted; i++) {
        const uint32_t *row = t->counts + i * t->side;
        const int64_t *more = t->flushed ? t->flushed + i * t->side : NULL;
        uint32_t any = 0;
        for (uint64_t j = 0; j < t->side; j++) any |= row[j];
        for (uint64_t j = 0; more && j < t->side; j++) any |= more[j] != 0;
        if (!any) continue;
        seen[0][i] = 1;
        for (uint64_t j = 0; j < t->side; j++) seen[1][j] |= row[j] != 0;
        for (uint64_t j = 0; more && j < t->side; j++) seen[1][j] |= more[j] != 0;
    }
    for (int k = 0; k < 2; k++) {
        if (x->weighted) memcpy(seen[k], t->seen[k], t->side);
        for (uint64_t i = 0; i < t->side; i++) used[k] += seen[k][i];
    }
    return used[0] * used[1];
}

/* One row of the columns first, first + 1, … that occur. */
static void pack_row(const Crossing *x, uint64_t i, const uint32_t *columns, uint64_t count, void *target) {
    const Table *t = &x->table;
    const uint64_t row = i * t->side;
    if (x->weighted) {
        double *restrict out = target;
        for (uint64_t k = 0; k < count; k++)
            out[k] = t->sums[2 * (row + columns[k])] + t->sums[2 * (row + columns[k]) + 1];
        return;
    }
    int64_t *restrict out = target;
    const uint32_t *restrict counts = t->counts + row;
    if (count && columns[count - 1] - columns[0] == count - 1) /* no gaps: a plain copy */
        for (uint64_t k = 0; k < count; k++) out[k] = counts[columns[0] + k];
    else
        for (uint64_t k = 0; k < count; k++) out[k] = counts[columns[k]];
    for (uint64_t k = 0; t->flushed && k < count; k++) out[k] += t->flushed[row + columns[k]];
}

/* The cells of the codes that occur, row by row, in an array that `allocate` makes for so many of them. */
static PyObject *packed(const Crossing *x, uint8_t *seen[2], uint64_t cells, PyObject *allocate) {
    const Table *t = &x->table;
    Py_buffer view;
    uint64_t count = 0;
    PyObject *result = PyObject_CallFunction(allocate, "Ki", (unsigned long long)cells, x->weighted);
    if (!result) return NULL;
    uint32_t *columns = malloc(t->side * sizeof *columns);
    if (!columns || PyObject_GetBuffer(result, &view, PyBUF_WRITABLE) < 0) {
        if (!columns) PyErr_NoMemory();
        free(columns);
        Py_DECREF(result);
        return NULL;
    }
    for (uint64_t j = 0; j < t->side; j++)
        if (seen[1][j]) columns[count++] = (uint32_t)j;
    char *out = view.buf;
    if ((uint64_t)view.len != cells * 8)
        PyErr_SetString(PyExc_ValueError, "allocate must give 8 bytes for each cell");
    else
        for (uint64_t i = 0; i < t->side; i++)
            if (seen[0][i]) {
                pack_row(x, i, columns, count, out);
                out += count * 8;
            }
    PyBuffer_Release(&view);
    free(columns);
    if (PyErr_Occurred()) Py_CLEAR(result);
    return result;
}

static PyObject *cross_result(Crossing *x, PyObject *allocate) {
    uint8_t *seen[2] = {calloc(x->table.side, 1), calloc(x->table.side, 1)};
    PyObject *result = NULL;
    if (seen[0] && seen[1]) {
        fold(&x->table);
        const uint64_t cells = mark_seen(x, seen);
        PyObject *rows = described(x->column, seen[0], x->table.side);
        PyObject *columns = described(x->column + 1, seen[1], x->table.side);
        PyObject *counts = packed(x, seen, cells, allocate);
        if (rows && columns && counts) result = PyTuple_Pack(3, rows, columns, counts);
        Py_XDECREF(rows);
        Py_XDECREF(columns);
        Py_XDECREF(counts);
    } else {
        PyErr_NoMemory();
    }
    free(seen[0]);
    free(seen[1]);
    return result;
}

static PyObject *raised(int status) {
    if (status == NO_MEMORY) return PyErr_NoMemory();
    return NULL;
}

static int open_weights(Crossing *x, PyObject *weights) {
    if (weights == Py_None) return 0;
    if (PyObject_GetBuffer(weights, &x->weights, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) return -1;
    x->weighted = 1;
    if (x->weights.ndim == 1 && x->weights.itemsize == 8 && x->weights.shape[0] == x->column[0].length &&
        strchr("d", x->weights.format[0]) && x->weights.format[0])
        return 0;
    PyErr_SetString(PyExc_TypeError, "weights must be one float64 for each item");
    return -1;
}

static PyObject *cross(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *source[2], *weights, *allocate, *result = NULL;
    Crossing *x;
    int status = FAILED;
    if (!PyArg_ParseTuple(args, "OOOO:cross", &source[0], &source[1], &weights, &allocate)) return NULL;
    if (!(x = calloc(1, sizeof *x))) return PyErr_NoMemory();
    if (open_column(x->column, source[0]) == 0 && open_column(x->column + 1, source[1]) == 0 &&
        open_weights(x, weights) == 0) {
        if (x->column[0].length != x->column[1].length)
            PyErr_SetString(PyExc_ValueError, "both columns must have the same length");
        else
            do status = cross_once(x);
            while (status == RESTART);
        if (status == DONE)
            result = cross_result(x, allocate);
        else
            result = status == TOO_MANY ? Py_NewRef(Py_None) : raised(status);
    }
    close_column(x->column);
    close_column(x->column + 1);
    close_table(&x->table);
    if (x->weighted) PyBuffer_Release(&x->weights);
    free(x);
    return result;
}

/* many classes: the labels of one column, then the pairs */

typedef struct {
    Column column;
    uint32_t *codes; /* the code of each item goes here */
} Encoding;

static int encode_items(void *state, Py_ssize_t start, Py_ssize_t stop) {
    Encoding *e = state;
    for (; start < stop; start += BLOCK) {
        const Py_ssize_t count = stop - start < BLOCK ? stop - start : BLOCK;
        const int status = fill_block(&e->column, start, count, 0, UINT64_MAX, 2, e->codes + start);
        if (status != DONE) return status;
    }
    return DONE;
}

/* encode(column, codes): writes the code of each item into an int32 array; what the codes stand for. */
static PyObject *encode(PyObject *Py_UNUSED(module), PyObject *args) {
    Encoding e = {0};
    PyObject *source, *result = NULL;
    Py_buffer codes;
    if (!PyArg_ParseTuple(args, "Ow*:encode", &source, &codes)) return NULL;
    if (open_column(&e.column, source) == 0) {
        if (e.column.mode == RANGE) e.column.mode = KEYS;
        e.codes = codes.buf;
        if (codes.len != e.column.length * 4) {
            PyErr_SetString(PyExc_ValueError, "codes must hold 4 bytes for each item");
        } else {
            const int status = breathe(encode_items, &e, e.column.length, e.column.mode == OBJECTS);
            result = status == DONE ? described(&e.column, NULL, 0) : raised(status);
        }
    }
    PyBuffer_Release(&codes);
    close_column(&e.column);
    return result;
}

typedef struct {
    Column column[2];
    uint64_t m;
    int shift;
    int64_t *diagonal;
    uint64_t *keys, *spare; /* (true class << shift) + predicted class, of the items off the diagonal */
    uint64_t pending, capacity;
    uint64_t *run;          /* the different keys so far, sorted, and how often each occurred */
    int64_t *counts;
    uint64_t runs;
} Pairs;

static int digits(uint64_t largest) {
    int bits = 1;
    while (bits < 64 && largest >> bits) bits++;
    return bits;
}

#define FIRST_PAIRS ((uint64_t)1 << 20) /* sorted at a time: what fits into the caches is sorted much faster */
#define MOST_DIGIT 12 /* bits: as many buckets as the caches can hold open at once */

/* Sorts keys by their digits, the last first; the result may lie in `spare`. */
static uint64_t *radix_sort(uint64_t *keys, uint64_t *spare, uint64_t count, uint64_t largest) {
    const int bits = digits(largest), passes = (bits + MOST_DIGIT - 1) / MOST_DIGIT, digit = (bits + passes - 1) / passes;
    const uint64_t mask = ((uint64_t)1 << digit) - 1;
    uint64_t starts[(1 << MOST_DIGIT) + 1];
    for (int pass = 0; pass < passes; pass++) {
        const int shift = pass * digit;
        memset(starts, 0, sizeof starts);
        for (uint64_t k = 0; k < count; k++) starts[(keys[k] >> shift & mask) + 1]++;
        for (uint64_t k = 1; k <= mask; k++) starts[k] += starts[k - 1];
        for (uint64_t k = 0; k < count; k++) spare[starts[keys[k] >> shift & mask]++] = keys[k];
        uint64_t *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

/* Sorts what is pending and merges it into the run of different keys. */
static int merge(Pairs *p) {
    if (!p->pending) return DONE;
    const uint64_t *sorted = radix_sort(p->keys, p->spare, p->pending, ((p->m - 1) << p->shift) + p->m - 1);
    uint64_t different = 1, i = 0, k = 0, to = 0;
    for (uint64_t j = 1; j < p->pending; j++) different += sorted[j] != sorted[j - 1];
    uint64_t *run = room((p->runs + different) * sizeof *run);
    int64_t *counts = room((p->runs + different) * sizeof *counts);
    if (!run || !counts) {
        free(run);
        free(counts);
        return NO_MEMORY;
    }
    while (i < p->runs || k < p->pending) {
        const uint64_t key = k == p->pending || (i < p->runs && p->run[i] <= sorted[k]) ? p->run[i] : sorted[k];
        int64_t count = 0;
        if (i < p->runs && p->run[i] == key) count = p->counts[i++];
        for (; k < p->pending && sorted[k] == key; k++) count++;
        run[to] = key;
        counts[to++] = count;
    }
    free(p->run);
    free(p->counts);
    p->run = run;
    p->counts = counts;
    p->runs = to;
    p->pending = 0;
    return DONE;
}

/* Room for one more block: sort and merge, and let the room grow with the run, so that merging stays cheap. */
static int make_space(Pairs *p) {
    if (p->capacity - p->pending >= BLOCK) return DONE;
    const int status = merge(p);
    if (status != DONE || (p->capacity >= p->runs && p->capacity)) return status;
    const uint64_t capacity = p->runs > FIRST_PAIRS ? p->runs : FIRST_PAIRS;
    free(p->keys);
    free(p->spare);
    p->keys = room(capacity * sizeof *p->keys);
    p->spare = room(capacity * sizeof *p->spare);
    p->capacity = capacity;
    return p->keys && p->spare ? DONE : NO_MEMORY;
}

static uint64_t take_pairs(const Pairs *p, uint32_t codes[2][BLOCK], Py_ssize_t count, Ahead ahead) {
    uint64_t *restrict keys = p->keys, pending = p->pending;
    int64_t *restrict diagonal = p->diagonal;
    for (Py_ssize_t k = 0; k < count; k++) {
        const uint64_t t = codes[0][k], q = codes[1][k];
        if (k % 8 == 0) {
            PREFETCH(ahead.start[0]);
            PREFETCH(ahead.start[1]);
            ahead.start[0] += ahead.step[0];
            ahead.start[1] += ahead.step[1];
        }
        diagonal[t] += t == q;
        keys[pending] = (t << p->shift) + q; /* overwritten by the next item if this one is a hit */
        pending += t != q;
    }
    return pending;
}

static int pair_items(void *state, Py_ssize_t start, Py_ssize_t stop) {
    Pairs *p = state;
    uint32_t codes[2][BLOCK];
    while (start < stop) {
        const Py_ssize_t count = stop - start < BLOCK ? stop - start : BLOCK;
        int status = make_space(p);
        for (int k = 0; k < 2 && status == DONE; k++) {
            Column *c = p->column + k;
            status = fill_block(c, start, count, 0, c->side, 2, codes[k]);
        }
        if (status != DONE) return status;
        p->pending = take_pairs(p, codes, count, next_block(p->column, start + count));
        start += count;
    }
    return DONE;
}

/* Codes are distances from `low`, and below the power of two that covers `size` of them. */
static int open_codes(Column *c, PyObject *source, PyObject *low, uint64_t size) {
    if (open_column(c, source) < 0) return -1;
    if (c->mode != RANGE) {
        PyErr_SetString(PyExc_TypeError, "codes must be numbers");
        return -1;
    }
    if (c->type->is_signed)
        c->low = (uint64_t)PyLong_AsLongLong(low) ^ SIGN;
    else
        c->low = PyLong_AsUnsignedLongLong(low);
    c->side = power_above(size);
    return PyErr_Occurred() ? -1 : 0;
}

/* window(true, pred, most): (low, size) of a range that probably holds the labels of both columns, which are of one
   type; None where more than `most` labels would be in it or one is not whole. */
static PyObject *window(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *source[2], *result = NULL;
    Column c[2] = {{0}, {0}};
    unsigned long long most;
    if (!PyArg_ParseTuple(args, "OOK:window", &source[0], &source[1], &most)) return NULL;
    if (open_column(c, source[0]) == 0 && open_column(c + 1, source[1]) == 0) {
        if (c[0].mode != RANGE || c[0].type != c[1].type) {
            PyErr_SetString(PyExc_TypeError, "only numbers of one type have a window");
        } else {
            int found = 1;
            for (int k = 0; k < 2; k++) {
                c[k].most = most;
                found = found && guess_range(c + k, 1) == DONE;
            }
            uint64_t low = c[0].low < c[1].low ? c[0].low : c[1].low, top = greatest_of(c[0].type);
            for (int k = 0; k < 2; k++)
                c[k].low = top - c[k].low < c[k].side - 1 ? top : c[k].low + c[k].side - 1; /* the upper end */
            const uint64_t high = c[0].low > c[1].low ? c[0].low : c[1].low;
            if (found && widen(c, low, high, 0) == DONE)
                result = c[0].type->is_signed
                             ? Py_BuildValue("(LK)", (long long)(int64_t)(c->low ^ SIGN), (unsigned long long)c->side)
                             : Py_BuildValue("(KK)", (unsigned long long)c->low, (unsigned long long)c->side);
            else
                result = Py_NewRef(Py_None);
        }
    }
    close_column(c);
    close_column(c + 1);
    return result;
}

/* (numbers[k] >> shift) & mask, in an array that `allocate` makes, as it has large pages where NumPy gives them. */
static PyObject *copied(PyObject *allocate, const void *numbers, uint64_t count, int shift, uint64_t mask) {
    Py_buffer view;
    PyObject *result = PyObject_CallFunction(allocate, "Ki", (unsigned long long)count, 0);
    if (!result) return NULL;
    if (PyObject_GetBuffer(result, &view, PyBUF_WRITABLE) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    const uint64_t *from = numbers;
    uint64_t *to = view.buf;
    if ((uint64_t)view.len != count * 8)
        PyErr_SetString(PyExc_ValueError, "allocate must give 8 bytes for each number");
    else
        for (uint64_t k = 0; k < count; k++) to[k] = from[k] >> shift & mask;
    PyBuffer_Release(&view);
    if (PyErr_Occurred()) Py_CLEAR(result);
    return result;
}

/* The rows, columns and counts of the cells off the diagonal, in order. */
static PyObject *cells_result(Pairs *p, PyObject *allocate) {
    const uint64_t column = ((uint64_t)1 << p->shift) - 1;
    PyObject *part[3] = {0}, *result = NULL;
    if (merge(p) != DONE) return PyErr_NoMemory();
    free(p->keys);
    free(p->spare);
    p->keys = p->spare = NULL; /* before the result takes its room */
    part[0] = copied(allocate, p->run, p->runs, p->shift, UINT64_MAX);
    if (part[0]) part[1] = copied(allocate, p->run, p->runs, 0, column);
    if (part[1]) part[2] = copied(allocate, p->counts, p->runs, 0, UINT64_MAX);
    if (part[2]) result = PyTuple_Pack(3, part[0], part[1], part[2]);
    for (int k = 0; k < 3; k++) Py_XDECREF(part[k]);
    return result;
}

static PyObject *pairs_result(Pairs *p, PyObject *allocate) {
    PyObject *cells = cells_result(p, allocate), *result = NULL;
    PyObject *diagonal = cells ? copied(allocate, p->diagonal, p->m, 0, UINT64_MAX) : NULL;
    if (diagonal)
        result = PyTuple_Pack(4, diagonal, PyTuple_GetItem(cells, 0), PyTuple_GetItem(cells, 1), PyTuple_GetItem(cells, 2));
    Py_XDECREF(diagonal);
    Py_XDECREF(cells);
    return result;
}

/* pairs(true, pred, low, size, allocate): the diagonal, and the rows, columns and counts of the other cells that are
   not empty, in order. Rows and columns are labels − low; None if one is not below `size`, a power of two. */
static PyObject *pairs(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *source[2], *low, *allocate, *result = NULL;
    unsigned long long size;
    Pairs p = {0};
    if (!PyArg_ParseTuple(args, "OOOKO:pairs", &source[0], &source[1], &low, &size, &allocate)) return NULL;
    if (size > (uint64_t)1 << 31 || power_above(size) != size)
        return PyErr_Format(PyExc_ValueError, "size is %llu: expected a power of two from 16 to 2**31", size);
    p.m = size;
    p.shift = digits(size - 1);
    if (open_codes(p.column, source[0], low, size) == 0 && open_codes(p.column + 1, source[1], low, size) == 0) {
        if (p.column[0].length != p.column[1].length) {
            PyErr_SetString(PyExc_ValueError, "both columns must have the same length");
        } else {
            int status = (p.diagonal = zeros(size * sizeof *p.diagonal)) ? DONE : NO_MEMORY;
            if (status == DONE) status = breathe(pair_items, &p, p.column[0].length, 0);
            if (status == OUTSIDE)
                result = Py_NewRef(Py_None);
            else
                result = status == DONE ? pairs_result(&p, allocate) : raised(status);
        }
    }
    close_column(p.column);
    close_column(p.column + 1);
    free(p.diagonal);
    free(p.keys);
    free(p.spare);
    free(p.run);
    free(p.counts);
    return result;
}

/* Class sizes now, cells when they are asked for: many measures need no cell off the diagonal, and sorting is slow. */
typedef struct {
    Column column[2];
    int shift;
    int64_t *true_sizes; /* how many items have each class, and how many of them are hits, side by side */
    int64_t *predicted;
    uint64_t *keys;      /* (true class << shift) + predicted class, of the items off the diagonal */
    uint64_t pending;
} Sizes;

static uint64_t take_sizes(const Sizes *z, uint32_t codes[2][BLOCK], Py_ssize_t count, Ahead ahead) {
    uint64_t *restrict keys = z->keys, pending = z->pending;
    int64_t *restrict sizes = z->true_sizes, *restrict predicted = z->predicted;
    for (Py_ssize_t k = 0; k < count; k++) {
        const uint64_t t = codes[0][k], q = codes[1][k];
        if (k % 8 == 0) {
            PREFETCH(ahead.start[0]);
            PREFETCH(ahead.start[1]);
            ahead.start[0] += ahead.step[0];
            ahead.start[1] += ahead.step[1];
        }
        sizes[2 * t]++;
        sizes[2 * t + 1] += t == q;
        predicted[q]++;
        if (t != q) keys[pending++] = (t << z->shift) + q; /* no page is touched that is not needed */
    }
    return pending;
}

static int size_items(void *state, Py_ssize_t start, Py_ssize_t stop) {
    Sizes *z = state;
    uint32_t codes[2][BLOCK];
    while (start < stop) {
        const Py_ssize_t count = stop - start < BLOCK ? stop - start : BLOCK;
        int status = DONE;
        for (int k = 0; k < 2 && status == DONE; k++) {
            Column *c = z->column + k;
            status = fill_block(c, start, count, 0, c->side, 2, codes[k]);
        }
        if (status != DONE) return status;
        z->pending = take_sizes(z, codes, count, next_block(z->column, start + count));
        start += count;
    }
    return DONE;
}

/* sizes(true, pred, low, size, true_sizes, predicted, keys): fills `true_sizes` (size and hits of each true class, side
   by side) and `predicted`, both zeros before, and `keys` with the pairs off the diagonal in the order of the items;
   how many those are. None if a label − low is not below `size`, a power of two. */
static PyObject *sizes(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *source[2], *low, *result = NULL;
    Py_buffer out[3];
    unsigned long long size;
    Sizes z = {0};
    if (!PyArg_ParseTuple(args, "OOOKw*w*w*:sizes", &source[0], &source[1], &low, &size, &out[0], &out[1], &out[2]))
        return NULL;
    z.shift = digits(size - 1);
    z.true_sizes = out[0].buf;
    z.predicted = out[1].buf;
    z.keys = out[2].buf;
    if (size > (uint64_t)1 << 31 || power_above(size) != size) {
        PyErr_Format(PyExc_ValueError, "size is %llu: expected a power of two from 16 to 2**31", size);
    } else if (open_codes(z.column, source[0], low, size) == 0 && open_codes(z.column + 1, source[1], low, size) == 0) {
        const uint64_t length = (uint64_t)z.column[0].length;
        if (z.column[0].length != z.column[1].length) {
            PyErr_SetString(PyExc_ValueError, "both columns must have the same length");
        } else if ((uint64_t)out[0].len != size * 16 || (uint64_t)out[1].len != size * 8 || (uint64_t)out[2].len < length * 8) {
            PyErr_SetString(PyExc_ValueError, "there must be 16 and 8 bytes for each class and 8 for each item");
        } else {
            const int status = breathe(size_items, &z, z.column[0].length, 0);
            if (status == OUTSIDE)
                result = Py_NewRef(Py_None);
            else
                result = status == DONE ? PyLong_FromUnsignedLongLong(z.pending) : raised(status);
        }
    }
    for (int k = 0; k < 3; k++) PyBuffer_Release(&out[k]);
    close_column(z.column);
    close_column(z.column + 1);
    return result;
}

typedef struct {
    Pairs pairs;
    const uint64_t *from;
} Sorting;

static int sort_keys(void *state, Py_ssize_t start, Py_ssize_t stop) {
    Sorting *s = state;
    for (; start < stop; start += BLOCK) {
        const Py_ssize_t count = stop - start < BLOCK ? stop - start : BLOCK;
        const int status = make_space(&s->pairs);
        if (status != DONE) return status;
        memcpy(s->pairs.keys + s->pairs.pending, s->from + start, (size_t)count * sizeof *s->from);
        s->pairs.pending += (uint64_t)count;
    }
    return DONE;
}

/* cells(keys, size, allocate): the rows, columns and counts of the cells that `sizes` wrote down item by item. */
static PyObject *cells(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *allocate, *result = NULL;
    Py_buffer keys;
    unsigned long long size;
    Sorting s = {0};
    if (!PyArg_ParseTuple(args, "y*KO:cells", &keys, &size, &allocate)) return NULL;
    s.from = keys.buf;
    if (size > (uint64_t)1 << 31 || power_above(size) != size) {
        PyErr_Format(PyExc_ValueError, "size is %llu: expected a power of two from 16 to 2**31", size);
    } else {
        s.pairs.m = size;
        s.pairs.shift = digits(size - 1);
        const int status = breathe(sort_keys, &s, keys.len / 8, 0);
        result = status == DONE ? cells_result(&s.pairs, allocate) : raised(status);
    }
    PyBuffer_Release(&keys);
    free(s.pairs.keys);
    free(s.pairs.spare);
    free(s.pairs.run);
    free(s.pairs.counts);
    return result;
}

/* scores */

enum { SCORE_BITS = 11, SCORE_BUCKETS = 1 << SCORE_BITS, SCORE_DIGITS = (64 + SCORE_BITS - 1) / SCORE_BITS };

/* Sorts integers by their digits, from the last to the first, each time from one array into the other (LSD radix sort).
   All digits are counted in one pass, and a digit that is the same for all integers is left out. Flipping the sign bit
   puts negative integers before the others. Returns the array that holds the result. */
#define RADIX_SORT(NAME, TYPE, BITS)                                                                                   \
    static TYPE *NAME(TYPE *from, TYPE *to, Py_ssize_t size, Py_ssize_t (*counts)[SCORE_BUCKETS]) {                    \
        const TYPE sign = (TYPE)1 << (BITS - 1);                                                                       \
        const int digits = (BITS + SCORE_BITS - 1) / SCORE_BITS;                                                       \
        memset(counts, 0, sizeof *counts * (size_t)digits);                                                            \
        for (Py_ssize_t k = 0; k < size; k++) {                                                                        \
            const TYPE key = from[k] ^ sign;                                                                           \
            for (int d = 0; d < digits; d++) counts[d][(key >> (d * SCORE_BITS)) & (SCORE_BUCKETS - 1)]++;             \
        }                                                                                                              \
        for (int d = 0; d < digits; d++) {                                                                             \
            const int shift = d * SCORE_BITS;                                                                          \
            Py_ssize_t *place = counts[d], before = 0;                                                                 \
            if (size && place[((from[0] ^ sign) >> shift) & (SCORE_BUCKETS - 1)] == size) continue;                    \
            for (int b = 0; b < SCORE_BUCKETS; b++) {                                                                  \
                const Py_ssize_t here = place[b];                                                                      \
                place[b] = before;                                                                                     \
                before += here;                                                                                        \
            }                                                                                                          \
            for (Py_ssize_t k = 0; k < size; k++)                                                                      \
                to[place[((from[k] ^ sign) >> shift) & (SCORE_BUCKETS - 1)]++] = from[k];                              \
            TYPE *turned = from;                                                                                       \
            from = to;                                                                                                 \
            to = turned;                                                                                               \
        }                                                                                                              \
        return from;                                                                                                   \
    }

RADIX_SORT(sort_wide, uint64_t, 64)
RADIX_SORT(sort_narrow, uint32_t, 32)

/* sort(keys, spare, width): sorts signed integers of 4 or 8 bytes; true if the result is in `spare`, not in `keys`. */
static PyObject *sort(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer keys, spare;
    int width;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "w*w*i:sort", &keys, &spare, &width)) return NULL;
    Py_ssize_t(*counts)[SCORE_BUCKETS] = malloc(sizeof *counts * SCORE_DIGITS);
    if ((width != 4 && width != 8) || keys.len != spare.len || keys.len % width) {
        PyErr_SetString(PyExc_ValueError, "expected two buffers of equally many integers of 4 or 8 bytes");
    } else if (!counts) {
        PyErr_NoMemory();
    } else {
        const void *found;
        PyThreadState *thread = PyEval_SaveThread();
        if (width == 8) found = sort_wide(keys.buf, spare.buf, keys.len / 8, counts);
        else found = sort_narrow(keys.buf, spare.buf, keys.len / 4, counts);
        PyEval_RestoreThread(thread);
        result = PyBool_FromLong(found != keys.buf);
    }
    free(counts);
    PyBuffer_Release(&keys);
    PyBuffer_Release(&spare);
    return result;
}

/* deals */

/* deal(owners, cells, width, drawn, counts): puts each item in one of the places that are free, which a number from 0 to 1
   chooses, and counts by deal what cells the owners of the places get. The place of the k-th item is then taken by
   the one that was in place k, so that the free ones stay together. */
static PyObject *deal(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer owners, cells, drawn, counts;
    PyObject *result = NULL;
    unsigned int width; /* the number of owners */
    if (!PyArg_ParseTuple(args, "y*y*Iy*w*:deal", &owners, &cells, &width, &drawn, &counts)) return NULL;
    const Py_ssize_t places = owners.len / 4, items = cells.len / 4;
    const Py_ssize_t deals = items ? drawn.len / 8 / items : 0, room_of_each = deals ? counts.len / 4 / deals : 0;
    const uint32_t *owner = owners.buf, *cell = cells.buf;
    uint32_t *now = malloc(places ? (size_t)owners.len : 1), sides[2] = {0, 0};
    for (Py_ssize_t k = 0; k < places; k++)
        if (owner[k] >= sides[0]) sides[0] = owner[k] + 1;
    for (Py_ssize_t k = 0; k < items; k++)
        if (cell[k] >= sides[1]) sides[1] = cell[k] + 1;
    if (!now) {
        PyErr_NoMemory();
    } else if (items > places || sides[0] > width || (deals && ((uint64_t)width * sides[1] > (uint64_t)room_of_each ||
               drawn.len != deals * items * 8 || counts.len != deals * room_of_each * 4))) {
        PyErr_SetString(PyExc_ValueError, "expected a place for each item, and numbers and counts for each deal");
    } else {
        PyThreadState *thread = PyEval_SaveThread();
        for (Py_ssize_t d = 0; d < deals; d++) {
            const double *number = (const double *)drawn.buf + d * items;
            uint32_t *count = (uint32_t *)counts.buf + d * room_of_each;
            memcpy(now, owner, (size_t)owners.len);
            for (Py_ssize_t k = 0; k < items; k++) {
                const double step = number[k] * (double)(places - k);
                Py_ssize_t place = k + (step > 0 ? (Py_ssize_t)step : 0);
                if (place >= places) place = places - 1;
                count[cell[k] * (uint64_t)width + now[place]]++;
                now[place] = now[k];
            }
        }
        PyEval_RestoreThread(thread);
        result = Py_None;
        Py_INCREF(result);
    }
    free(now);
    PyBuffer_Release(&owners);
    PyBuffer_Release(&cells);
    PyBuffer_Release(&drawn);
    PyBuffer_Release(&counts);
    return result;
}

/* the floor */

/* Reads both columns and does nothing else: what counting cannot be faster than. */
static PyObject *read_only(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer view[2];
    uint64_t any = 0;
    if (!PyArg_ParseTuple(args, "y*y*:_read_only", &view[0], &view[1])) return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    const char *x = view[0].buf, *y = view[1].buf;
    const Py_ssize_t size = view[0].len < view[1].len ? view[0].len : view[1].len;
    for (Py_ssize_t k = 0; k + 64 <= size; k += 64)
        for (Py_ssize_t word = k; word < k + 64; word += 8) {
            uint64_t u, v;
            memcpy(&u, x + word, 8);
            memcpy(&v, y + word, 8);
            any |= u | v;
        }
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&view[0]);
    PyBuffer_Release(&view[1]);
    return PyLong_FromUnsignedLongLong(any);
}

static PyMethodDef methods[] = {
    {"cross", cross, METH_VARARGS, "cross(true, pred, weights, allocate): the codes of both columns and the table of their pairs"},
    {"window", window, METH_VARARGS, "window(true, pred, most): a range that probably holds all labels, or None"},
    {"encode", encode, METH_VARARGS, "encode(column, codes): the code of each item, and what the codes stand for"},
    {"pairs", pairs, METH_VARARGS,
     "pairs(true, pred, low, size, allocate): the diagonal and the other cells that are not empty"},
    {"sizes", sizes, METH_VARARGS,
     "sizes(true, pred, low, size, true_sizes, predicted, keys): class sizes, hits, and the pairs off the diagonal"},
    {"cells", cells, METH_VARARGS, "cells(keys, size, allocate): the cells that sizes() wrote down item by item"},
    {"sort", sort, METH_VARARGS, "sort(keys, spare, width): sort signed integers; whether the result is in spare"},
    {"deal", deal, METH_VARARGS, "deal(owners, cells, width, drawn, counts): put items in random places, and count by owner"},
    {"_read_only", read_only, METH_VARARGS, "_read_only(x, y): read two contiguous buffers, for benchmarks"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "Counting pairs of labels at the speed of memory.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModule_Create(&definition); }
