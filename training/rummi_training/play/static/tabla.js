// A game of Rummy pe tabla: the person's board, the pool and the discards. The board is
// the person's own; tiles can be arranged on it in anybody's turn.

import { listSeat } from "./api.js";
import { Tiles, placed, same } from "./arrangement.js";
import { askPerson, button, element } from "./dom.js";
import { GameView } from "./game.js";
import { KEYS, gamePage, rulesText } from "./layout.js";
import { logList, namesOf, playerCards } from "./parts.js";
import { showScores } from "./scores.js";
import { Steps } from "./steps.js";
import { closingShown, piles, tablaStatus } from "./tabla_parts.js";
import { words } from "./tile.js";

const TABLA_KEYS = [
  ...KEYS.filter(([key]) => !key.startsWith("J,") && !key.startsWith("H,")),
  ["P, R", "draw from the pool; take the last discard"],
  ["D", "discard the tile that is picked up"],
  ["C", "close, when the board holds a form"],
  ["H", "hint"],
];

export class TablaView extends GameView {
  get surface() {
    return "board";
  }

  get mine() {
    const { state } = this;
    return state && state.phase !== "over" && state.to_move === state.seat;
  }

  mayTake() {
    return this.state?.phase !== "over";
  }

  // The one tile that is picked up, or null.
  get heldKind() {
    const { held } = this.board;
    return held.length === 1 ? this.tiles.kind(held[0]) : null;
  }

  picked() {
    this.renderControls();
    this.renderStatus();
  }

  lay({ melds, rack }) {
    return this.seat.arrange({ melds, rack });
  }

  // ------------------------------------------------------------------ looking

  take(told) {
    const earlier = this.state;
    const acted = !earlier || earlier.turn !== told.turn;
    if (acted) this.message = null;
    const { melds, rack } = told.board;
    const all = [...melds.flatMap((meld) => meld.tiles), ...rack];
    const before = this.tiles?.start.rack.map((id) => this.tiles.kind(id));
    this.state = told;
    this.names = namesOf(told);
    // Sorted, so that the same tiles have the same ids however they lie.
    this.tiles = new Tiles([], [...all].sort());
    this.stands = new Map();
    this.arrangement = this.tiles.arrangement(
      melds.map((meld) => meld.tiles),
      rack,
    );
    this.judged = melds;
    const now = this.tiles.start.rack.map((id) => this.tiles.kind(id));
    if (!same(before, now)) {
      // Steps are about these tiles.
      this.steps ??= new Steps(this.seat.game, told.seat);
      this.steps.begin(`${told.turn}-${now.join("")}`);
      this.board.held = [];
    }
    if (acted) this.tellTurns(earlier);
    this.render();
    if (earlier) this.tellEnds(earlier);
  }

  // ------------------------------------------------------------------ the board

  move(ids, target) {
    if (target.zone === "discard") {
      if (ids.length === 1) this.discard(this.tiles.kind(ids[0]));
      else this.say("One tile is discarded in a turn.", "bad");
      return;
    }
    if (target.zone === "close") {
      this.closeWith(ids.length === 1 ? this.tiles.kind(ids[0]) : null);
      return;
    }
    this.change(placed(this.arrangement, ids, target));
  }

  arrange(arrangement) {
    this.arrangement = arrangement;
    this.judged = null;
    this.message = null;
    this.render();
    this.sender.send();
  }

  reset() {
    const { melds, rack } = this.arrangement;
    this.change({ melds: [], rack: [...melds.flat(), ...rack] });
  }

  get laid() {
    const kinds = (ids) => ids.map((id) => this.tiles.kind(id));
    const { melds, rack } = this.arrangement;
    return { melds: melds.map(kinds), rack: kinds(rack) };
  }

  answered(answer, laid) {
    if (this.closed) return false;
    this.state.version = answer.version;
    if (!same(laid, this.laid)) return false;
    this.judged = answer.board.melds;
    this.render();
    return true;
  }

  notSent(error) {
    if (this.closed) return;
    // The tiles are others by now: all is wanted anew.
    if (error.status === 422) this.state.version = -1;
    else this.say(error.message, "bad");
    this.look();
  }

  nameJoker() {
    this.say("A joker stands for whatever the form needs.");
  }

  showHint(melds) {
    const kinds = this.tiles.start.rack.map((id) => this.tiles.kind(id));
    const shown = melds.map((meld) => meld.map((token) => token.split("=")[0]));
    this.change(this.tiles.arrangement(shown, kinds));
  }

  // ------------------------------------------------------------------ the turn

  async act(action) {
    if (!this.mine || this.ending) return;
    this.ending = true;
    try {
      await this.sender.settled();
      this.board.held = [];
      this.take(await this.seat.act(this.state.turn, action));
    } catch (error) {
      this.say(error.message, "bad");
      this.board.letGo();
    } finally {
      this.ending = false;
      this.look();
    }
  }

  discard(kind) {
    if (!this.mine || this.state.phase !== "discard") {
      this.say("It is not the time for a discard.", "bad");
      this.board.letGo();
    } else this.act(`discard ${kind}`);
  }

  // Closes with a tile, or asks with which; the person says yes to what it pays.
  async closeWith(kind = this.heldKind) {
    const may = this.state.may?.close ?? [];
    const { rack } = this.arrangement;
    kind ??= rack.length === 1 ? this.tiles.kind(rack[0]) : null;
    const chosen = may.filter((each) => each.tile === kind);
    const offered = chosen.length ? chosen : may;
    if (!offered.length) return;
    const answer = await askPerson(
      "\u00cenchid?",
      element("div", {}, offered.map(closingShown)),
      [
        ...offered.map((each, i) => [
          `Throw the ${words(each.tile)} and close`,
          each.tile,
          i ? "" : "primary",
        ]),
        ["Play on", null],
      ],
    );
    if (answer) this.act(`close ${answer}`);
    else this.board.letGo();
  }

