"""The limits of the server: larger requests are refused with a message, and the page keeps working."""

from __future__ import annotations

MOST_CLASSES = 200  # a larger matrix can be neither shown nor edited in a page
LONGEST_LABEL = 200  # characters
LARGEST_COUNT = 10**15  # beyond it, counts are no whole numbers in JavaScript
JSON_BYTES = 4_000_000
UPLOAD_BYTES = 200_000_000
DRAINED_BYTES = 2_000_000_000  # of a body that is too large: a browser shows an answer only after it has sent the body
LONGEST_NAME = 200  # characters of the name of a measure, which may be an expression such as macro(f1)
MOST_MEASURES = 300
LONGEST_FORMULA = 2_000  # characters

FORMULA_SECONDS = 5.0  # seconds for the value of a user's formula
QUESTION_SECONDS = 30.0  # for what should take moments, and takes longer with many classes or measures
CHECK_SECONDS = 60.0  # for all properties of a measure
UPLOAD_SECONDS = 60.0  # for reading and comparing a file
LEFT_SECONDS = 1.0  # for a question whose asker has left: starting a new process would take as long
WORKERS = 2  # processes for long work, and as many for shorter questions
WAITING = 20  # requests for long work that wait for one of them
WORKER_BYTES = 3_000_000_000  # of memory
