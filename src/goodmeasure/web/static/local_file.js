// Reads a file of predictions in the browser, where a static copy has no server. What it finds has the form of the
// server's answers (answers/compare_systems.py), and the rules are those of the library: names of columns
// (evaluation/column_names.py), the order of labels (counts/classes.py) and missing labels (files/text_table.py).

import { Refusal } from "./api.js";
import { LARGEST_EDITED } from "./matrix.js";
import { count, counted } from "./writing.js";

const TRUE = "ytrue true truth truelabel trueclass groundtruth gold goldlabel goldstandard actual target reference label labels class y".split(" ");
const PREDICTED = /^(ypred|pred|predicted|prediction|predictions|yhat|guess|hypothesis)(\w*)$/;
const SCORES = /(score|prob|proba|probability|probabilities|confidence|logit)s?\d*$/;
const MISSING = new Set(["", "na", "n/a", "nan", "null", "none", "#n/a"]);
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const THRESHOLDS = 300; // of a curve, which are kept

/** Return what a file holds, by the columns that are named; what is not named is guessed. */
export async function readLocal(file, { true: named, pred = [], positive = null } = {}) {
  const [names, ...rows] = cellsOf((await file.text()).replace(/^\uFEFF/, ""));
  if (!names || !rows.length) throw refusal(`“${file.name}” has no rows below its first line.`);
  const uneven = rows.findIndex((row) => row.length !== names.length);
  if (uneven >= 0) {
    throw refusal(
      `Row ${count(uneven + 2)} of “${file.name}” has ${counted(rows[uneven].length, "cell")}, and the first row has ${names.length}. A static copy reads CSV files.`,
    );
  }
  const column = new Map(names.map((name, k) => [name, rows.map((row) => row[k])]));
  const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const truth = named ?? TRUE.map((word) => names.filter((name) => plain(name) === word)).find((x) => x.length === 1)?.[0];
  const scores = names.filter((name) => name !== truth && SCORES.test(plain(name)) && isNumeric(column.get(name)));
  const others = names.filter((name) => name !== truth && !scores.includes(name));
  const likely = pred.length ? pred : others.filter((name) => PREDICTED.test(plain(name)));
  const systems = likely.length || others.length !== 1 || scores.length ? likely : others;
  const found = {
    kind: "predictions", tables: [], table: null, columns: names, true: truth ?? null, systems, likely: systems,
    offered: others, scores, positive, n: null, matrices: {}, sweeps: {}, notes: [], problem: null,
  };
  if (!truth) return { ...found, problem: "Which column holds the true labels?" };
  if (!systems.length && !scores.length) return { ...found, problem: "Which columns hold the predicted labels?" };
  return { ...found, ...measured(found, column, rows.length) };
}

function measured({ true: truth, systems, scores, positive }, column, n) {
  const used = [truth, ...systems].map((name) => column.get(name));
  const kept = [...Array(n).keys()].filter((k) => used.every((cells) => !isMissing(cells[k])));
  const notes = kept.length < n ? [`${counted(n - kept.length, "item")} without a label left out.`] : [];
  if (!kept.length) throw refusal("Every item lacks a label.");
  const ordered = inOrder(used, kept, positive);
  const { labels } = ordered;
  if (labels.length < 2) throw refusal(`The labels have one class only, “${labels[0]}”.`);
  if (labels.length > LARGEST_EDITED) {
    throw refusal(`Column “${truth}” has ${count(labels.length)} different labels; is it the right one?`);
  }
  if (ordered.note) notes.push(ordered.note);
  const place = new Map(labels.map((label, i) => [label, i]));
  const matrixOf = (system, among) => {
    const counts = labels.map(() => labels.map(() => 0));
    for (const k of among) counts[place.get(ordered.of(column.get(truth)[k]))][place.get(ordered.of(column.get(system)[k]))] += 1;
    return { labels, counts };
  };
  const sweeps = labels.length === 2 ? scores.map((name) => [name, swept(column, truth, name, kept, labels, ordered.of)]) : [];
  return {
    n: kept.length,
    positive: labels.length === 2 ? labels[1] : null,
    notes,
    matrices: Object.fromEntries(systems.map((system) => [system, matrixOf(system, kept)])),
    sweeps: Object.fromEntries(sweeps),
    /** The columns that part the items into a few slices, and the matrix of a system in each slice. */
    sliceable: [...column.keys()].filter((name) => name !== truth && !systems.includes(name) && !scores.includes(name) && fewValues(column.get(name))),
    slices: (name, system) =>
      [...Map.groupBy(kept, (k) => column.get(name)[k])].sort(([, a], [, b]) => b.length - a.length)
        .map(([slice, among]) => ({ slice: slice || "(empty)", n: among.length, ...matrixOf(system, among) })),
  };
}

