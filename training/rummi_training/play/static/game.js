// A game: what the server tells is shown, what the person does is sent there.

import { listSeat } from "./api.js";
import { Tiles, inOrder, parted, placed, same, sorted } from "./arrangement.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { announce, askPerson, button, capital, element, plural } from "./dom.js";
import { gamePage, rulesText } from "./layout.js";
import {
  logList,
  namesOf,
  playerCards,
  sentenceOf,
  turnStatus,
  waitingStatus,
  winnersText,
} from "./parts.js";
import { showScores } from "./scores.js";
import { Sender } from "./sender.js";
import { Steps } from "./steps.js";
import { words } from "./tile.js";

const WAITING = 250; // milliseconds between looks while others play
const RESTING = 1500; // and while it is this person's turn, for other tabs of the game

export class GameView {
  constructor(page, seat) {
    this.page = page;
    this.seat = seat;
    this.state = null;
    this.closed = false;
    this.message = null;
    this.looks = 0;
    this.sender = new Sender((laid) => this.lay(laid), {
      laid: () => this.laid,
      answered: (answer, laid) => this.answered(answer, laid),
      failed: (error) => this.notSent(error),
      busy: (flag) => this.busy(flag),
    });
    this.clock = new Clock(() => {
      if (this.closed || this.ending) return;
      this.board.letGo();
      this.look();
    });
    this.board = new Board({
      move: (ids, target) => this.move(ids, target),
      part: (id) => this.change(parted(this.arrangement, id)),
      name: (id) => this.nameJoker(id),
      mayTake: (id) => this.mayTake(id),
      picked: () => this.picked(),
    });
    this.onkey = (event) => this.shortcut(event);
    addEventListener("keydown", this.onkey);
    this.page.replaceChildren(
      element("main", { class: "loading" }, "Loading the game \u2026"),
    );
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.clock.stop();
    removeEventListener("keydown", this.onkey);
  }

  mayTake(id) {
    return this.mine || (this.arrangement?.rack.includes(id) ?? false);
  }

  // Is called when tiles were picked up or let go.
  picked() {}

  lay(laid) {
    return this.seat.lay(laid);
  }

  // What tiles are laid on, in words.
  get surface() {
    return "table";
  }

  get mine() {
    return (
      this.state &&
      this.state.phase === "play" &&
      this.state.to_move === this.state.seat
    );
  }

  // ------------------------------------------------------------------ looking

  async look() {
    clearTimeout(this.timer);
    // Only the latest look goes on, so that there is one at a time.
    const number = ++this.looks;
    let waits = RESTING;
    try {
      if (!this.board.drag && !this.sender.awaited) {
        const told = await this.seat.look(this.state?.version);
        if (this.closed || number !== this.looks) return;
        if (this.offline) this.say("");
        this.offline = false;
        // What was sent meanwhile is newer than this answer.
        if (told && !this.sender.awaited && !this.board.drag) this.take(told);
        else if (!told && this.sender.unsent) this.sender.send();
      }
      if (this.state?.phase === "over") return;
      if (this.state && !this.mine) waits = WAITING;
    } catch (error) {
      if (this.closed || number !== this.looks) return;
      if (error.status) return this.fail(error);
      this.offline = true;
      this.say(error.message, "bad");
    }
    this.timer = setTimeout(() => this.look(), waits);
  }

  fail(error) {
    this.page.replaceChildren(
      element(
        "main",
        { class: "loading" },
        element("p", { class: "error" }, error.message),
        element("a", { href: "#" }, "Back to the start"),
      ),
    );
  }

