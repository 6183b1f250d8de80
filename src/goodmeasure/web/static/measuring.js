// The language of c on plain numbers, one class after another, as the server reads it (language/class_by_class.py).
// The definitions of the measures are generated from their declarations in Python: measures.js.

import { definitions } from "./measures.js";

const ROUNDING = 1e-12; // an argument this close to the domain of a root or an arc cosine is taken to be its end
const BITS = 50; // of a count that is no whole number, relative to the number of items

class LeftOut {} // thrown where a rule leaves a class out of a sum or a mean
const LEFT_OUT = new LeftOut();

class View {
  constructor(cells) {
    this.cells = cells;
    this.m = cells.length;
    this.a = cells.map((row) => row.reduce((x, y) => x + y, 0));
    this.b = cells.map((_, j) => cells.reduce((x, row) => x + row[j], 0));
    this.n = this.a.reduce((x, y) => x + y, 0);
    this.known = new Map();
    this.broken = false;
  }

  kept(name, compute) {
    if (!this.known.has(name)) this.known.set(name, compute());
    return this.known.get(name);
  }

  get T() {
    return this.kept("transposed", () => new View(this.cells.map((_, j) => this.cells.map((row) => row[j]))));
  }

  vsRest(i) {
    if (this.m === 2 && i === 1) return this;
    return this.kept(`against the rest ${i}`, () => {
      const hit = this.cells[i][i];
      return this.two(hit, this.a[i] - hit, this.b[i] - hit, this.n - this.a[i] - this.b[i] + hit);
    });
  }

  two(tp, fn, fp, tn) {
    return new View([[tn, fp], [fn, tp]]);
  }

  map(cell) {
    const mapped = new View(exactSums(this.cells.map((row, i) => row.map((_, j) => cell(i, j)))));
    mapped.broken = mapped.cells.some((row) => row.some(Number.isNaN));
    return mapped;
  }

  finish(value) {
    return this.broken ? NaN : value();
  }

  excess(i) {
    const [[tn, fp], [fn, tp]] = this.vsRest(i).cells;
    return tp * tn - fp * fn;
  }

  // Over classes

  terms(term, over) {
    const found = [];
    for (let i = 0; i < this.m; i += 1) {
      if (over && !over(i)) continue;
      try {
        found.push(term(i));
      } catch (signal) {
        if (signal !== LEFT_OUT) throw signal;
      }
    }
    return found;
  }

  sum(term, over) {
    return this.terms(term, over).reduce((x, y) => x + y, 0);
  }

  product(term, over) {
    return this.terms(term, over).reduce((x, y) => x * y, 1);
  }

  least(term, over) {
    return this.min(...this.terms(term, over));
  }

  greatest(term, over) {
    return this.max(...this.terms(term, over));
  }

  mean(term, { p = 1, over = null, rule = null, weights = null } = {}) {
    const ruled = rule === null ? term : (i) => {
      const value = term(i);
      return Number.isNaN(value) ? rule(i) : value;
    };
    if (weights === null) return this.powerMean(this.terms(ruled, over), p);
    const pairs = this.terms((i) => [weights[i], ruled(i)], (i) => weights[i] > 0);
    const total = pairs.reduce((x, [w]) => x + w, 0);
    return this.ratio(pairs.reduce((x, [w, value]) => x + w * value, 0), total);
  }

  powerMean(values, p) {
    if (!values.length) return NaN;
    if (p === 1) return values.reduce((x, y) => x + y, 0) / values.length;
    if (values.some(Number.isNaN)) return NaN;
    if (p === Infinity) return Math.max(...values);
    if (p === -Infinity) return Math.min(...values);
    if (values.some((x) => x < 0)) return NaN;
    const zeros = values.filter((x) => x === 0).length;
    if (zeros === values.length || (p <= 0 && zeros)) return 0;
    if (p === 0) return values.reduce((x, y) => x * y, 1) ** (1 / values.length);
    const scale = p > 0 ? Math.max(...values) : Math.min(...values); // so that nothing overflows
    const shares = values.map((x) => (x ? Math.expm1(p * Math.log(x / scale)) : -1));
    return scale * Math.exp(Math.log1p(shares.reduce((x, y) => x + y, 0) / shares.length) / p);
  }

