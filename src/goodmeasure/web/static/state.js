// The state of the page, kept in the address: what is shown can be bookmarked, shared and gone back to.
//
// The address is #/section/item?name=value&…. The matrix (counts, class) belongs to all sections; the other values
// belong to the section that is shown, and each section gets its own back when it is shown again.

export const SECTIONS = ["numbers", "what-if", "measures", "compare-measures", "recommend", "compare-systems"];
const SHARED = new Set(["counts", "class", "source"]);
const ADDRESS_PAUSE = 250; // browsers refuse more than some 200 changes of the address in half a minute

const listeners = new Set();
const remembered = new Map();
let current = read(location.hash);
let known = location.hash; // the address that `current` was read from or written to
let timer = 0;

/** Return what the address says: the section, the item within it and the values, a list of texts for each name. */
export function state() {
  return current;
}

/** Return one value of the state, or what stands for it where there is none. */
export function value(name, otherwise = "") {
  return current.values.get(name)?.[0] ?? otherwise;
}

/** Call a function with every new state that the address brings. */
export function onNavigation(listener) {
  listeners.add(listener);
}

/** Change values without a new step in the history, as while typing; a value of null is removed. */
export function update(changes) {
  current = { ...current, values: changed(current.values, changes) };
  clearTimeout(timer);
  timer = setTimeout(write, ADDRESS_PAUSE);
}

/** Go to a section and item as a new step in the history. */
export function navigate(section, item = "", changes = {}) {
  settle();
  location.hash = link(section, item, changes);
}

/** Write a pending change into the address now, so that leaving the view keeps it. */
export function settle() {
  if (timer) write();
}

/** Return the address of a section and item that keeps the matrix. */
export function link(section, item = "", changes = {}) {
  const own = section === current.section ? current.values : (remembered.get(section) ?? new Map());
  const values = new Map([...own].filter(([name]) => !SHARED.has(name)));
  for (const name of SHARED) if (current.values.has(name)) values.set(name, current.values.get(name));
  return format({ section, item, values: changed(values, changes) });
}

function changed(values, changes) {
  const next = new Map(values);
  for (const [name, given] of Object.entries(changes)) {
    if (given === null || given === undefined || given === "") next.delete(name);
    else next.set(name, (Array.isArray(given) ? given : [given]).map(String));
  }
  return next;
}

/**
 * Write the state into the address, unless the address has changed meanwhile: the browser then goes somewhere else (a
 * step back, a bookmark), and tells so a moment later. What is written in between would take its place.
 */
function write() {
  clearTimeout(timer);
  timer = 0;
  if (location.hash !== known) return;
  history.replaceState(null, "", format(current));
  known = location.hash;
}

function read(hash) {
  const [path, query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  const [section, item = ""] = splitOnce(path, "/");
  const values = new Map();
  for (const [name, text] of new URLSearchParams(query)) values.set(name, [...(values.get(name) ?? []), text]);
  return { address: hash, section: SECTIONS.includes(section) ? section : SECTIONS[0], item: decoded(item), values };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % that somebody typed
  }
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function format({ section, item, values }) {
  const pairs = [...values].flatMap(([name, texts]) => texts.map((text) => `${name}=${encoded(text)}`));
  const place = item ? `${section}/${encodeURIComponent(item)}` : section;
  return pairs.length ? `#/${place}?${pairs.join("&")}` : `#/${place}`;
}

function encoded(text) {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3B", ";").replaceAll("%20", "+");
}

document.addEventListener("click", settle, true); // before a link is followed
window.addEventListener("pagehide", settle);
window.addEventListener("hashchange", () => {
  clearTimeout(timer);
  timer = 0;
  remembered.set(current.section, current.values);
  known = location.hash;
  current = read(known);
  for (const listener of listeners) listener(current);
});