  shortcut(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    const key = event.key.toLowerCase();
    const may = this.state?.may;
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (!typing && !modified && may && !document.getElementById("dialog").open) {
      const does = {
        p: may.pool && (() => this.act("draw from the pool")),
        r: may.row && (() => this.act("row")),
        d: this.heldKind && (() => this.discard(this.heldKind)),
        c: may.close.length > 0 && (() => this.closeWith()),
      }[key];
      if (does) {
        event.preventDefault();
        does();
        return;
      }
    }
    if (key !== "e") super.shortcut(event);
  }

  // ------------------------------------------------------------------ showing

  build() {
    this.pile = element("section", { class: "piles", "aria-label": "Pool and row" });
    this.pile.addEventListener("click", (event) => {
      if (!this.board.held.length) return;
      const drop = event.target.closest("[data-drop]");
      if (drop) this.move(this.board.held, { zone: drop.dataset.drop });
    });
    const does = {
      ...this.buttons(),
      help: () =>
        askPerson(
          "Rules of this game",
          rulesText(this.state.settings, TABLA_KEYS),
          [["Close", null, "primary"]],
        ),
    };
    this.board.table.setAttribute("aria-label", "Your board");
    this.page.replaceChildren(
      gamePage(this.board.table, this.board.rack, does, {
        game: "tabla",
        title: "Rummy pe tabl\u0103",
        piles: this.pile,
        extra: "tabla",
      }),
    );
  }

  render() {
    if (!this.part("game")) this.build();
    const { state } = this;
    const title = "Rummy pe tabl\u0103";
    document.title = this.mine ? `Your turn \u2013 ${title}` : title;
    this.part("game").dataset.turn = state.turn;
    this.board.show({
      tiles: this.tiles,
      arrangement: this.arrangement,
      verdicts: this.judged?.map((each) => ({ ...each, stands: [] })),
      stands: this.stands,
      fresh: this.drawn(),
      seat: state.seat,
      names: this.names,
      plain: true,
      empty: "Arrange your tiles here: drag them together.",
    });
    this.part("players").replaceChildren(...playerCards(state, this.names));
    this.part("facts").replaceChildren(
      element("span", {}, `Deal ${state.round} of ${state.settings.rounds}`),
    );
    this.pile.replaceChildren(
      ...piles(state, {
        pool: () => this.act("draw from the pool"),
        row: () => this.act("row"),
        close: () => this.closeWith(),
      }),
    );
    this.part("log").replaceChildren(logList(state, this.names));
    this.renderControls();
    this.renderStatus();
    listSeat(this.seat, state);
  }

  // The tile that was drawn in this turn, as ids.
  drawn() {
    const last = this.state.players[this.state.seat].last;
    const fresh = new Set();
    const kinds = last?.event === "took" ? last.tiles : (last?.drawn_tiles ?? []);
    for (const kind of kinds) {
      const id = this.tiles.start.rack.findLast(
        (each) => this.tiles.kind(each) === kind && !fresh.has(each),
      );
      if (id) fresh.add(id);
    }
    return fresh;
  }

  renderControls() {
    const { state } = this;
    if (!this.part("ends")) return;
    const set = (name, disabled) => (this.part(name).disabled = disabled);
    set("undo", !this.steps.past.length);
    set("redo", !this.steps.future.length);
    set("reset", !this.arrangement.melds.length);
    set("ask-hint", !this.mine);
    const ends = this.part("ends");
    if (state.phase === "over") {
      ends.replaceChildren(this.resultButton());
      return;
    }
    const { may } = state;
    const shown = [];
    if (may) {
      for (const kind of may.declare)
        shown.push(
          button(`Declare ${kind} ${kind}`, () => this.act(`declare ${kind}`), {
            class: "declare",
          }),
        );
      if (may.redeal)
        shown.push(button("New deal", () => this.act("demand a new deal")));
      if (may.done)
        shown.push(
          button("No more doubles", () => this.act("done"), { class: "primary done" }),
        );
      if (may.row)
        shown.push(
          button(`Take ${state.row.at(-1)}`, () => this.act("row"), {
            class: "take",
            title: "R",
          }),
        );
      if (may.pool)
        shown.push(
          button(
            state.pool ? "Draw" : "Let the deal end",
            () => this.act("draw from the pool"),
            { class: "primary draw", title: "P" },
          ),
        );
      if (may.discard.length)
        shown.push(
          button("Discard", () => this.discard(this.heldKind), {
            class: "discard primary",
            title: "D",
            disabled: !may.discard.includes(this.heldKind),
          }),
        );
      if (may.close.length)
        shown.push(
          button("\u00ceNCHID", () => this.closeWith(), {
            class: "inchid danger",
            title: "C",
          }),
        );
    }
    ends.replaceChildren(...shown);
  }

  turnStatus() {
    return tablaStatus(this.state, this.heldKind);
  }

  async showScores(title) {
    const closed = this.state.last_close;
    const shown = closed
      ? element(
          "div",
          {},
          element("p", {}, `${this.closer(closed)} closed deal ${closed.round}:`),
          closingShown({ ...closed, tile: closed.thrown }),
        )
      : this.state.rows.length
        ? element("p", {}, "The last deal was void: the pool was empty.")
        : null;
    try {
      await showScores(title, this.state, this.names, this.seat, shown);
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  closer(closed) {
    return closed.closer === this.state.seat ? "You" : this.names[closed.closer];
  }
}