  // Takes over what the server tells.
  take(told) {
    const earlier = this.state;
    const newTurn = !earlier || earlier.turn !== told.turn;
    if (newTurn) this.message = null;
    const order =
      earlier && !told.draft
        ? this.arrangement.rack.map((id) => this.tiles.kind(id))
        : null;
    this.state = told;
    this.tiles = new Tiles(told.table, told.rack);
    this.names = namesOf(told);
    this.stands = new Map();
    told.table.forEach((meld, i) =>
      meld.stands.forEach((stands, at) =>
        this.stands.set(this.tiles.start.melds[i][at], stands),
      ),
    );
    this.arrangement = this.tiles.start;
    this.judged = null;
    if (order)
      this.arrangement = {
        ...this.arrangement,
        rack: inOrder(this.tiles.start.rack, order, this.tiles),
      };
    if (told.draft) {
      this.arrangement = this.tiles.arrangement(
        told.draft.melds.map((meld) => meld.given),
        told.draft.rack,
      );
      this.judge(told.draft);
    }
    if (newTurn) {
      this.steps ??= new Steps(this.seat.game, told.seat);
      this.steps.begin(told.turn);
      this.tellTurns(earlier);
    }
    this.clock.set(told.phase === "over" ? null : told.clock);
    this.render();
    if (earlier) this.tellEnds(earlier);
  }

  tellTurns(earlier) {
    if (!earlier) return;
    const turns = this.state.turn - earlier.turn;
    if (turns > 0)
      announce(
        this.state.log
          .slice(-turns)
          .map((done) => sentenceOf(done, this.names))
          .join(" "),
      );
  }

  // Shows the score sheet when a round has ended meanwhile.
  tellEnds(earlier) {
    if (this.state.rows.length <= earlier.rows.length) return;
    this.showScores(
      this.state.phase === "over"
        ? winnersText(this.state, this.names)
        : `Round ${this.state.rows.length} is over`,
    );
  }

  // ------------------------------------------------------------------ the turn

  move(ids, target) {
    if (target.zone !== "rack" && !this.mine) return this.render();
    if (
      target.zone === "rack" &&
      ids.some((id) => this.tiles.fromTable(id) && !this.arrangement.rack.includes(id))
    ) {
      this.say("Tiles of the table stay on the table.", "bad");
      return this.render();
    }
    this.change(placed(this.arrangement, ids, target));
  }

  // Keeps a new arrangement: shown at once, sent, and undone by the earlier one.
  change(arrangement) {
    if (same(arrangement, this.arrangement)) return this.render();
    this.steps.add(this.snapshot());
    this.arrange(arrangement);
  }

  arrange(arrangement) {
    this.arrangement = arrangement;
    this.judged = null;
    this.message = null;
    this.render();
    if (this.mine) this.sender.send();
  }

  snapshot() {
    return { arrangement: this.arrangement, named: [...this.tiles.named] };
  }

  undo() {
    this.goTo(this.steps.undo(this.snapshot()));
  }

  redo() {
    this.goTo(this.steps.redo(this.snapshot()));
  }

  goTo(step) {
    if (!step) return;
    this.tiles.named = new Map(step.named);
    this.arrange(step.arrangement);
  }

  reset() {
    this.change({ ...this.tiles.start, rack: this.startRack() });
  }

  // The rack with all of its tiles, in the order that it has now.
  startRack() {
    const all = new Set(this.tiles.start.rack);
    const kept = this.arrangement.rack.filter((id) => all.has(id));
    return [...kept, ...this.tiles.start.rack.filter((id) => !kept.includes(id))];
  }

  get laid() {
    const { melds, rack } = this.arrangement;
    return {
      turn: this.state.turn,
      melds: melds.map((meld) => meld.map((id) => this.tiles.token(id))),
      rack: rack.map((id) => this.tiles.kind(id)),
    };
  }

  // Takes the answer to what was sent; tells whether the tiles still lie like that.
  answered(answer, laid) {
    if (this.closed || laid.turn !== this.state.turn) return false;
    this.state.version = answer.version;
    this.clock.set(answer.clock);
    if (!same(laid, this.laid)) return false;
    this.judge(answer.draft);
    this.render();
    announce(this.part("status").textContent);
    return true;
  }

  notSent(error) {
    if (this.closed) return;
    this.say(error.message, "bad");
    // The game has gone on: all of it is wanted anew.
    if (error.status === 409) this.state.version = -1;
    this.look();
  }

  busy(flag) {
    this.part("game")?.setAttribute("aria-busy", String(flag));
  }

