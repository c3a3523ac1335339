import pickle

from rummi_env.core.errors import IllegalAction, Reason


def test_an_illegal_action_is_a_value_error_with_a_reason_and_a_sentence() -> None:
    error = IllegalAction(Reason.TOO_SHORT, "R5 R6 is too short")
    assert isinstance(error, ValueError)
    assert error.reason is Reason.TOO_SHORT
    assert str(error) == "R5 R6 is too short"


def test_an_illegal_action_keeps_its_reason_across_processes() -> None:
    error = IllegalAction(Reason.BROKEN_MELD, "R5 R6 B9 is neither a run nor a group")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.reason, str(copy)) == (error.reason, str(error))


def test_reasons_are_words_for_programs() -> None:
    assert Reason("joker_to_rack") is Reason.JOKER_TO_RACK
    assert f"{Reason.UNKNOWN_TILE}" == "unknown_tile"
