/* Plain delimited text to codes: the columns of labels of a file without quotes, block by block.

   Most files of predictions are plain: no quotes, no empty lines, as many fields in every line as in the header. Their
   fields are cut where the delimiters are and looked up in a dictionary of the column. Whatever is not plain is left
   to an engine that knows all the rules: then `scan` answers None, and nothing that was read counts.

   What an engine will read is looked through by `records` and `objects`, which count the records of a table and of a
   JSON file: an engine may not find fewer. */

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
#define FARTHEST 256                /* places that a label may be away from where its hash puts it */
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

static uint64_t seeds[2]; /* drawn when the module is loaded, so that nobody can write labels that all meet at one place */

static uint64_t hash_of(const char *text, Py_ssize_t size, uint64_t word) {
    uint64_t hash = (word ^ seeds[0] ^ ((uint64_t)size << 56)) * 0x9E3779B97F4A7C15u;
    for (Py_ssize_t k = 8; k < size; k += 8) {
        uint64_t next = 0;
        memcpy(&next, text + k, (size_t)(size - k < 8 ? size - k : 8));
        hash = ((hash ^ (hash >> 29)) + next) * 0xBF58476D1CE4E5B9u;
    }
    hash = (hash ^ (hash >> 32) ^ seeds[1]) * 0x94D049BB133111EBu;
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

/* The free place for a label, or NULL where all places near that of its hash are taken: half of all places are free, so
   that this is no accident, and looking labels up would take ever longer. */
static Entry *free_place(Entry *entries, uint64_t places, uint64_t hash) {
    for (uint64_t k = 0; k < FARTHEST; k++) {
        Entry *e = &entries[(hash + k) & (places - 1)];
        if (!e->code) return e;
    }
    return NULL;
}

static int grow(Dictionary *d) {
    const uint64_t places = d->places ? 2 * d->places : FIRST;
    Entry *entries = calloc(places, sizeof *entries);
    if (!entries) return NO_MEMORY;
    for (uint64_t k = 0; k < d->places; k++) {
        const Entry *e = &d->entries[k];
        if (!e->code) continue;
        Entry *place = free_place(entries, places, hash_of(d->kept + e->start, e->size, e->word));
        if (!place) {
            free(entries);
            return NOT_PLAIN;
        }
        *place = *e;
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
    if (2 * (d->used + 1) > d->places) {
        const int status = grow(d);
        if (status) return status;
    }
    Entry *place = free_place(d->entries, d->places, hash_of(text, size, word));
    if (!place) return NOT_PLAIN;
    const uint64_t start = d->kept_size;
    if (keep(d, text, size)) return NO_MEMORY;
    *place = (Entry){word, start, (uint32_t)size, (uint32_t)++d->used};
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
        const uint64_t hash = hash_of(text, size, word);
        for (uint64_t k = 0; k < FARTHEST; k++) {
            const Entry *e = &d->entries[(hash + k) & (d->places - 1)];
            if (!e->code) break;
            if (e->word == word && e->size == (uint64_t)size &&
                (size <= 8 || memcmp(d->kept + e->start + 8, text + 8, (size_t)size - 8) == 0)) {
                *code = (int32_t)(e->code - 1);
                return DONE;
            }
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

/* records */

/* The place of the first byte that is one of four, from `at` on; `limit` where there is none before it. */
static const char *first_of(const char *at, const char *limit, char a, char b, char c, char d) {
#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
    const __m128i w = _mm_set1_epi8(a), x = _mm_set1_epi8(b), y = _mm_set1_epi8(c), z = _mm_set1_epi8(d);
    for (; at < limit; at += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        const __m128i one = _mm_or_si128(_mm_cmpeq_epi8(bytes, w), _mm_cmpeq_epi8(bytes, x));
        const __m128i two = _mm_or_si128(_mm_cmpeq_epi8(bytes, y), _mm_cmpeq_epi8(bytes, z));
        const int found = _mm_movemask_epi8(_mm_or_si128(one, two));
        if (found) {
            at += __builtin_ctz((unsigned)found);
            return at < limit ? at : limit;
        }
    }
    return limit;
#else
    while (at < limit && *at != a && *at != b && *at != c && *at != d) at++;
    return at;
#endif
}

enum { START, PLAIN, QUOTED, CLOSED, RETURNED }; /* where in a field the text goes on */

typedef struct { /* what is known of a table of text up to a place in it; Python keeps it from block to block */
    int64_t columns, delimiter, longest;
    int64_t state, fields, style; /* fields before this one; how lines end: 0 where no line has ended */
    int64_t size;                 /* of the record up to this block */
    int64_t records;
} Records;

/* End a record whose last byte is before `at`; 0 where it is not as the others. */
static int end_record(Records *r, int64_t style, const char **begun, const char *at) {
    const int64_t size = r->size + (at - *begun);
    if (r->fields + 1 != r->columns || size > r->longest || (r->style && style && r->style != style)) return 0;
    if (style) r->style = style;
    r->records++;
    r->fields = r->size = 0;
    r->state = START;
    *begun = at;
    return 1;
}

/* Look through a block; `numbers` has a byte for each column that is not 0 where the column holds numbers, in which an
   underscore is looked for. 0 where something is not as every reader of tables understands it. */
static int take_records(Records *r, const char *at, Py_ssize_t size, const char *numbers) {
    const char *limit = at + size, *begun = at;
    const char cut = (char)r->delimiter;
    while (at < limit) {
        const char *here = at;
        switch (r->state) {
        case START:
            if (*at == '"') {
                r->state = QUOTED;
                at++;
                continue;
            }
            r->state = PLAIN;
            /* fall through */
        case PLAIN:
            at = first_of(at, limit, cut, '\n', '\r', '"');
            if (numbers[r->fields] && memchr(here, '_', (size_t)(at - here))) return 0;
            if (at == limit) continue;
            if (*at == '"') return 0;
            break;
        case QUOTED:
            at = memchr(at, '"', (size_t)(limit - at));
            if (!at) at = limit;
            if (numbers[r->fields] && memchr(here, '_', (size_t)(at - here))) return 0;
            if (at == limit) continue;
            r->state = CLOSED;
            at++;
            continue;
        case CLOSED:
            if (*at == '"') {
                r->state = QUOTED;
                at++;
                continue;
            }
            if (*at != cut && *at != '\n' && *at != '\r') return 0;
            break;
        default: /* RETURNED */
            if (*at++ != '\n' || !end_record(r, CRLF + 1, &begun, at)) return 0;
            continue;
        }
        const char found = *at++; /* after a field */
        if (found == cut) {
            if (++r->fields >= r->columns) return 0;
            r->state = START;
        } else if (found == '\r') {
            r->state = RETURNED;
        } else if (!end_record(r, LF + 1, &begun, at)) {
            return 0;
        }
    }
    r->size += limit - begun;
    return r->size <= r->longest;
}

/* End a table whose last line may have no end. */
static int finish_records(Records *r) {
    if (r->state == START && r->fields == 0 && r->size == 0) return 1;
    const char *end = NULL;
    return r->state != QUOTED && r->state != RETURNED && end_record(r, 0, &end, end);
}

typedef struct { /* what is known of a JSON file up to a place in it */
    int64_t base; /* the depth at which its records are: 0, or 1 in a list */
    int64_t depth, inside, escaped; /* whether a text goes on, and whether its next byte stands for itself */
    int64_t records;
} Objects;

/* Count the objects of a block; 0 where something else stands among them. */
static int take_objects(Objects *o, const char *at, Py_ssize_t size) {
    const char *limit = at + size;
    while (at < limit) {
        if (o->escaped) {
            o->escaped = 0;
            at++;
            continue;
        }
        if (o->inside) {
            at = first_of(at, limit, '"', '\\', '"', '\\');
            if (at == limit) continue;
            if (*at == '"') o->inside = 0;
            else o->escaped = 1;
            at++;
            continue;
        }
        const char found = *at++;
        const int is_base = o->depth == o->base;
        if (found == '"') {
            if (o->depth <= o->base) return 0;
            o->inside = 1;
        } else if (found == '{' || found == '[') {
            if (is_base && found == '[') return 0;
            if (o->depth < o->base && found == '{') return 0;
            if (is_base) o->records++;
            o->depth++;
        } else if (found == '}' || found == ']') {
            if (--o->depth < 0) return 0;
        } else if (o->depth <= o->base && found != ' ' && found != '\t' && found != '\n' && found != '\r' &&
                   !(is_base && o->base && found == ',')) {
            return 0;
        }
    }
    return 1;
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

static PyObject *records(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer state, text, numbers;
    Py_ssize_t size;
    int is_last, regular = 0;
    if (!PyArg_ParseTuple(args, "w*y*ny*p:records", &state, &text, &size, &numbers, &is_last)) return NULL;
    Records *r = state.buf;
    const int fits = state.len == sizeof *r && size >= 0 && size + SLACK <= text.len && r->columns == numbers.len &&
                     r->columns > 0 && r->fields >= 0 && r->fields < r->columns;
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        regular = take_records(r, text.buf, size, numbers.buf) && (!is_last || finish_records(r));
        PyEval_RestoreThread(thread);
    } else {
        PyErr_SetString(PyExc_ValueError, "expected a state, a text with room behind it, and a byte for each column");
    }
    PyBuffer_Release(&state);
    PyBuffer_Release(&text);
    PyBuffer_Release(&numbers);
    return fits ? PyBool_FromLong(regular) : NULL;
}

static PyObject *objects(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_buffer state, text;
    Py_ssize_t size;
    int regular = 0;
    if (!PyArg_ParseTuple(args, "w*y*n:objects", &state, &text, &size)) return NULL;
    const int fits = state.len == sizeof(Objects) && size >= 0 && size + SLACK <= text.len;
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        regular = take_objects(state.buf, text.buf, size);
        PyEval_RestoreThread(thread);
    } else {
        PyErr_SetString(PyExc_ValueError, "expected a state, and a text with room behind it");
    }
    PyBuffer_Release(&state);
    PyBuffer_Release(&text);
    return fits ? PyBool_FromLong(regular) : NULL;
}

static PyMethodDef methods[] = {
    {"open", open_scanner, METH_VARARGS, "open(columns, wanted, delimiter, returns, most): a scanner with a dictionary per column"},
    {"scan", scan, METH_VARARGS,
     "scan(scanner, text, size, codes): (rows, bytes used), with codes written; None where the text is not plain"},
    {"labels", labels, METH_VARARGS, "labels(scanner, k): the labels of the k-th wanted column, by code"},
    {"records", records, METH_VARARGS,
     "records(state, text, size, numbers, is_last): whether a block of a table is regular; its records are counted"},
    {"objects", objects, METH_VARARGS,
     "objects(state, text, size): whether a block of a JSON file holds nothing but objects, which are counted"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_scanner", "Plain delimited text to codes.", 0, methods, NULL, NULL, NULL, NULL,
};

static int draw_seeds(void) {
    PyObject *os = PyImport_ImportModule("os");
    PyObject *drawn = os ? PyObject_CallMethod(os, "urandom", "i", (int)sizeof seeds) : NULL;
    const char *bytes = drawn ? PyBytes_AsString(drawn) : NULL;
    if (bytes) memcpy(seeds, bytes, sizeof seeds);
    Py_XDECREF(drawn);
    Py_XDECREF(os);
    return bytes != NULL;
}

PyMODINIT_FUNC PyInit__scanner(void) { return draw_seeds() ? PyModule_Create(&definition) : NULL; }
