// Which page is shown: that of a game, if the address names one, or the start.

import { dismissDialog } from "./dom.js";
import { showGame } from "./games.js";
import { showHome } from "./home.js";

let leave = () => {};

function route() {
  leave();
  dismissDialog();
  const asked = new URLSearchParams(location.hash.slice(1));
  const page = document.getElementById("page");
  const game = asked.get("game");
  leave = game
    ? showGame(page, game, asked.get("token") ?? "")
    : showHome(page, asked.get("new"));
}

addEventListener("hashchange", route);
route();
