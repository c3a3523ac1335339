// The start: a form for a new game, and the games that this browser has seats in.

import { Seat, createGame, forgetSeat, keepSeat, knownSeats, options } from "./api.js";
import { askPerson, element } from "./dom.js";
import { tileElement } from "./tile.js";

const NOBODY = "";
const OTHER = "\u0000folder";

// asked: the game to offer first, if the address names one.
export function showHome(page, asked = null) {
  document.title = "Rummikub and Rummy pe tabl\u0103";
  const form = element("form", { class: "card new-game" });
  const games = element("section", { class: "card games" });
  page.replaceChildren(
    element(
      "main",
      { class: "home" },
      element(
        "header",
        { class: "title" },
        element(
          "div",
          { class: "title-tiles", "aria-hidden": "true" },
          ["R7", "B7", "O7", "J"].map((token) => tileElement(token, { role: "img" })),
        ),
        element("h1", {}, "Rummikub and Rummy pe tabl\u0103"),
        element("p", {}, "against the agents, judged by the rules"),
      ),
      element("div", { class: "cards" }, form, games),
    ),
  );
  showGames(games);
  options()
    .then(({ games }) => chooseGame(form, games, asked))
    .catch((error) => form.append(element("p", { class: "error" }, error.message)));
  return () => {};
}

function showGames(section) {
  section.replaceChildren(element("h2", {}, "Your games"));
  const seats = knownSeats();
  if (!seats.length)
    section.append(element("p", { class: "quiet" }, "None yet; they are kept here."));
  const list = element("ul");
  for (const seat of seats) {
    const status = element("span", { class: "quiet" });
    const item = element(
      "li",
      {},
      element("a", { href: address(seat) }, seat.label),
      status,
      element(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": `Remove ${seat.label} from the list`,
          onclick: () => {
            forgetSeat(seat.token);
            showGames(section);
          },
        },
        "\u00d7",
      ),
    );
    list.append(item);
    new Seat(seat.game, seat.token)
      .look()
      .then((state) => (status.textContent = stage(state)))
      .catch((error) => (status.textContent = error.message));
  }
  section.append(list);
}

function stage(state) {
  if (state.phase === "over") return "over";
  const mine = state.to_move === state.seat;
  return `round ${state.round}, ${mine ? "your turn" : "others to move"}`;
}

const address = ({ game, token }) => `#game=${game}&token=${token}`;

const LAST_GAME = "rummi-game";

// Fills the form for a game, that which was played last by default, with a choice of
// others.
function chooseGame(form, games, asked) {
  const last = asked ?? localStorage.getItem(LAST_GAME);
  const choice = element(
    "select",
    { name: "game" },
    Object.entries(games).map(([name, { title }]) =>
      element("option", { value: name }, title),
    ),
  );
  choice.value = last in games ? last : Object.keys(games)[0];
  const fill = () => {
    localStorage.setItem(LAST_GAME, choice.value);
    fillForm(form, choice, games[choice.value]);
  };
  choice.addEventListener("change", () => {
    fill();
    choice.focus();
  });
  fill();
}

// How the forms of the games differ.
const FORMS = {
  rummikub: {
    opponent: "max_tiles",
    rounds: "Rounds",
    changes: "jokers=0, opening_points=40",
    position: ["R1 R2 R3 ; K1 / B1 B2", "table ; your rack / other racks ; pool"],
    timed: true,
  },
  tabla: {
    opponent: "planner",
    rounds: "Deals",
    changes: "atu_doubles=true, draw_discard=false",
    position: ["", "your rack / other racks ; row ; pool ; atu ; turn ; drawn"],
    timed: false,
  },
};