  // Takes what the rules say; legal melds are shown in their order.
  judge(draft) {
    this.judged = draft;
    const melds = this.arrangement.melds.map((meld, i) => {
      const verdict = draft.melds[i];
      if (!verdict?.legal) return meld;
      const left = [...meld];
      return verdict.tiles.map((token) => {
        const at = left.findIndex((id) => this.tiles.token(id) === token);
        return left.splice(
          at < 0
            ? left.findIndex((id) => this.tiles.kind(id) === token.split("=")[0])
            : at,
          1,
        )[0];
      });
    });
    this.arrangement = { ...this.arrangement, melds };
  }

  // Goes from one reading of two jokers with one tile to the next.
  nameJoker(id) {
    const meld = this.arrangement.melds.find((each) => each.includes(id));
    if (!meld || !this.mine) return;
    const before = this.snapshot();
    const next = this.tiles.renamed(meld, id);
    if (next === null) {
      this.say(
        "A joker stands for the tile of its place, in a group for any color that is missing.",
      );
      return;
    }
    this.steps.add(before);
    announce(next ? `the joker stands for ${words(next)}` : "the jokers make a group");
    this.arrange({ ...this.arrangement });
  }

  get played() {
    const rack = new Set(this.arrangement.rack);
    return this.tiles.start.rack.filter((id) => !rack.has(id));
  }

  async endTurn(acceptPenalty = false) {
    if (!this.mine || this.ending) return;
    this.ending = true;
    try {
      await this.sender.settled();
      if (!this.played.length) this.take(await this.seat.draw(this.state.turn));
      else
        this.take(await this.seat.end({ ...this.laid, accept_penalty: acceptPenalty }));
    } catch (error) {
      await this.refused(error);
    } finally {
      this.ending = false;
      this.look();
    }
  }

  async refused(error) {
    if (
      error.status !== 422 ||
      !error.told.reason ||
      error.told.reason === "must_play"
    ) {
      this.say(error.message, "bad");
      return;
    }
    if (error.told.penalty === null) {
      this.reset();
      this.say(
        `Refused: ${error.message}. The table is as it was; Undo brings your tiles back.`,
        "bad",
      );
      return;
    }
    const answer = await askPerson(
      "This table is not legal",
      element("p", {}, `${capital(error.message)}.`),
      [
        ["Keep arranging", "keep", "primary"],
        ["Take it back", "back"],
        [`End the turn, draw ${plural(error.told.penalty, "tile")}`, "pay", "danger"],
      ],
    );
    if (answer === "back") {
      this.reset();
      this.say(`Taken back: ${error.message}. Undo brings your tiles back.`, "bad");
    } else if (answer === "pay") {
      this.ending = false;
      await this.endTurn(true);
    } else this.say(error.message, "bad");
  }

  async redeal(demand) {
    try {
      this.take(await this.seat.redeal(this.state.turn, demand));
    } catch (error) {
      this.say(error.message, "bad");
    }
    this.look();
  }

  async hint() {
    const by = this.page.querySelector("[name=hint-by]").value;
    this.say("Thinking \u2026");
    try {
      const hint = await this.seat.hint(this.state.turn, by);
      this.say(hint.sentence, "hint");
      if (hint.melds) this.message.melds = hint.melds.map((meld) => meld.tiles);
      this.renderStatus();
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  showHint(melds) {
    this.change(
      this.tiles.arrangement(
        melds,
        this.startRack().map((id) => this.tiles.kind(id)),
      ),
    );
  }

  // ------------------------------------------------------------------ showing

  say(text, kind = "") {
    this.message = text ? { text, kind } : null;
    if (text) announce(text);
    if (this.state) this.renderStatus();
  }

  shortcut(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing || !this.state || document.getElementById("dialog").open) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "z") event.shiftKey ? this.redo() : this.undo();
    else if (control && key === "y") this.redo();
    else if (!control && key === "e" && this.mine) this.endTurn();
    else if (!control && key === "h" && this.mine) this.hint();
    else return;
    event.preventDefault();
  }

