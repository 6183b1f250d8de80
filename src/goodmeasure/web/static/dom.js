// Builds elements. Every text goes in as text, never as markup, so a hostile class name stays a name.

const SVG = "http://www.w3.org/2000/svg";

/** Return an element with attributes and children; a function among the attributes listens to its event. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Return an SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") node[name] = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Put children in place of those that an element has. */
export function show(node, ...children) {
  node.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

let made = 0;

/** Return an id that no other element has. */
export function freshId(stem) {
  made += 1;
  return `${stem}-${made}`;
}

/** Return a labelled control, with its hint below and room for an error message. */
export function field(label, control, { hint, wide = false } = {}) {
  control.id ||= freshId("field");
  const said = [];
  const parts = [element("label", { for: control.id }, label), control];
  if (hint) {
    const note = element("p", { class: "hint", id: `${control.id}-hint` }, hint);
    said.push(note.id);
    parts.push(note);
  }
  const problem = element("p", { class: "problem", id: `${control.id}-problem`, role: "alert", hidden: true });
  said.push(problem.id);
  control.setAttribute("aria-describedby", said.join(" "));
  return element("div", { class: wide ? "field wide" : "field" }, ...parts, problem);
}

/** Say beside a control what is wrong with it; without a message, say nothing any more. */
export function complain(control, message) {
  const problem = document.getElementById(`${control.id}-problem`);
  if (message) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
  if (!problem) return;
  problem.hidden = !message;
  problem.textContent = message ?? "";
}

/** Return a paragraph that says what went wrong. */
export function problem(text) {
  return element("p", { class: "problem", role: "alert" }, text);
}

/** Return a part of the page that scrolls by itself, also by keyboard. */
export function scrolling(label, ...children) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
}

/** Return an area that takes a file that is dropped on it. */
export function dropArea(label, dropped, ...children) {
  const area = element(
    "section",
    {
      class: "card",
      "aria-label": label,
      dragover: (event) => {
        event.preventDefault();
        area.classList.add("dragging");
      },
      dragleave: () => area.classList.remove("dragging"),
      drop: (event) => {
        event.preventDefault();
        area.classList.remove("dragging");
        dropped(event.dataTransfer.files[0]);
      },
    },
    ...children,
  );
  return area;
}

/** Return a button that asks for a file, with its hidden field. */
export function fileButton(text, label, id, endings, chosen, attributes = {}) {
  const hidden = element("input", {
    type: "file",
    accept: endings.join(","),
    class: "aside",
    id,
    tabindex: "-1",
    "aria-label": label,
    change: (event) => {
      chosen(event.target.files[0]);
      event.target.value = ""; // so that the same file can be chosen again after it was changed
    },
  });
  return [button(text, () => hidden.click(), attributes), hidden];
}

/** Return a select with options; an option is a text or a pair of value and text. */
export function choice(options, chosen, changed, attributes = {}) {
  const items = options.map((option) => {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    return element("option", { value, selected: String(value) === String(chosen) }, text);
  });
  return element("select", { ...attributes, change: (event) => changed(event.target.value) }, ...items);
}

/** Return a button. */
export function button(text, pressed, attributes = {}) {
  return element("button", { type: "button", ...attributes, click: pressed }, text);
}

const MATH = new Set(
  (
    "math mrow mi mo mn ms mtext mspace msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd " +
    "mstyle mpadded mphantom menclose mfenced semantics"
  ).split(" "),
);
const MATH_ATTRIBUTES = new Set([
  "displaystyle",
  "stretchy",
  "fence",
  "form",
  "mathvariant",
  "accent",
  "movablelimits",
  "columnalign",
  "largeop",
]);

/** Return a formula given as MathML; only the elements of presentation MathML are taken over. */
export function formula(mathml) {
  const [math] = mathText(mathml);
  math.setAttribute("displaystyle", "true");
  return math;
}

/** Return the nodes of a text with formulas in MathML in it. */
export function mathText(text) {
  const parsed = new DOMParser().parseFromString(`<text>${text}</text>`, "application/xml").documentElement;
  return [...parsed.childNodes].map((node) =>
    node.nodeType === Node.ELEMENT_NODE ? copyMath(node) : document.createTextNode(node.textContent),
  );
}

function copyMath(source) {
  if (!MATH.has(source.localName)) return document.createTextNode(source.textContent);
  const copy = document.createElementNS("http://www.w3.org/1998/Math/MathML", source.localName);
  for (const { name, value } of source.attributes) if (MATH_ATTRIBUTES.has(name)) copy.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE) copy.append(copyMath(child));
  }
  return copy;
}

const spoken = () => document.getElementById("spoken");

/** Let a screen reader say what has changed. */
export function announce(text) {
  spoken().textContent = text;
}

/** Return a note that something is on its way, with a wheel that turns. */
export function waiting(text) {
  return element("p", { class: "waiting-note", role: "status" }, element("span", { class: "wheel", "aria-hidden": "true" }), text);
}
