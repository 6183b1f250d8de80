// What must change for a measure to reach a target, in a static copy; the server's search is in answers/what_if.py.

import { moved, value } from "./measuring.js";
import { Refusal } from "./api.js";
import { count } from "./writing.js";

const MOST_CELLS = 4000000; // of all matrices that are looked at: more would hold up the page
const ROUNDING = 1e-12;
const SHOWN = 20;

/** Return how few items of each kind must be predicted differently for a measure to reach a target. */
export function fewestItems({ labels, counts }, { name, orientation }, target) {
  const now = value(name, counts);
  const sign = orientation === "lower" || (orientation === "neither" && target < now) ? -1 : 1;
  const meets = (number) => (number - target) * sign >= -ROUNDING;
  const base = { measure: name, value: now, target, reached: meets(now), ways: [], unreachable: [], overall: null };
  if (base.reached) return base;
  const every = pairs(counts);
  const size = every.reduce((sum, [[i, j]]) => sum + counts[i][j], 0) * counts.length ** 2;
  if (size > MOST_CELLS)
    throw new Refusal({
      message: "A static copy cannot search a matrix of this size; “goodmeasure explore” can.",
    });
  for (const [from, to] of every) {
    const there = Math.floor(counts[from[0]][from[1]]);
    for (let items = 1; items <= there; items += 1) {
      const after = value(name, moved(counts, from, to, items));
      if (!meets(after)) continue;
      base.ways.push({ from, to, items, of: there, value: after, text: words(labels, from, to, items, there) });
      break;
    }
  }
  base.ways.sort((one, other) => one.items - other.items);
  base.ways = base.ways.slice(0, SHOWN);
  return { ...base, note: "Every way to predict some items of one cell as another class was tried." };
}

/** The pairs of cells between which items may be moved: of one true class, from one prediction to another. */
function pairs(counts) {
  return counts.flatMap((row, i) =>
    row.flatMap((number, j) => (number < 1 ? [] : row.flatMap((_, k) => (k === j ? [] : [[[i, j], [i, k]]])))),
  );
}

function words(labels, from, to, items, there) {
  const some = items === there && there > 1 ? `all ${count(there)}` : `${count(items)} of the ${count(there)}`;
  const what = there === 1 ? "item" : "items";
  return `Predict ${some} ‘${labels[from[0]]}’ ${what} that are called ‘${labels[from[1]]}’ as ‘${labels[to[1]]}’.`;
}
