// The start: a form for a new game, and the games that this browser has seats in.

import { Seat, createGame, forgetSeat, keepSeat, knownSeats, options } from "./api.js";
import { askPerson, element } from "./dom.js";
import { tileElement } from "./tile.js";

const NOBODY = "";
const OTHER = "\u0000folder";

export function showHome(page) {
  document.title = "Rummikub";
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
        element("h1", {}, "Rummikub"),
        element("p", {}, "against the agents, judged by the rules"),
      ),
      element("div", { class: "cards" }, form, games),
    ),
  );
  showGames(games);
  options()
    .then((offered) => fillForm(form, offered))
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

function fillForm(form, { agents, presets }) {
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
  opponents[0].value = agents.includes("max_tiles") ? "max_tiles" : agents[0];
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
    placeholder: "jokers=0, opening_points=40",
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
    placeholder: "R1 R2 R3 ; K1 / B1 B2",
    autocomplete: "off",
  });
  const facts = element("ul", { class: "facts" });
  const error = element("p", { class: "error", role: "alert" });
  const describe = () => {
    const told = presets[preset.value];
    rounds.value = told.rounds;
    facts.replaceChildren(...told.facts.map((fact) => element("li", {}, fact)));
  };
  preset.addEventListener("change", describe);
  describe();
  form.replaceChildren(
    element("h2", {}, "New game"),
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
      field("Rounds", rounds),
    ),
    facts,
    field("Play with the clock", clock),
    field("Penalty tiles for an illegal table", penalties),
    element(
      "details",
      {},
      element("summary", {}, "More"),
      field("Changes of the rules", changes),
      field("Seed", seed),
      field(
        "Start from a position",
        position,
        "table ; your rack / other racks ; pool",
      ),
    ),
    error,
    element("button", { class: "primary", type: "submit" }, "Play"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    const seated = opponents
      .map((each) => each.value)
      .filter((value) => value !== NOBODY);
    const players = [
      "person",
      ...seated.map((value) => (value === OTHER ? folder.value : value)),
    ];
    const changed = changes.value.trim() ? `,${changes.value.trim()}` : "";
    try {
      if (seed.value.trim() && !/^\d{1,15}$/.test(seed.value.trim()))
        throw new Error("the seed must be a whole number of at most 15 digits");
      const made = await createGame({
        players,
        rules: `${preset.value},rounds=${rounds.value}${changed}`,
        clock: clock.checked,
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
