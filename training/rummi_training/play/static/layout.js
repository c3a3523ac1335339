// The frame of the page of a game: what is there from the start to the end.

import { button, element } from "./dom.js";
import { hintChoices } from "./parts.js";

// Returns the page; does: what its buttons do, by name; more: what else it is made of:
// game and title, piles (an element above the table), extra (a class).
export function gamePage(table, rack, does, more = {}) {
  const { game = "rummikub", title = "Rummikub", piles = null, extra = "" } = more;
  const named = (name, label, title) =>
    button(label, does[name], { class: name, title });
  const group = (...children) => element("div", { class: "group" }, ...children);
  return element(
    "main",
    { class: `game ${extra}`, "aria-busy": "false" },
    element(
      "header",
      { class: "bar" },
      element("a", { href: "#", class: "brand" }, title),
      element("div", { class: "facts" }),
      named("scores", "Scores"),
      named("help", "Rules"),
    ),
    element("section", { class: "players", "aria-label": "Players" }),
    piles,
    table,
    element("aside", { class: "log", "aria-label": "What was played" }),
    element("div", { class: "status" }),
    element("div", { class: "rack-stand" }, rack),
    element(
      "div",
      { class: "controls" },
      group(
        named("undo", "Undo", "Ctrl+Z"),
        named("redo", "Redo", "Ctrl+Y"),
        named("reset", "Reset", "All tiles back to where the turn began"),
      ),
      group(named("sort-color", "By color"), named("sort-number", "By number")),
      group(hintChoices(game), named("ask-hint", "Hint", "H")),
      element("div", { class: "group ends" }),
    ),
  );
}

export const KEYS = [
  ["Arrow keys, Home, End", "go from tile to tile"],
  ["Enter", "pick up, and put down before the tile or at the place in focus"],
  ["Space", "pick up more tiles"],
  ["Escape", "let go"],
  ["S, double click", "part a meld before the tile"],
  ["J, double click", "a tile with two jokers: run or group"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["H, E", "hint; end the turn"],
];

export function rulesText(settings, keys = KEYS) {
  return element(
    "div",
    {},
    element("p", { class: "quiet" }, settings.rules),
    element(
      "ul",
      {},
      settings.facts.map((fact) => element("li", {}, fact)),
    ),
    element("h3", {}, "Moving tiles"),
    element(
      "p",
      {},
      "Drag tiles, or click tiles and then the place where they go; several at once if " +
        "several are picked up.",
    ),
    element(
      "table",
      { class: "keys" },
      keys.map(([key, what]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, key),
          element("td", {}, what),
        ),
      ),
    ),
  );
}