  render() {
    if (!this.part("game")) this.build();
    const { state } = this;
    document.title = this.mine ? "Your turn \u2013 Rummikub" : "Rummikub";
    const last = state.players[state.seat].last;
    const drawn = new Set();
    for (const kind of last?.drawn_tiles ?? []) {
      const id = this.tiles.start.rack.findLast(
        (each) => this.tiles.kind(each) === kind && !drawn.has(each),
      );
      if (id && this.arrangement.rack.includes(id)) drawn.add(id);
    }
    this.part("game").dataset.turn = state.turn;
    this.board.show({
      tiles: this.tiles,
      arrangement: this.arrangement,
      verdicts: this.judged?.melds,
      stands: this.stands,
      fresh: drawn,
      seat: state.seat,
      names: this.names,
    });
    this.part("players").replaceChildren(...playerCards(state, this.names));
    const timer =
      this.clock.ends === null
        ? ""
        : element("span", { class: "clock", role: "timer" });
    this.part("facts").replaceChildren(
      element("span", {}, `Round ${state.round} of ${state.settings.rounds}`),
      element("span", { class: "pool" }, `${state.pool} in the pool`),
      state.turns_left !== null
        ? element("span", {}, `${plural(state.turns_left, "turn")} left`)
        : "",
      timer,
    );
    this.clock.show(timer || null);
    this.part("log").replaceChildren(logList(state, this.names));
    this.renderControls();
    this.renderStatus();
    listSeat(this.seat, state);
  }

  part(name) {
    return this.page.querySelector(`.${name}`);
  }

  build() {
    this.page.replaceChildren(
      gamePage(this.board.table, this.board.rack, this.buttons()),
    );
  }

  // What the buttons of the frame do, by name.
  buttons() {
    const sort = (by) => () => this.change(sorted(this.arrangement, this.tiles, by));
    return {
      scores: () => this.showScores("Scores"),
      help: () =>
        askPerson("Rules of this game", rulesText(this.state.settings), [
          ["Close", null, "primary"],
        ]),
      undo: () => this.undo(),
      redo: () => this.redo(),
      reset: () => this.reset(),
      "sort-color": sort("color"),
      "sort-number": sort("number"),
      "ask-hint": () => this.hint(),
    };
  }

  renderControls() {
    const { state } = this;
    const set = (name, disabled) => (this.part(name).disabled = disabled);
    set("undo", !this.steps.past.length);
    set("redo", !this.steps.future.length);
    set("reset", !this.mine || same(this.arrangement.melds, this.tiles.start.melds));
    set("ask-hint", !this.mine);
    const ends = this.part("ends");
    if (state.phase === "redeal" && state.to_move === state.seat) {
      ends.replaceChildren(
        button("Keep the rack", () => this.redeal(false), { class: "primary" }),
        button("Demand a new deal", () => this.redeal(true)),
      );
      return;
    }
    if (state.phase === "over") {
      ends.replaceChildren(this.resultButton());
      return;
    }
    const label = this.played.length ? "End turn" : state.pool ? "Draw a tile" : "Pass";
    const old = ends.querySelector(".end");
    if (old) {
      old.textContent = label;
      old.disabled = !this.mine;
    } else
      ends.replaceChildren(
        button(label, () => this.endTurn(), {
          class: "end primary",
          disabled: !this.mine,
          title: "E",
        }),
      );
  }

  resultButton() {
    const show = () => this.showScores(winnersText(this.state, this.names));
    return button("Result", show, { class: "primary" });
  }

  // What the line above the rack says in the person's own turn.
  turnStatus() {
    return turnStatus(this.state, this.judged, this.played.length);
  }

  renderStatus() {
    const status = this.part("status");
    if (!status) return;
    const { text, kind } =
      this.message ?? waitingStatus(this.state, this.names) ?? this.turnStatus();
    const melds = this.message?.melds;
    status.className = `status ${kind}`;
    status.replaceChildren(
      element("span", {}, text),
      melds
        ? button(`Show it on the ${this.surface}`, () => this.showHint(melds), {
            class: "small show-hint",
          })
        : "",
    );
  }

  async showScores(title) {
    try {
      await showScores(title, this.state, this.names, this.seat);
    } catch (error) {
      this.say(error.message, "bad");
    }
  }
}
