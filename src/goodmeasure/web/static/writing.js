// How numbers are written, and how typed numbers are read.

/** Return a number with at most three decimals as people write it, with a true minus sign; "undefined" for none. */
export function decimal(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const large = Math.abs(value) >= 1000;
  const text = large ? Number(value.toPrecision(6)).toLocaleString("en") : value.toFixed(digits);
  return text.replace("-", "−").replace(/^−(0(\.0+)?)$/, "$1");
}

/** Return a count as people write it. */
export function count(value) {
  return Number(value).toLocaleString("en", { maximumFractionDigits: 6 }).replace("-", "−");
}

/** Return a share as a percentage. */
export function percent(value, digits = 1) {
  return `${(100 * value).toFixed(digits)}%`;
}

/** Return a difference with its sign. */
export function signed(value, digits = 3) {
  const text = decimal(value, digits);
  return value > 0 && text !== decimal(0, digits) ? `+${text}` : text;
}

/** Return "1 item" or "3 items". */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Return the number that a typed text means, or NaN; 1,234 and 1 234 are one thousand two hundred and thirty-four. */
export function typedNumber(text) {
  const bare = text.trim().replace(/^\+/, "");
  const grouped = /^-?\d{1,3}([, \u00a0\u202f]\d{3})+(\.\d+)?$/.test(bare)
    ? bare.replace(/[, \u00a0\u202f]/g, "")
    : bare;
  return /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(grouped) ? Number(grouped) : NaN;
}

/** Return a number, or null where it is not finite. */
export function finite(number) {
  return Number.isFinite(number) ? number : null;
}