/** The labels in order, numbers by their size and text by the alphabet, with the positive one of two at the end. */
function inOrder(used, kept, positive) {
  const texts = new Set(used.flatMap((cells) => kept.map((k) => cells[k])));
  const numeric = [...texts].every((text) => NUMBER.test(text));
  const of = numeric ? (text) => String(Number(text)) : (text) => text;
  const labels = [...new Set([...texts].map(of))].sort(numeric ? (a, b) => a - b : undefined);
  if (labels.length !== 2) return { labels, of };
  let last = positive ?? labels[1];
  let note = "";
  if (positive === null && !numeric && !/^(false|true)$/i.test(labels[0])) {
    const sizes = labels.map((label) => kept.filter((k) => of(used[0][k]) === label).length);
    if (sizes[0] < sizes[1]) last = labels[0];
    note = `The positive class is “${last}”, ${sizes[0] === sizes[1] ? "the last of two equally frequent ones" : "the rarer one"}.`;
  }
  return { labels: labels.filter((label) => label !== last).concat(last), of, note };
}

/** The counts [TN, FP, FN, TP] at the thresholds of a column of scores; the first one calls nothing positive. */
function swept(column, truth, name, kept, labels, of) {
  const items = kept.filter((k) => !isMissing(column.get(name)[k]))
    .map((k) => ({ score: Number(column.get(name)[k]), positive: of(column.get(truth)[k]) === labels[1] }))
    .sort((a, b) => b.score - a.score);
  const all = items.filter(({ positive }) => positive).length;
  const [thresholds, counts] = [[null], [[items.length - all, 0, all, 0]]];
  let [fp, tp] = [0, 0];
  items.forEach(({ score, positive }, k) => {
    if (positive) tp += 1;
    else fp += 1;
    if (items[k + 1]?.score === score) return;
    thresholds.push(score);
    counts.push([items.length - all - fp, fp, all - tp, tp]);
  });
  const step = Math.max(1, (thresholds.length - 1) / (THRESHOLDS - 1));
  const some = [...new Set(Array.from({ length: Math.min(THRESHOLDS, thresholds.length) }, (_, k) => Math.round(k * step)))];
  return { labels, thresholds: some.map((k) => thresholds[k]), counts: some.map((k) => counts[k]) };
}

function isMissing(text) {
  return MISSING.has(text.trim().toLowerCase());
}

function isNumeric(cells) {
  return cells.every((text) => isMissing(text) || NUMBER.test(text.trim())) && cells.some((text) => !isMissing(text));
}

function fewValues(cells) {
  const values = new Set(cells);
  return values.size > 1 && values.size <= 20 && values.size < cells.length / 2;
}

/** The cells of a text with commas, semicolons or tabs between them; quotes may hold these, and line ends. */
function cellsOf(text) {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const mark = ["\t", ";", ","].find((sign) => head.includes(sign)) ?? ",";
  const rows = [];
  let row = [];
  const cell = new RegExp(`("(?:[^"]|"")*"|(?!")[^${mark === "\t" ? "\\t" : mark}\\r\\n]*)(${mark === "\t" ? "\\t" : mark}|\\r\\n|\\n|\\r|$)`, "gy");
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    row.push(match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1].trim());
    if (match[2] !== mark) {
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
    }
    if (cell.lastIndex >= text.length) break;
  }
  if (row.length) rows.push([...row, ""]); // the text ends with a mark
  if (cell.lastIndex < text.length && text.length) throw refusal("The file is not a CSV file: a quote is not closed.");
  return rows;
}

function refusal(message) {
  return new Refusal({ message, argument: "file" });
}
