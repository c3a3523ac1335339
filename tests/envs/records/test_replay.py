"""Records: what they keep, and that playing them again finds every change."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rummi_env.core.deals import parse_deal
from rummi_env.core.positions import parse_position
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.rummy_rules import RummyRules
from rummi_env.envs.match import Match
from rummi_env.envs.records.game_record import digest
from rummi_env.envs.start import Start
from rummi_env.records import (
    GameRecord,
    Judgement,
    Recorder,
    append_record,
    parse_record,
    read_records,
    replay,
    resume,
    verify_records,
)

Record = Callable[..., GameRecord]

KINDS: list[dict[str, Any]] = [
    {"game": "rummikub", "rules": "official", "players": 2},
    {"game": "rummikub", "rules": RuleSet.preset("official", rounds=3), "players": 4},
    {"game": "rummikub", "rules": "sabra", "players": 3},
    {
        "game": "rummikub",
        "rules": RuleSet(redeal_on_three_pairs=True, rounds=2),
        "players": 2,
    },
    {"game": "rummy", "rules": "basic", "players": 3},
    {"game": "rummy", "rules": "pagat", "players": 2},
    {
        "game": "rummy",
        "rules": RummyRules.preset("straight_gin", hands=1),
        "players": 2,
    },
    {"game": "tabla", "rules": "ours", "players": 4},
    {"game": "tabla", "rules": "hk", "players": 2},
]


def last_of(record: GameRecord) -> Match:
    *_, last = replay(record)
    return last.match


def forged(record: GameRecord, change: Callable[[dict[str, Any]], None]) -> str:
    """Returns a line with a change whose checksum was made anew."""
    fields = record.to_dict()
    change(fields)
    return json.dumps({**fields, "sha256": digest(fields)}) + "\n"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind['game']}")
def test_every_game_is_played_again_exactly(recorded: Record, kind: Any) -> None:
    record = parse_record(recorded(**kind).to_json())
    match = last_of(record)
    assert match.over and record.ending == "finished"
    assert record.totals == tuple(
        sum(row[s] for row in match.rows) for s in range(kind["players"])
    )
    lost = {how for part in record.rounds for how in part.lost.values()}
    assert lost <= {"failed", "timed_out"}
    again = Match(record.rules, kind["players"], game=kind["game"])
    again.start(record.seed, Start())
    # The very same position, chance to come included, from seed and steps alone.
    for part in record.rounds:
        for at, action in enumerate(part.actions):
            if part.lost.get(at) == "failed":
                again.fail()
            elif part.lost.get(at) == "timed_out":
                again.time_out()
            else:
                assert action is not None
                again.act(action)
    assert again.save() == match.save()


def test_a_record_that_is_written_and_read_is_the_same(recorded: Record) -> None:
    record = recorded(rules="sabra", players=3).replace(about={"deal": 3})
    assert parse_record(record.to_json()) == record


def test_a_record_says_who_played_what_and_with_which_versions(
    recorded: Record,
) -> None:
    fields = json.loads(recorded(rules="sabra", players=3).to_json())
    assert fields["game"] == "rummikub"
    assert fields["players"] == ["player_0", "player_1", "player_2"]
    assert fields["rules"] == RuleSet.preset("sabra").to_dict()
    assert {"rummi-env", "python", "numpy", "numba"} <= set(fields["versions"])
    deal = parse_deal(fields["rounds"][0]["deal"], RuleSet.preset("sabra"), 3)
    assert len(deal.racks) == 3


def test_moments_lead_from_step_to_step(recorded: Record) -> None:
    record = recorded(rules=RuleSet(rounds=2))
    step = 0
    for moment in replay(record):
        assert moment.step == step
        assert moment.seat == moment.match.seat
        if moment.action is None and step == record.num_steps:
            assert moment.match.over and not moment.mask.any()
        elif moment.action is not None:
            part = record.rounds[moment.round]
            before = sum(len(r.actions) for r in record.rounds[: moment.round])
            legal = bool(moment.mask[moment.action])
            assert legal == (part.lost.get(step - before) is None)
        step += 1
    assert step == record.num_steps + 1


def test_a_given_deal_and_a_given_position_are_part_of_the_record(
    recorded: Record,
) -> None:
    rules = RuleSet()
    text = "R1 R2 R3 ; R4 K1 / B1 B2 J ; O1 O2 O3 ; 1 ; 11"
    start = Start(position=parse_position(text, rules))
    record = recorded(start=start)
    assert "position" in record.options
    assert last_of(parse_record(record.to_json())).over

    racks = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 J"
    other = racks.replace("K", "R").replace("RJ", "J")
    deal = parse_deal(f"{racks} / {other} ; B1 ? ; 1", rules, 2)
    record = recorded(start=Start(deals=(deal,)))
    assert "deal" in record.options
    assert record.rounds[0].deal is not None
    assert record.rounds[0].deal.startswith(racks)
    assert last_of(parse_record(record.to_json())).over


def test_a_position_of_named_jokers_is_kept_with_their_names(recorded: Record) -> None:
    rules = RuleSet.preset("sabra")
    text = "R5 R6 J=R7 | K3 B3 J=O3 ; R7 O3 / B1 B2 B3 ; O1 O2 O3 ; 0 ; 11"
    record = recorded(rules=rules, start=Start(position=parse_position(text, rules)))
    assert last_of(parse_record(record.to_json())).rules == rules


@pytest.mark.parametrize("game", ["rummikub", "rummy", "tabla"])
def test_a_match_that_goes_on_from_a_saved_state_is_recorded(game: str) -> None:
    kept: list[GameRecord] = []
    match = Match(None, 2, game=game)
    match.start(3, Start())
    rng = np.random.default_rng(0)

    def play(steps: int) -> None:
        for _ in range(steps):
            if not match.over:
                match.act(int(rng.choice(np.flatnonzero(match.mask))))

    play(15)
    state = match.save()
    match.recorder = Recorder(kept.append)
    match.load(state)
    play(100_000)
    record = parse_record(kept[0].to_json())
    assert record.state == state and record.rounds[0].deal is None
    assert last_of(record).save() == match.save()


def test_an_unfinished_match_is_resumed_and_recorded_whole(recorded: Record) -> None:
    left = recorded(rules=RuleSet(rounds=2), steps=45)
    assert left.ending == "unfinished" and left.rounds[-1].scores is None
    kept: list[GameRecord] = []
    match = resume(parse_record(left.to_json()), kept.append)
    while not match.over:
        match.act(int(np.flatnonzero(match.mask)[0]))
    assert kept[0].ending == "finished"
    assert kept[0].rounds[0].actions[:45] == left.rounds[0].actions[:45]
    assert last_of(kept[0]).save() == match.save()


def test_a_finished_match_is_not_resumed(recorded: Record, path: Path) -> None:
    with pytest.raises(ValueError, match="unfinished, not finished"):
        resume(recorded(), path)


def test_scripted_players_draw_from_the_chance_of_the_game() -> None:
    # Reshuffled pools and later deals hang on how often they did.
    kept: list[GameRecord] = []
    match = Match(None, 2, game="rummy")
    match.recorder = Recorder(kept.append)
    match.start(1, Start())
    while not match.over:
        match.act(match.engine.scripted_action(match.games, 0, "random"))
    record = parse_record(kept[0].to_json())
    assert any(part.chance for part in record.rounds)
    assert last_of(record).rows == match.rows


# ------------------------------------------------------------------------- judgements


def judged() -> GameRecord:
    """A game in which the seats say what they think of each action."""
    kept: list[GameRecord] = []
    match = Match(None, 2)
    match.recorder = Recorder(kept.append, players=("thinker", "guesser"))
    match.start(1, Start())
    while not match.over:
        shares = match.mask / match.mask.sum()
        match.recorder.judge(Judgement.of(shares, value=match.seat - 0.5))
        match.act(match.engine.scripted_action(match.games, 0, "max_tiles"))
    return kept[0]


def test_judgements_are_kept_with_their_steps() -> None:
    record = parse_record(judged().to_json())
    assert record.players == ("thinker", "guesser")
    for moment in replay(record):
        if moment.action is not None:
            assert moment.judgement is not None
            assert moment.judgement.value == moment.seat - 0.5
            assert set(moment.judgement.probabilities) == set(
                np.flatnonzero(moment.mask).tolist()
            )


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ({"53": 0.25}, "sum up to 0.25"),
        ({"53": 1.25}, "from 0 to 1, not 1.25"),
        ({"x": 1.0}, "by action, not by 'x'"),
        ({"500": 1.0}, "action 500, which is illegal"),
    ],
)
def test_judgements_that_cannot_be_are_refused(
    shares: dict[str, float], told: str, path: Path
) -> None:
    def change(fields: dict[str, Any]) -> None:
        fields["rounds"][0]["judgements"][0]["probabilities"] = shares

    path.write_text(forged(judged(), change))
    with pytest.raises(ValueError, match=told):
        list(verify_records(path))


# --------------------------------------------------------------------- what is refused


def put(place: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Returns what changes a field, named by the way to it."""

    def change(fields: dict[str, Any]) -> None:
        *way, last = [
            int(key) if key.lstrip("-").isdigit() else key for key in place.split(".")
        ]
        for key in way:
            fields = fields[key]  # type: ignore[index]
        fields[last] = value  # type: ignore[index]

    return change