  sumOff(term, over) {
    let total = 0;
    for (let i = 0; i < this.m; i += 1) {
      for (let j = 0; j < this.m; j += 1) {
        if (i === j || (over && !over(i, j))) continue;
        try {
          total += term(i, j);
        } catch (signal) {
          if (signal !== LEFT_OUT) throw signal;
        }
      }
    }
    return total;
  }

  leaveOut() {
    throw LEFT_OUT;
  }

  // Arithmetic

  ratio(x, y, otherwise) {
    if (y !== 0) return x / y;
    return otherwise ? otherwise() : NaN;
  }

  power(x, r) {
    if ((x < 0 && !Number.isInteger(r)) || (x === 0 && r < 0)) return NaN;
    return x ** r;
  }

  sqrt(x) {
    return x < 0 && x > -ROUNDING ? 0 : Math.sqrt(x);
  }

  log(x) {
    return x > 0 ? Math.log(x) : NaN;
  }

  log1p(x) {
    return x > -1 ? Math.log1p(x) : NaN;
  }

  exp(x) {
    return Math.exp(x);
  }

  arccos(x) {
    return Math.abs(x) <= 1 + ROUNDING ? Math.acos(Math.min(1, Math.max(-1, x))) : NaN;
  }

  arcsin(x) {
    return Math.abs(x) <= 1 + ROUNDING ? Math.asin(Math.min(1, Math.max(-1, x))) : NaN;
  }

  xlogy(x, y, above) {
    if (x === 0) return x;
    const value = y();
    return x * (above && value > 0.5 && value < 2 ? this.log1p(above()) : this.log(value));
  }

  min(...values) {
    return values.length ? Math.min(...values) : NaN;
  }

  max(...values) {
    return values.length ? Math.max(...values) : NaN;
  }

  entry(table, i, j) {
    return table ? table[i][j] : NaN; // tables are written out for some numbers of classes only
  }
}

// Sums of counts must be exact, because rules for 0/0 ask whether a difference of sums is 0. Sums of whole numbers are.
// Other counts are rounded to multiples of a power of 2 that is tiny compared with the number of items.
function exactSums(cells) {
  if (cells.every((row) => row.every((x) => Number.isInteger(x) || Number.isNaN(x)))) return cells;
  const n = cells.reduce((x, row) => x + row.reduce((y, z) => y + (z || 0), 0), 0);
  const unit = 2 ** (Math.ceil(Math.log2(n)) - BITS);
  return cells.map((row) => row.map((x) => Math.round(x / unit) * unit));
}

/** Return the value of a measure on a matrix of counts, with the same rules for 0/0 as in Python; NaN: undefined. */
export function value(name, counts) {
  const found = definitions[name];
  if (!found || (found.classes === 2 && counts.length !== 2) || counts.length < 2) return NaN;
  const result = found.of(new View(exactSums(counts)));
  const [low, high] = found.range;
  if (high !== null && result > high && result - high < ROUNDING) return high;
  return low !== null && result < low && low - result < ROUNDING ? low : result;
}

/** Return the least and the greatest value of a measure, null where there is none. */
export function range(name) {
  return definitions[name].range;
}

/** Return the values of a measure on several matrices. */
export function values(name, matrices) {
  return matrices.map((counts) => value(name, counts));
}

/** Return whether the value of a measure can be computed here. */
export function isKnown(name) {
  return name in definitions;
}

/** Return the matrix to expect where class k has this share of the items and every class keeps its recalls. */
export function atPrevalence(counts, k, share) {
  const sizes = counts.map((row) => row.reduce((x, y) => x + y, 0));
  const n = sizes.reduce((x, y) => x + y, 0);
  const rest = n - sizes[k];
  return counts.map((row, i) => {
    const wanted = n * (i === k ? share : rest > 0 ? ((1 - share) * sizes[i]) / rest : (1 - share) / (counts.length - 1));
    return row.map((x) => (sizes[i] > 0 ? (x * wanted) / sizes[i] : 0));
  });
}

/** Return the matrix after so many items were moved from one cell to another. */
export function moved(counts, [fromRow, fromColumn], [toRow, toColumn], items) {
  const after = counts.map((row) => [...row]);
  after[fromRow][fromColumn] -= items;
  after[toRow][toColumn] += items;
  return after;
}
