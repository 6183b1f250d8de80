// Tables that are sorted by their heads.

import { announce, element } from "./dom.js";

/** Return a table; a column is { title, cell(row), key(row)?, numeric?, head? }, and one with a key can be sorted by.
 *
 * `head` makes the column's cells row headers; without a sorting, rows keep the order in which they come.
 */
export function table(
  columns,
  rows,
  { caption, hiddenCaption = false, sorted = null, changed = () => {}, className = "" } = {},
) {
  const body = element("tbody");
  const heads = columns.map((column, index) => headOf(column, () => sortBy(index)));
  const made = element(
    "table",
    { class: `data ${className}` },
    caption ? element("caption", { class: hiddenCaption ? "aside" : null }, caption) : null,
    element("thead", {}, element("tr", {}, ...heads)),
    body,
  );
  let order = sorted;
  const sortBy = (index) => {
    order = { column: index, falling: order?.column === index ? !order.falling : Boolean(columns[index].numeric) };
    draw();
    changed(order);
    announce(`Sorted by ${columns[index].title}, ${order.falling ? "largest first" : "smallest first"}.`);
  };
  const draw = () => {
    body.replaceChildren(...inOrder(rows, columns, order).map((row) => rowOf(columns, row)));
    heads.forEach((head, index) => {
      if (order?.column === index) head.setAttribute("aria-sort", order.falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  draw();
  return made;
}

function headOf(column, sort) {
  const inside = column.key
    ? element("button", { type: "button", class: "sort", click: sort }, column.title)
    : column.title;
  return element("th", { scope: "col", ...kindOf(column) }, inside);
}

function kindOf(column) {
  return { class: [column.numeric ? "number" : "", column.className ?? ""].join(" ").trim() || null };
}

function rowOf(columns, row) {
  return element(
    "tr",
    {},
    ...columns.map((column) => {
      const kind = kindOf(column);
      return column.head
        ? element("th", { scope: "row", ...kind }, column.cell(row))
        : element("td", kind, column.cell(row));
    }),
  );
}

function inOrder(rows, columns, order) {
  if (!order) return rows;
  const { key } = columns[order.column];
  const sign = order.falling ? -1 : 1;
  const compare = (one, other) => {
    const [x, y] = [key(one), key(other)];
    if (x === y) return 0;
    if (x === null || x === undefined) return 1; // what has no value comes last, however the table is sorted
    if (y === null || y === undefined) return -1;
    return sign * (typeof x === "string" ? x.localeCompare(y, "en") : x - y);
  };
  return [...rows].sort(compare);
}
