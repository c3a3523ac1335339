// Pieces of the page of Rummy pe tabla that only show something.

import { element, plural } from "./dom.js";
import { tileElement, words } from "./tile.js";

const shownTile = (token, kind = "") =>
  tileElement(token, {
    role: "img",
    class: kind,
    "data-tile": token,
    "aria-label": words(token),
  });

// The pool, the atu, the row of discards, and where a tile is thrown to close.
export function piles(state, does) {
  const { may } = state;
  const closes = (may?.close.length ?? 0) > 0;
  const last = state.row.at(-1);
  const older = state.row.slice(0, -1);
  const pile = (name, label, ...content) =>
    element(
      "div",
      { class: `pile ${name}` },
      element("span", { class: "pile-name" }, label),
      ...content,
    );
  const button = (attributes, ...content) =>
    element("button", { type: "button", ...attributes }, ...content);
  return [
    pile(
      "pool-pile",
      "Pool",
      button(
        {
          class: "tile back",
          disabled: !may?.pool,
          onclick: does.pool,
          "aria-label": `Draw from the pool, ${plural(state.pool, "tile")}`,
        },
        `${state.pool}`,
      ),
    ),
    pile("atu-pile", "Atu", shownTile(state.atu)),
    element(
      "div",
      { class: "pile row-pile", "data-drop": "discard" },
      element("span", { class: "pile-name" }, "Discards"),
      element(
        "div",
        { class: "row-tiles" },
        element(
          "span",
          { class: "older" },
          older.map((token) => shownTile(token, "tiny")),
        ),
        last
          ? tileElement(last, {
              class: "last-discard",
              disabled: !may?.row,
              onclick: does.row,
              "data-tile": last,
              "aria-label": may?.row
                ? `Take the last discard, ${words(last)}`
                : `Last discard, ${words(last)}`,
            })
          : element("span", { class: "quiet-light" }, "none yet"),
      ),
    ),
    closes
      ? element(
          "div",
          { class: "pile close-pile", "data-drop": "close" },
          element("span", { class: "pile-name" }, "Throw to close"),
          button({ class: "inchid-spot", onclick: does.close }, "\u00ceNCHID"),
        )
      : null,
  ].filter(Boolean);
}

// What a closing shows: the form, what it pays, and the tiles as they lie.
export function closingShown(closing) {
  return element(
    "div",
    { class: "closing" },
    element(
      "p",
      {},
      element("strong", {}, closing.form),
      ` (${closing.english}), ${closing.points} from each, throwing the ${words(closing.tile)}`,
    ),
    element(
      "div",
      { class: "closing-melds" },
      closing.melds.map((meld) =>
        element(
          "span",
          { class: "closing-meld" },
          meld.split(" ").map((token) => shownTile(token, "tiny")),
        ),
      ),
    ),
  );
}

// What the line above the tiles says in this person's turn; held: the one tile that is
// picked up.
export function tablaStatus(state, held) {
  const { phase, may } = state;
  if (phase === "doubles")
    return {
      text: may.declare.length
        ? "Declare doubles to exchange one tile of each, or go on."
        : "You have no double to declare.",
      kind: "",
    };
  if (phase === "draw")
    return {
      text: may.row
        ? `Your turn: draw from the pool, or take ${state.row.at(-1)}.`
        : "Your turn: draw from the pool.",
      kind: "",
    };
  if (may.close.length) {
    const [best] = may.close;
    return {
      text: `You can close: ${best.form} for ${best.points}. Or discard and wait for more.`,
      kind: "good",
    };
  }
  if (held && !may.discard.includes(held))
    return { text: "A tile from the row is not discarded at once.", kind: "warn" };
  return {
    text: held
      ? `Discard the ${words(held)}?`
      : "Pick the tile to discard, or drag it to the discards.",
    kind: "",
  };
}
