"""Words of actions, the same way for every game."""

import numpy as np
import pytest

from rummi_env.envs.game import GAMES
from rummi_env.envs.match import Match


@pytest.mark.parametrize("game", GAMES)
def test_words_of_every_legal_action_are_read_as_that_action(game: str) -> None:
    rng = np.random.default_rng(3)
    match = Match(None, 2, game=game)
    match.start(3, match.game.read_start(None, match.rules, 2))
    for _ in range(300):
        if match.over:
            break
        legal = np.flatnonzero(match.mask).tolist()
        words = [match.game.action_text(action) for action in legal]
        assert len(set(words)) == len(words)
        assert [match.game.read_action(text) for text in words] == legal
        match.act(int(rng.choice(legal)))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_action_is_refused(game: str) -> None:
    match = Match(None, 2, game=game)
    match.start(3, match.game.read_start(None, match.rules, 2))
    with pytest.raises(ValueError, match="'castle' is no action"):
        match.game.read_action("castle")
    with pytest.raises(ValueError, match="action"):
        match.game.action_text(10_000)