function fillForm(form, game, { agents, presets }) {
  const shape = FORMS[game.value];
  const field = (label, input, hint) =>
    element(
      "label",
      { class: input.type === "checkbox" ? "check" : "field" },
      element("span", {}, label),
      input,
      hint ? element("small", {}, hint) : null,
    );
  const choice = (name, entries) =>
    element(
      "select",
      { name },
      entries.map(([value, label]) => element("option", { value }, label)),
    );
  const folder = element("input", {
    name: "folder",
    placeholder: "runs/mine",
    autocomplete: "off",
  });
  const folderField = field("Folder of a trained agent, or name:parameters", folder);
  folderField.hidden = true;
  const everybody = [
    ...agents.map((name) => [name, name.replaceAll("_", " ")]),
    ["person", "another person"],
    [OTHER, "another agent \u2026"],
  ];
  const opponents = [0, 1, 2].map((number) =>
    choice(
      `opponent-${number + 1}`,
      number ? [[NOBODY, "nobody"], ...everybody] : everybody,
    ),
  );
  opponents[0].value = agents.includes(shape.opponent) ? shape.opponent : agents[0];
  for (const each of opponents)
    each.addEventListener("change", () => {
      folderField.hidden = !opponents.some((one) => one.value === OTHER);
    });
  const preset = choice(
    "preset",
    Object.keys(presets).map((name) => [name, name.replaceAll("_", " ")]),
  );
  const rounds = element("input", {
    name: "rounds",
    type: "number",
    min: 1,
    max: 100,
    value: 1,
  });
  const clock = element("input", { name: "clock", type: "checkbox", checked: true });
  const penalties = element("input", {
    name: "penalties",
    type: "checkbox",
    checked: true,
  });
  const changes = element("input", {
    name: "changes",
    placeholder: shape.changes,
    autocomplete: "off",
  });
  const seed = element("input", {
    name: "seed",
    inputmode: "numeric",
    placeholder: "by chance",
    autocomplete: "off",
  });
  const position = element("input", {
    name: "position",
    placeholder: shape.position[0],
    autocomplete: "off",
  });
  const facts = element("ul", { class: "facts" });
  const error = element("p", { class: "error", role: "alert" });
  const describe = () => {
    const told = presets[preset.value];
    // Rummy pe tabla has one deal for each player, unless one says otherwise.
    rounds.value = told.rounds ?? seated().length + 1;
    facts.replaceChildren(...told.facts.map((fact) => element("li", {}, fact)));
  };
  const seated = () =>
    opponents.map((each) => each.value).filter((value) => value !== NOBODY);
  preset.addEventListener("change", describe);
  if (presets[preset.value].rounds === null)
    for (const each of opponents)
      each.addEventListener("change", () => (rounds.value = seated().length + 1));
  describe();
  form.replaceChildren(
    element("h2", {}, "New game"),
    field("Game", game),
    element(
      "div",
      { class: "columns" },
      opponents.map((each, i) => field(`Opponent ${i + 1}`, each)),
    ),
    folderField,
    element(
      "div",
      { class: "columns" },
      field("Rules", preset),
      field(shape.rounds, rounds),
    ),
    facts,
    ...(shape.timed
      ? [
          field("Play with the clock", clock),
          field("Penalty tiles for an illegal table", penalties),
        ]
      : []),
    element(
      "details",
      {},
      element("summary", {}, "More"),
      field("Changes of the rules", changes),
      field("Seed", seed),
      field(
        "Start from a position",
        position,
        shape.position[1],
      ),
    ),
    error,
    element("button", { class: "primary", type: "submit" }, "Play"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    const players = [
      "person",
      ...seated().map((value) => (value === OTHER ? folder.value : value)),
    ];
    const changed = changes.value.trim() ? `,${changes.value.trim()}` : "";
    try {
      if (seed.value.trim() && !/^\d{1,15}$/.test(seed.value.trim()))
        throw new Error("the seed must be a whole number of at most 15 digits");
      const made = await createGame({
        game: game.value,
        players,
        rules: `${preset.value},rounds=${rounds.value}${changed}`,
        clock: shape.timed && clock.checked,
        penalties: penalties.checked,
        seed: seed.value.trim() ? Number(seed.value) : null,
        position: position.value.trim() || null,
      });
      await enter(made, players);
    } catch (refused) {
      error.textContent = refused.message;
    }
  });
}

// Keeps the first seat, shows the addresses of the others, and goes to the game.
async function enter(made, players) {
  const [mine, ...others] = made.seats;
  const label = `${made.settings.rules} against ${players.slice(1).join(", ")}`;
  const seat = { game: made.game, token: mine.token, label };
  keepSeat(seat);
  if (others.length) {
    const links = others.map((other) => {
      const url = new URL(
        address({ game: made.game, token: other.token }),
        location.href,
      );
      return element(
        "li",
        {},
        element("a", { href: url.href, target: "_blank" }, url.href),
      );
    });
    await askPerson(
      "The other seats",
      element(
        "div",
        {},
        element("p", {}, "Each of the others opens one of these:"),
        element("ul", {}, links),
      ),
      [["Play", true, "primary"]],
    );
  }
  location.hash = address(seat);
}
