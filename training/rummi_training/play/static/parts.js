// Pieces of the page of a game that only show something.

import { options } from "./api.js";
import { capital, element, plural } from "./dom.js";
import { tileElement } from "./tile.js";

const score = (number) => (Number.isInteger(number) ? `${number}` : number.toFixed(2));
const list = (names) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];

// What the seats are called: this person's own "you".
export const namesOf = (state) =>
  state.players.map((player) =>
    player.seat === state.seat ? "you" : player.name.replaceAll("_", " "),
  );

export function playerCards(state, names) {
  const opponents = state.players
    .slice(state.seat)
    .concat(state.players.slice(0, state.seat));
  return opponents.map((player) => {
    const moves = player.seat === state.to_move && state.phase !== "over";
    const mine = player.seat === state.seat;
    return element(
      "div",
      {
        class: `player by-${player.seat} ${moves ? "moves" : ""} ${mine ? "me" : ""}`,
        "aria-current": moves ? "true" : undefined,
      },
      element(
        "div",
        { class: "who" },
        element("strong", {}, capital(names[player.seat])),
        element(
          "span",
          { class: "total", title: "score of the rounds before" },
          score(player.total),
        ),
      ),
      element(
        "div",
        { class: "what" },
        element(
          "span",
          { class: "backs", "aria-hidden": "true" },
          Array.from({ length: Math.min(player.tiles, 24) }, () => element("i")),
        ),
        element("span", {}, plural(player.tiles, "tile")),
        player.opened === false
          ? element("span", { class: "quiet" }, "not opened")
          : "",
        player.known?.length && !mine
          ? element("span", { class: "quiet" }, `has ${player.known.join(" ")}`)
          : "",
      ),
      element(
        "div",
        { class: "last" },
        player.last
          ? lastTurn(player.last)
          : element("span", { class: "quiet" }, "no turn yet"),
      ),
    );
  });
}

function lastTurn(done) {
  if (done.event !== "laid") return [told(done)];
  const tiles = done.tiles.map((tile) =>
    tileElement(tile, { role: "img", class: "tiny", "aria-label": tile }),
  );
  return [
    element("span", { class: "wide" }, "played ", tiles),
    element("span", { class: "narrow" }, `played ${tiles.length}`),
  ];
}

function told(done) {
  const drew = done.drawn ? `, drew ${plural(done.drawn, "tile")}` : "";
  const which = done.drawn_tiles?.length ? ` (${done.drawn_tiles.join(" ")})` : "";
  if (done.event === "exchanged") {
    const got = done.drawn_tiles ? ` and got ${done.drawn_tiles.join(" ")}` : "";
    return `exchanged ${plural(done.drawn, "double")}${got}`;
  }
  if (done.event === "took") return `took ${done.tiles.join(" ")} from the row`;
  if (done.event === "discarded") return `discarded ${done.tiles.join(" ")}`;
  if (done.event === "closed")
    return `closed with ${done.tiles.join(" ")}: ${done.sentence}`;
  return {
    laid: `played ${done.tiles.join(" ")}${done.sentence ? ` (${done.sentence})` : ""}`,
    drew: `drew ${done.drawn > 0 ? plural(done.drawn, "tile") : "the last tile"}${which}`,
    passed: "passed",
    doubles_done: "declared no more doubles",
    failed: `took an illegal table back${drew}${which}`,
    timed_out: `ran out of time${drew}${which}`,
    kept: "kept the rack",
    redealt: "demanded a new deal",
  }[done.event];
}

export function sentenceOf(done, names) {
  if (done.event === "round")
    return `Round ${done.round + 1} is over: ${done.scores.map((each, seat) => `${names[seat]} ${score(each)}`).join(", ")}.`;
  return `${capital(names[done.seat])} ${told(done)}.`;
}

export function logList(state, names) {
  const lines = [...state.log]
    .reverse()
    .map((done) =>
      element(
        "li",
        { class: done.event === "round" ? "round" : `by-${done.seat}` },
        sentenceOf(done, names),
      ),
    );
  return element(
    "ol",
    { class: "turns" },
    lines.length ? lines : element("li", { class: "quiet" }, "Nothing was played yet."),
  );
}

export function scoreTable(state, names) {
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Round"),
    names.map((name) => element("th", { scope: "col" }, capital(name))),
  );
  const rows = state.rows.map((row, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${i + 1}`),
      row.map((each) => element("td", {}, score(each))),
    ),
  );
  const total = element(
    "tr",
    { class: "totals" },
    element("th", { scope: "row" }, "Total"),
    state.players.map((player) => element("td", {}, score(player.total))),
  );
  return element(
    "table",
    { class: "sheet" },
    element("thead", {}, head),
    element(
      "tbody",
      {},
      rows.length
        ? rows
        : element(
            "tr",
            {},
            element(
              "td",
              { colspan: names.length + 1, class: "quiet" },
              "No round is over yet.",
            ),
          ),
    ),
    element("tfoot", {}, total),
  );
}

export function winnersText(state, names) {
  const won = names.filter((_, seat) => state.winners?.[seat] > 0);
  if (!won.length) return "The match is over";
  if (won.length > 1) return `The match is over: ${list(won)} are level`;
  return won[0] === "you"
    ? "The match is over: you win"
    : `The match is over: ${won[0]} wins`;
}

// What the line above the rack says, in any game, while it is not this person's turn;
// null in it.
export function waitingStatus(state, names) {
  const { phase, seat, to_move: mover, trouble } = state;
  if (trouble) return { text: `${capital(trouble)}.`, kind: "bad" };
  if (phase === "over") return { text: `${winnersText(state, names)}.`, kind: "good" };
  if (mover !== seat)
    return { text: `${capital(names[mover])} is to move \u2026`, kind: "" };
  return null;
}

// What it says in this person's turn; judged: what the rules say about the turn that was
// begun, played: how many tiles of the rack are on the table.
export function turnStatus(state, judged, played) {
  if (state.phase === "redeal")
    return { text: "You were dealt three pairs: you may demand a new deal.", kind: "" };
  if (played && judged) {
    const { legal, sentence } = judged.judgement;
    if (legal)
      return { text: `Legal: you play ${plural(played, "tile")}.`, kind: "good" };
    return { text: `Not yet legal: ${sentence}.`, kind: "warn" };
  }
  const { last } = state.players[state.seat];
  let why = "";
  if (last?.event === "failed") why = `Taken back: ${last.sentence}. `;
  if (last?.event === "timed_out") why = "Your time was up. ";
  const draw = state.pool ? "draw" : "pass";
  const must = state.must_play
    ? "a tile can be played and must be"
    : `lay tiles, or ${draw}`;
  return { text: `${why}Your turn: ${must}.`, kind: why ? "warn" : "" };
}

let offered = null;

// A choice of who gives hints, filled once the server has said who can.
export function hintChoices(game) {
  const select = element(
    "select",
    { name: "hint-by", "aria-label": "Whose hint" },
    game === "tabla"
      ? element("option", { value: "forms" }, "nearest forms")
      : element("option", { value: "tiles" }, "most tiles"),
  );
  offered ??= options().catch(() => (offered = null));
  offered.then((all) => {
    if (!all) return;
    const told = all.games[game];
    select.replaceChildren(
      element(
        "optgroup",
        { label: "Solver" },
        Object.entries(told.hints.solver).map(([value, label]) =>
          element("option", { value }, label),
        ),
      ),
      element(
        "optgroup",
        { label: "Agent" },
        told.hints.agents.map((name) =>
          element("option", { value: name }, name.replaceAll("_", " ")),
        ),
      ),
    );
  });
  return select;
}
