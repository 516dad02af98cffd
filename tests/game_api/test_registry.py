"""The registry of game families: every part loads, and a wrong name is refused in a sentence."""

import msgspec
import pytest

from houseway.errors import Refused
from houseway.game_api.registry import FAMILIES, Part
from houseway.game_api.settle import RULES
from houseway.law import CHAPTERS, chapter


def amended(id, **changes):
    """A chapter that names another family or variant."""
    law = chapter(id)
    other = law.amended()
    other.about = msgspec.structs.replace(law.about, **changes)
    return other


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_registered_part_of_every_chapter_loads(id):
    law = chapter(id)
    for name in FAMILIES[law.about.family]:
        assert Part(name, object).of(law) is not None


def test_an_unknown_family_is_refused():
    with pytest.raises(
        Refused, match="'war', which is not installed; there are down_under, saigon, three_card"
    ):
        RULES.of(amended(CHAPTERS[0], family="war"))


def test_an_unknown_variant_is_refused():
    with pytest.raises(Refused, match="'ohio' of three_card; there are maryland"):
        RULES.of(amended(CHAPTERS[0], variant="ohio"))


def test_a_part_that_a_family_lacks_is_refused():
    part = Part("horoscope", object)
    law = chapter(CHAPTERS[0])
    assert not part.is_offered(law)
    with pytest.raises(Refused, match="three_card has no horoscope part"):
        part.of(law)


def test_a_part_of_another_type_is_an_error():
    with pytest.raises(TypeError, match="is not a int"):
        Part("rules", int).of(chapter(CHAPTERS[0]))
