/* Plain delimited text to codes: the columns of labels of a file without quotes, block by block.

   Most files of predictions are plain: no quotes, no empty lines, as many fields in every line as in the header. Their
   fields are cut where the delimiters are and looked up in a dictionary of the column. Whatever is not plain is left
   to an engine that knows all the rules: then `scan` answers None, and nothing that was read counts. */

#ifndef NOT_STABLE /* free-threaded builds have no stable interface */
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define SLACK 16                    /* bytes that may be read beyond the text */
#define NAME "goodmeasure scanner"
#define FIRST 64                    /* places of a dictionary at the start */
#define CHUNK ((Py_ssize_t)1 << 15) /* bytes looked through for what is not plain, while they are in the cache */

#if (defined(__GNUC__) || defined(__clang__)) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE 1 /* several bytes can be looked at in one word */
#else
#define LITTLE 0
#endif

enum { DONE = 0, NOT_PLAIN = 1, NO_MEMORY = 2 };
enum { LF, CRLF };

typedef struct {
    uint64_t word; /* the first eight bytes */
    uint64_t start; /* where the label is kept */
    uint32_t size;
    uint32_t code; /* of the label, plus one; 0: the place is free */
} Entry;

typedef struct {
    Entry *entries;
    uint64_t places, used, most;
    char *kept; /* all labels, one after another, in the order of their codes */
    uint64_t kept_size, kept_room;
} Dictionary;

typedef struct {
    Py_ssize_t columns, wanted;
    Py_ssize_t *output; /* for each column its number among the wanted ones, or −1 */
    Dictionary *dictionaries;
    char delimiter;
    int style; /* how lines end */
} Scanner;

static void close_scanner(Scanner *s) {
    for (Py_ssize_t k = 0; s->dictionaries && k < s->wanted; k++) {
        free(s->dictionaries[k].entries);
        free(s->dictionaries[k].kept);
    }
    free(s->dictionaries);
    free(s->output);
    free(s);
}

static void forget(PyObject *capsule) { close_scanner(PyCapsule_GetPointer(capsule, NAME)); }

/* labels */

static uint64_t hash_of(const char *text, Py_ssize_t size, uint64_t word) {
    uint64_t hash = (word ^ ((uint64_t)size << 56)) * 0x9E3779B97F4A7C15u;
    for (Py_ssize_t k = 8; k < size; k += 8) {
        uint64_t next = 0;
        memcpy(&next, text + k, (size_t)(size - k < 8 ? size - k : 8));
        hash = ((hash ^ (hash >> 29)) + next) * 0xBF58476D1CE4E5B9u;
    }
    return hash ^ (hash >> 32);
}

/* The first eight bytes of a label, zeros behind it; eight bytes are there to be read. */
static uint64_t first_word(const char *text, Py_ssize_t size) {
    uint64_t word = 0;
#if LITTLE
    memcpy(&word, text, 8);
    return size < 8 ? word & (((uint64_t)1 << (8 * size)) - 1) : word;
#else
    memcpy(&word, text, (size_t)(size < 8 ? size : 8));
    return word;
#endif
}

static int grow(Dictionary *d) {
    const uint64_t places = d->places ? 2 * d->places : FIRST;
    Entry *entries = calloc(places, sizeof *entries);
    if (!entries) return NO_MEMORY;
    for (uint64_t k = 0; k < d->places; k++) {
        const Entry *e = &d->entries[k];
        if (!e->code) continue;
        uint64_t at = hash_of(d->kept + e->start, e->size, e->word) & (places - 1);
        while (entries[at].code) at = (at + 1) & (places - 1);
        entries[at] = *e;
    }
    free(d->entries);
    d->entries = entries;
    d->places = places;
    return DONE;
}

static int keep(Dictionary *d, const char *text, Py_ssize_t size) {
    if (d->kept_size + (uint64_t)size > d->kept_room) {
        const uint64_t needed = 2 * (d->kept_size + (uint64_t)size) + 1024;
        char *moved = realloc(d->kept, needed);
        if (!moved) return NO_MEMORY;
        d->kept = moved;
        d->kept_room = needed;
    }
    memcpy(d->kept + d->kept_size, text, (size_t)size);
    d->kept_size += (uint64_t)size;
    return DONE;
}

