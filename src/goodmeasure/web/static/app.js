// Shows the section that the address names.

import { announce, element, show } from "./dom.js";
import { config, Refusal, stopAsking } from "./api.js";
import { link, onNavigation, settle, state, SECTIONS } from "./state.js";

const TITLES = {
  numbers: "Your numbers",
  "what-if": "What if",
  measures: "Measures",
  "compare-measures": "Compare measures",
  recommend: "Recommend",
  "compare-systems": "Compare systems",
};
const MODULES = {
  numbers: () => import("./sections/numbers.js"),
  "what-if": () => import("./sections/what_if.js"),
  measures: () => import("./sections/measures.js"),
  "compare-measures": () => import("./sections/compare_measures.js"),
  recommend: () => import("./sections/recommend.js"),
  "compare-systems": () => import("./sections/compare_systems.js"),
};

const main = document.getElementById("main");
let opened = 0;

async function open(current, navigated) {
  const turn = (opened += 1);
  const focused = navigated ? document.activeElement?.id : "";
  const root = element("div", { class: `section ${current.section}` });
  mark(current.section);
  let failed = null;
  try {
    const section = await MODULES[current.section]();
    await section.open(root, current);
  } catch (error) {
    failed = error;
  }
  if (turn !== opened) return; // somebody went on while this section was made
  if (failed) show(root, ...failure(failed));
  show(main, root);
  main.dataset.shown = current.address;
  document.title = `${root.querySelector("h1")?.dataset.title ?? TITLES[current.section]} · goodmeasure explore`;
  if (navigated) focusOn(root, focused);
  root.dispatchEvent(new CustomEvent("shown"));
  if (failed && !(failed instanceof Refusal)) throw failed;
}

function failure(error) {
  const message =
    error instanceof Refusal ? error.message : "Something went wrong in the page. Reload it to start again.";
  return [element("h1", {}, "This view cannot be shown"), element("p", { class: "problem", role: "alert" }, message)];
}

function focusOn(root, id) {
  const same = id && id !== "main" ? document.getElementById(id) : null;
  const heading = root.querySelector("[data-focus]") ?? root.querySelector("h1");
  if (same) return same.focus();
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  return announce(document.title);
}

function mark(section) {
  for (const anchor of document.querySelectorAll("#sections a")) {
    anchor.removeAttribute("aria-current");
    if (anchor.dataset.section !== section) continue;
    anchor.setAttribute("aria-current", "page");
    anchor.scrollIntoView({ block: "nearest", inline: "center" }); // on a narrow screen the sections are wider than the page
  }
}

async function begin() {
  const known = await config();
  const offered = SECTIONS.filter((section) => !(known.static && section === "compare-systems"));
  show(
    document.getElementById("sections"),
    ...offered.map((section) =>
      element(
        "li",
        {},
        element(
          "a",
          {
            "data-section": section,
            href: link(section),
            // The matrix may have changed since the link was made; the address is asked for when it is used.
            focus: fresh,
            pointerenter: fresh,
            click: fresh,
          },
          TITLES[section],
        ),
      ),
    ),
  );
  show(
    document.getElementById("about"),
    `goodmeasure ${known.version}. ` +
      (known.static
        ? "This is a static copy: values are computed in your browser, and nothing is sent anywhere."
        : "This page runs on your own machine and sends nothing to anybody else."),
  );
  onNavigation((current) => {
    stopAsking();
    open(current, true);
  });
  await open(state(), false);
}

function fresh(event) {
  settle();
  const { section } = event.currentTarget.dataset;
  event.currentTarget.setAttribute("href", link(section, section === state().section ? state().item : ""));
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address belongs to the state
  main.focus();
});

begin().catch((error) => {
  show(main, ...failure(error));
});