def drop(place: str) -> Callable[[dict[str, Any]], None]:
    def change(fields: dict[str, Any]) -> None:
        *way, last = [
            int(key) if key.lstrip("-").isdigit() else key for key in place.split(".")
        ]
        for key in way:
            fields = fields[key]  # type: ignore[index]
        del fields[last]  # type: ignore[arg-type]

    return change


REFUSED = {
    "illegal action": (
        put("rounds.0.actions.0", 0), r"step 1 of seat \d: action 0 is illegal: "
    ),
    "no such action": (put("rounds.0.actions.0", 54), "from 0 to 53, not 54"),
    "negative action": (put("rounds.0.actions.0", -1), "an action must be a whole"),
    "true for an action": (put("rounds.0.actions.0", True), "not True"),
    "no action": (put("rounds.0.actions.0", None), "must have an action"),
    "a step less": (drop("rounds.0.actions.0"), "illegal|scored|over"),
    "last step left out": (
        drop("rounds.0.actions.-1"), "has scores, but is not over"
    ),
    "scores": (put("rounds.0.scores.0", 1.5), "was scored .*, but the record has 1.5"),
    "no scores": (put("rounds.0.scores", None), "was scored .*, but .* none"),
    "scores of three": (put("rounds.0.scores", [1, 2, 3]), "2 numbers, not 3"),
    "score of no number": (put("rounds.0.scores.0", "1"), "number, not '1'"),
    "seed": (put("seed", 6), "its deal is not the one"),
    "seed too large": (put("seed", 2**64), "seed must be a whole number"),
    "deal": (put("rounds.0.deal", "K1 / K2"), "its deal is not the one"),
    "rules": (put("rules.rack_size", 13), "its deal is not the one"),
    "rule unknown": (put("rules.luck", 1), "unknown field 'luck'"),
    "rule impossible": (put("rules.rounds", 0), "rounds must be"),
    "rule missing": (drop("rules.rounds"), "rules must be whole, but have no rounds"),
    "ending": (put("ending", "unfinished"), "said to be unfinished, but is finished"),
    "ending illegal": (put("ending", "illegal"), "but is finished after the last"),
    "ending unknown": (put("ending", "won"), "ending must be one of"),
    "a player less": (put("players", ["a"]), "2 to 4|players"),
    "a player more": (put("players", ["a", "b", "c"]), "2 numbers|3 numbers"),
    "lost though legal": (
        put("rounds.0.lost", [{"step": 0, "by": "failed"}]), "is legal, but is said"
    ),
    "ended though legal": (
        put("rounds.0.lost", [{"step": 0, "by": "illegal"}]), "the match goes on"
    ),
    "lost nowhere": (
        put("rounds.0.lost", [{"step": 9999, "by": "failed"}]), "step must be a whole"
    ),
    "game": (put("game", "chess"), "game must be one of"),
    "game other": (put("game", "rummy"), "unknown field"),
    "format": (put("format", 2), "format must be 1, not 2"),
    "round more": (
        lambda fields: fields["rounds"].append(fields["rounds"][0]),
        "the match was over before it",
    ),
    "no rounds": (put("rounds", []), "is unfinished after the last"),
    "rounds no list": (put("rounds", {}), "rounds must be a list"),
    "field more": (put("luck", 1), "a record must have no 'luck'"),
    "field less": (drop("options"), "a record must have 'options'"),
    "option unknown": (put("options", {"luck": 1}), "unknown option 'luck'"),
    "deal option": (put("options", {"deal": 5}), "a deal must be|deal"),
    "position option": (put("options", {"position": [5]}), "position"),
    "state": (put("state", "AAAA"), "no saved state"),
    "state no base64": (put("state", "?"), "state must be base64"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_forged_record_is_refused_with_its_line_and_the_reason(
    name: str, recorded: Record, path: Path
) -> None:
    change, told = REFUSED[name]
    record = recorded(rules="online", seed=8)
    kept: list[GameRecord] = []
    match = Match(record.rules, 2)
    match.recorder = Recorder(kept.append)
    match.start(8, Start())
    while not match.over:
        match.act(match.engine.scripted_action(match.games, 0, "max_tiles"))
    path.write_text(record.to_json() + "\n" + forged(kept[0], change))
    verified = verify_records(path)
    assert next(verified) == (1, record)
    with pytest.raises(ValueError, match=told) as caught:
        next(verified)
    assert str(caught.value).startswith(f"{path}, line 2: ")
    assert "\n" not in str(caught.value)


def test_nothing_in_a_record_leads_to_anything_but_a_sentence(
    recorded: Record, path: Path
) -> None:
    junk: list[Any] = [
        None,
        True,
        -1,
        2**70,
        1.5,
        "",
        "R5",
        [],
        [[]],
        {},
        {"deal": [{}]},
    ]
    rng = np.random.default_rng(7)
    text = recorded(steps=30).to_json()

    def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if isinstance(value, dict | list):
            keys = list(value) if isinstance(value, dict) else range(len(value))
            return [p for key in keys for p in places(value[key], (*way, key))] + [way]
        return [way]

    refused = 0
    for _ in range(150):
        fields = json.loads(text)
        del fields["sha256"]
        ways = [way for way in places(fields) if way]
        *way, last = ways[rng.integers(len(ways))]
        part = fields
        for key in way:
            part = part[key]
        part[last] = junk[rng.integers(len(junk))]
        path.write_text(json.dumps({**fields, "sha256": digest(fields)}) + "\n")
        try:
            list(verify_records(path))
        except ValueError as error:
            refused += 1
            assert str(error).startswith(f"{path}, line 1: ")
            assert "\n" not in str(error)
    assert refused > 100


def test_a_change_that_no_rule_forbids_is_found_by_the_checksum(
    recorded: Record, path: Path
) -> None:
    line = recorded().to_json()
    path.write_text(line.replace("player_0", "champion") + "\n")
    with pytest.raises(ValueError, match="line 1: it was changed after it was written"):
        list(verify_records(path))
    with pytest.raises(ValueError, match="line 1: it was changed after it was written"):
        list(read_records(path))


def test_a_file_that_was_cut_off_anywhere_is_refused(
    recorded: Record, path: Path
) -> None:
    line = recorded(steps=20).to_json() + "\n"
    whole = line + line
    for cut in (1, 2, 30, len(line) // 2, len(line) - 1):
        path.write_text(whole[:-cut])
        with pytest.raises(ValueError, match=r"line 2: it is cut off"):
            list(verify_records(path))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "has no records"),
        (b"\n", "line 1: it is cut off or no JSON"),
        (b"[]\n", "line 1: a record must be an object, not \\[\\]"),
        (b"{}\n", "line 1: format must be 1, not None"),
        (b"\xff\n", "line 1: it is no text in UTF-8"),
        (b'{"format": NaN}\n', "line 1: it must have no NaN"),
        (b"[" * 100_000 + b"\n", "line 1: it is no record|line 1: it is cut off"),
    ],
)
def test_what_is_no_record_is_refused(content: bytes, told: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(ValueError, match=told):
        list(verify_records(path))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.jsonl cannot be read: No such file"):
        list(read_records(tmp_path / "none.jsonl"))


def test_damage_of_one_writer_stays_in_its_line(recorded: Record, path: Path) -> None:
    record = recorded(steps=5)
    path.write_text('{"format": 1, "ga')
    append_record(path, record)
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    assert parse_record(lines[1]) == record
