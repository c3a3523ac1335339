// The score sheet as a dialog, and the record of a match as a file.

import { askPerson, element } from "./dom.js";
import { logList, scoreTable } from "./parts.js";

// shown: more to show above the scores, if there is.
export async function showScores(title, state, names, seat, shown = null) {
  const over = state.phase === "over";
  const answer = await askPerson(
    title,
    element(
      "div",
      {},
      shown,
      scoreTable(state, names),
      element(
        "details",
        { class: "log-details" },
        element("summary", {}, "What was played"),
        logList(state, names),
      ),
    ),
    over
      ? [
          ["Save the record", "record"],
          ["New game", "new", "primary"],
          ["Close", null],
        ]
      : [["Close", null, "primary"]],
  );
  if (answer === "new") location.hash = "";
  if (answer === "record") await saveRecord(seat, state.settings.game);
}

async function saveRecord(seat, game) {
  const file = new Blob([await seat.record()], { type: "application/x-ndjson" });
  const link = element("a", {
    href: URL.createObjectURL(file),
    download: `${game}-${seat.game}.jsonl`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