static int add(Dictionary *d, const char *text, Py_ssize_t size, uint64_t word, int32_t *code) {
    if (d->used >= d->most || size > INT32_MAX) return NOT_PLAIN;
    if (2 * (d->used + 1) > d->places && grow(d)) return NO_MEMORY;
    const uint64_t start = d->kept_size;
    if (keep(d, text, size)) return NO_MEMORY;
    uint64_t at = hash_of(text, size, word) & (d->places - 1);
    while (d->entries[at].code) at = (at + 1) & (d->places - 1);
    d->entries[at] = (Entry){word, start, (uint32_t)size, (uint32_t)++d->used};
    *code = (int32_t)(d->used - 1);
    return DONE;
}

static int code_of(Dictionary *d, const char *text, Py_ssize_t size, int32_t *code) {
    if (size == 0) { /* an empty field is a missing label */
        *code = -1;
        return DONE;
    }
    const uint64_t word = first_word(text, size);
    if (d->places) {
        uint64_t at = hash_of(text, size, word) & (d->places - 1);
        for (const Entry *e; (e = &d->entries[at])->code; at = (at + 1) & (d->places - 1))
            if (e->word == word && e->size == (uint64_t)size &&
                (size <= 8 || memcmp(d->kept + e->start + 8, text + 8, (size_t)size - 8) == 0)) {
                *code = (int32_t)(e->code - 1);
                return DONE;
            }
    }
    return add(d, text, size, word, code);
}

/* lines */

#if LITTLE && !defined(__SSE2__)
#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* The high bit of the lowest zero byte is right; bits above it may be wrong. */
static uint64_t zero_bytes(uint64_t word) { return (word - ONES) & ~word & HIGHS; }
#endif

/* Where the field ends: at a delimiter or the end of the line, which is there. */
static const char *field_end(const char *at, char delimiter) {
#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
    /* Sixteen bytes at a time: most fields end within, so the loop is seldom gone round and never guessed wrong. */
    const __m128i cut = _mm_set1_epi8(delimiter), line = _mm_set1_epi8('\n');
    for (;; at += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        const int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, cut), _mm_cmpeq_epi8(bytes, line)));
        if (found) return at + __builtin_ctz((unsigned)found);
    }
#elif LITTLE
    const uint64_t cut = ONES * (unsigned char)delimiter, line = ONES * (unsigned char)'\n';
    for (;; at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        const uint64_t found = zero_bytes(word ^ cut) | zero_bytes(word ^ line);
        if (found) return at + (__builtin_ctzll(found) >> 3);
    }
#else
    while (*at != delimiter && *at != '\n') at++;
    return at;
#endif
}

/* How many carriage returns a piece holds; −1 where it is not plain. */
static Py_ssize_t returns_in(const char *text, Py_ssize_t size) {
    if (memchr(text, '"', (size_t)size) || memchr(text, 0, (size_t)size)) return -1;
    Py_ssize_t found = 0;
    for (Py_ssize_t k = 0; k < size; k++) found += text[k] == '\r';
    return found;
}

typedef struct {
    const char *text;
    Py_ssize_t size, capacity, rows, consumed;
    int32_t *codes; /* wanted × capacity */
} Block;

/* One line; its end is known to be there. */
static int take_line(Scanner *s, Block *b, const char **at, Py_ssize_t *stripped) {
    const char *start = *at;
    for (Py_ssize_t column = 0; column < s->columns; column++) {
        const char *end = field_end(start, s->delimiter);
        Py_ssize_t size = end - start;
        const int last = column == s->columns - 1;
        if ((*end == '\n') != last) return NOT_PLAIN;
        if (last && size && end[-1] == '\r') {
            size--;
            ++*stripped;
        }
        const Py_ssize_t output = s->output[column];
        if (output >= 0) {
            const int status = code_of(&s->dictionaries[output], start, size, &b->codes[output * b->capacity + b->rows]);
            if (status) return status;
        }
        start = end + 1;
    }
    b->rows++;
    *at = start;
    return DONE;
}

static int take_block(Scanner *s, Block *b) {
    const char *at = b->text, *limit = b->text + b->size;
    while (limit > at && limit[-1] != '\n') limit--; /* the rest belongs to a line that goes on */
    Py_ssize_t returns = 0, stripped = 0;
    const char *looked = at;
    while (at < limit && b->rows < b->capacity) {
        if (at >= looked) {
            const Py_ssize_t size = limit - looked < CHUNK ? limit - looked : CHUNK;
            const Py_ssize_t found = returns_in(looked, size);
            if (found < 0) return NOT_PLAIN;
            returns += found;
            looked += size;
            continue;
        }
        const int status = take_line(s, b, &at, &stripped);
        if (status) return status;
    }
    if (looked < at) { /* the last line goes beyond what was looked through */
        const Py_ssize_t found = returns_in(looked, at - looked);
        if (found < 0) return NOT_PLAIN;
        returns += found;
    }
    b->consumed = at - b->text;
    for (const char *k = at; k < looked; k++) returns -= *k == '\r'; /* of lines that were not taken */
    /* a carriage return stands at the end of every line, or nowhere */
    if (returns != stripped || stripped != (s->style == CRLF ? b->rows : 0)) return NOT_PLAIN;
    return DONE;
}

