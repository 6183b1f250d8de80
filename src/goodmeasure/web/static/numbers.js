// The functions that the formulas of measures.js call, as the library has them (language/compile/numbers.py). The last
// argument u is what an undefined value is worth.

const ROUNDING = 1e-12; // an argument this close to the domain of a root or an arc cosine is taken to be its end

export const nan = NaN;
export const pi = Math.PI;
export const { exp, abs } = Math;

export const sum = (xs) => xs.reduce((x, y) => x + y, 0);
export const turned = (c) => c[0].map((_, j) => c.map((row) => row[j]));

/** For each row, the sum of what is off the diagonal. */
export const rests = (c) => c.map((row, i) => sum(row.filter((_, j) => i !== j)));

/** For each cell, the sum of all others of its row: nothing is subtracted, so that the sum of empty cells is 0. */
export const others = (c) => c.map(without);

function without(xs) {
  const behind = xs.map(() => 0);
  for (let k = xs.length - 1; k > 0; k -= 1) behind[k - 1] = behind[k] + xs[k];
  let before = 0;
  return xs.map((x, k) => {
    const found = before + behind[k];
    before += x;
    return found;
  });
}

/** For each class, the sum of all cells outside of its row and its column. */
export const elsewhere = (c) => rests(turned(others(c)));

/** Whether a cell of a mapped matrix is undefined. */
export const broken = (c) => c.some((row) => row.some(Number.isNaN));

// Values that are null do not count.
const extreme = (best) => (...xs) => {
  const u = xs.pop();
  const values = xs.filter((x) => x !== null);
  return values.length ? best(...values) : u;
};
export const least = extreme(Math.min);
export const greatest = extreme(Math.max);

const checked = (of, isDefined) => (x, u) => (isDefined(x) ? of(x) : Number.isNaN(x) ? x : u);
const inside = (x) => Math.abs(x) <= 1 + ROUNDING;
const clipped = (x) => Math.min(1, Math.max(-1, x));
export const sqrt = checked((x) => Math.sqrt(Math.max(x, 0)), (x) => x > -ROUNDING);
export const log = checked(Math.log, (x) => x > 0);
export const log1p = checked(Math.log1p, (x) => x > -1);
export const arccos = checked((x) => Math.acos(clipped(x)), inside);
export const arcsin = checked((x) => Math.asin(clipped(x)), inside);

export function power(x, r, u) {
  return (x < 0 && !Number.isInteger(r)) || (x === 0 && r < 0) ? u : x ** r;
}

/** The power mean of some numbers; no overflow for large p, no loss of digits for small p. */
export function mean(p, ...all) {
  const u = all.pop();
  const xs = all.filter((x) => x !== null);
  if (!xs.length) return u;
  if (xs.some(Number.isNaN)) return NaN;
  if (xs.some((x) => x < 0)) return u;
  const zeros = xs.filter((x) => x === 0).length;
  if (zeros === xs.length || (p <= 0 && zeros)) return 0;
  if (p === 0) return xs.reduce((x, y) => x * y, 1) ** (1 / xs.length);
  const scale = p > 0 ? Math.max(...xs) : Math.min(...xs);
  const bent = xs.map((x) => (x ? Math.expm1(p * Math.log(x / scale)) : -1));
  return scale * Math.exp(Math.log1p(sum(bent) / xs.length) / p);
}
