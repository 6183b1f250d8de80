// What makes a page comfortable: folds that links and printing open, tables that can be sorted and searched, cards on
// phones. Without it, the page shows the same; folds and the choices above matrices work by themselves.
const every = (selector, inside = document) => [...inside.querySelectorAll(selector)];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Links into folded parts open them.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  const own = target.querySelector(":scope > details.fold");
  if (own) own.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
for (const link of every("nav.toc a")) {
  link.addEventListener("click", () => { if (link.hash === location.hash) reveal(); });
}
if (location.hash) reveal();

// Paper has no folds.
let opened = [];
addEventListener("beforeprint", () => {
  opened = every("details:not([open])");
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => { for (const fold of opened) fold.open = false; });

// One button opens or closes all sections.
const contents = document.querySelector("nav.toc");
if (contents) {
  const all = element("button", { type: "button", class: "all" }, "Open all sections");
  all.addEventListener("click", () => {
    const open = all.textContent.startsWith("Open");
    for (const fold of every("details.fold")) fold.open = open;
    all.textContent = open ? "Close all sections" : "Open all sections";
  });
  contents.append(all);
  const links = new Map(every("a", contents).map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
    const first = [...links.keys()].find((key) => seen.has(key));
    for (const [key, link] of links) {
      if (key === first) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const section of every("main section")) watch.observe(section);
}

// Sorting: by number where a cell has one, by text otherwise; what is undefined stays last.
const sorter = new Intl.Collator("en", { numeric: true });
function key(cell) {
  const text = cell.dataset.value ?? cell.textContent.trim().split(" ")[0].replace(/,/g, "").replace("−", "-");
  const number = parseFloat(text);
  return Number.isNaN(number) ? null : number;
}
function sort(table, column, down) {
  const body = table.tBodies[0];
  const numeric = table.tHead.rows[0].cells[column].classList.contains("n");
  const sign = down ? -1 : 1;
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [a.cells[column], b.cells[column]];
    if (!numeric) return sign * sorter.compare(x.textContent, y.textContent);
    const [u, v] = [key(x), key(y)];
    return u === null || v === null ? (u === null) - (v === null) : sign * (u - v);
  });
  body.append(...rows);
}
for (const table of every("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    // a real button would not be printed where a page repeats the head of a table
    const button = element("span", { role: "button", tabindex: "0" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      button.click();
    });
    button.addEventListener("click", () => {
      const down = head.hasAttribute("aria-sort") ? head.ariaSort === "ascending" : head.classList.contains("n");
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort(table, head.cellIndex, down);
    });
  }
}

// Long tables can be searched by the names of their rows.
for (const table of every(".scroll.long > table.sortable")) {
  const field = element("input", { type: "search", placeholder: "Search", "aria-label": `Search: ${table.caption.textContent}` });
  const found = element("span", { class: "found", role: "status" });
  const bar = element("div", { class: "search" }, field, found);
  table.parentElement.before(bar);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase();
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(words);
      shown += !row.hidden;
    }
    found.textContent = words ? `${shown} of ${table.tBodies[0].rows.length}` : "";
  });
}

// On phones, rows are cards, whose values need the names of their columns.
for (const table of every("table.cards")) {
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  table.setAttribute("role", "table");
  for (const row of table.rows) {
    row.setAttribute("role", "row");
    for (const cell of row.cells) {
      cell.setAttribute("role", cell.tagName === "TD" ? "cell" : cell.scope === "col" ? "columnheader" : "rowheader");
      if (cell.tagName === "TD") cell.dataset.name = names[cell.cellIndex];
    }
  }
  for (const group of every("thead, tbody", table)) group.setAttribute("role", "rowgroup");
  table.classList.add("labelled");
}

// What is cut at the right fades out there, until readers have scrolled to its end.
const wider = (box) => box.classList.toggle("cut", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
const sized = new ResizeObserver((entries) => { for (const entry of entries) wider(entry.target); });
for (const box of every(".scroll, .canvas")) {
  sized.observe(box);
  box.addEventListener("scroll", () => wider(box), { passive: true });
}

// Matrices can be ordered so that classes that are confused with each other are neighbours.
for (const matrix of every(".matrix[data-order*=',']")) {
  const order = matrix.dataset.order.split(",").map(Number);
  const box = element("input", { type: "checkbox" });
  matrix.querySelector("fieldset").append(element("label", {}, box, " Group confused classes"));
  for (const table of every("table", matrix)) {
    const rows = [...table.rows].map((row) => [row, [...row.cells]]);
    box.addEventListener("change", () => {
      const place = box.checked ? order : order.map((_, k) => k);
      const at = (all, k) => (k === 0 || k > order.length ? all[k] : all[place[k - 1] + 1]);
      for (const [row, cells] of rows) row.append(...cells.map((_, k) => at(cells, k)));
      const body = rows.slice(1).map(([row]) => row);
      table.tBodies[0].append(...body.map((_, k) => (k < order.length ? body[place[k]] : body[k])));
    });
  }
}