/* what Python calls */

static PyObject *open_scanner(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_ssize_t columns;
    int delimiter, returns;
    unsigned long long most;
    PyObject *wanted;
    if (!PyArg_ParseTuple(args, "nOipK:open", &columns, &wanted, &delimiter, &returns, &most)) return NULL;
    const Py_ssize_t count = PyList_Size(wanted);
    if (count < 0) return NULL;
    if (columns < 2 || delimiter <= 0 || delimiter > 127 || most > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "expected two or more columns, an ASCII delimiter and fewer than 2**31 labels");
        return NULL;
    }
    Scanner *s = calloc(1, sizeof *s);
    if (!s) return PyErr_NoMemory();
    s->columns = columns;
    s->wanted = count;
    s->delimiter = (char)delimiter;
    s->style = returns ? CRLF : LF;
    s->output = malloc((size_t)columns * sizeof *s->output);
    s->dictionaries = calloc((size_t)count + 1, sizeof *s->dictionaries);
    if (!s->output || !s->dictionaries) {
        close_scanner(s);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t k = 0; k < columns; k++) s->output[k] = -1;
    for (Py_ssize_t k = 0; k < count; k++) {
        const Py_ssize_t column = PyLong_AsSsize_t(PyList_GetItem(wanted, k));
        if (column < 0 || column >= columns || s->output[column] >= 0) {
            close_scanner(s);
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected each wanted column once, by its number");
            return NULL;
        }
        s->output[column] = k;
        s->dictionaries[k].most = most;
    }
    PyObject *capsule = PyCapsule_New(s, NAME, forget);
    if (!capsule) close_scanner(s);
    return capsule;
}

static PyObject *scan(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *capsule;
    Py_buffer text, codes;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "Oy*nw*:scan", &capsule, &text, &size, &codes)) return NULL;
    Scanner *s = PyCapsule_GetPointer(capsule, NAME);
    int status = NO_MEMORY;
    Block b = {0};
    if (s && (size < 0 || size + SLACK > text.len || s->wanted == 0)) {
        PyErr_SetString(PyExc_ValueError, "expected a text with room behind it, and a column at least");
        s = NULL;
    }
    if (s) {
        b.text = text.buf;
        b.size = size;
        b.codes = codes.buf;
        b.capacity = codes.len / (Py_ssize_t)sizeof(int32_t) / s->wanted;
        PyThreadState *thread = PyEval_SaveThread();
        status = take_block(s, &b);
        PyEval_RestoreThread(thread);
    }
    PyBuffer_Release(&text);
    PyBuffer_Release(&codes);
    if (!s) return NULL;
    if (status == NO_MEMORY) return PyErr_NoMemory();
    if (status == NOT_PLAIN) Py_RETURN_NONE;
    return Py_BuildValue("nn", b.rows, b.consumed);
}

static PyObject *labels(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *capsule;
    Py_ssize_t which;
    if (!PyArg_ParseTuple(args, "On:labels", &capsule, &which)) return NULL;
    const Scanner *s = PyCapsule_GetPointer(capsule, NAME);
    if (!s) return NULL;
    if (which < 0 || which >= s->wanted) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return NULL;
    }
    const Dictionary *d = &s->dictionaries[which];
    PyObject *found = PyList_New((Py_ssize_t)d->used);
    for (uint64_t k = 0; found && k < d->places; k++) {
        const Entry *e = &d->entries[k];
        if (!e->code) continue;
        PyObject *label = PyBytes_FromStringAndSize(d->kept + e->start, (Py_ssize_t)e->size);
        if (!label || PyList_SetItem(found, (Py_ssize_t)e->code - 1, label) < 0) Py_CLEAR(found);
    }
    return found;
}

static PyMethodDef methods[] = {
    {"open", open_scanner, METH_VARARGS, "open(columns, wanted, delimiter, returns, most): a scanner with a dictionary per column"},
    {"scan", scan, METH_VARARGS,
     "scan(scanner, text, size, codes): (rows, bytes used), with codes written; None where the text is not plain"},
    {"labels", labels, METH_VARARGS, "labels(scanner, k): the labels of the k-th wanted column, by code"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_scanner", "Plain delimited text to codes.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__scanner(void) { return PyModule_Create(&definition); }
