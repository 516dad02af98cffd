"""Refuse passwords that are short or commonly guessed."""

from __future__ import annotations

import re

from houseway.errors import Refused

SHORTEST, LONGEST = 10, 256

#: of ten characters or more, the ones that lists of leaked passwords have at their top
_COMMON = frozenset(
    [
        "1234567890",
        "12345678910",
        "0123456789",
        "0987654321",
        "9876543210",
        "123456789a",
        "123456789q",
        "1q2w3e4r5t",
        "1q2w3e4r5t6y",
        "1qaz2wsx3edc",
        "q1w2e3r4t5",
        "q1w2e3r4t5y6",
        "qwertyuiop",
        "qwertyuiop123",
        "qwerty1234",
        "qwerty12345",
        "qwerty123456",
        "asdfghjkl1",
        "asdfghjkl123",
        "zxcvbnm123",
        "zxcvbnm1234",
        "abcdefghij",
        "abcdefghijk",
        "abcd123456",
        "abc1234567",
        "abc123456789",
        "aa12345678",
        "aaaaaaaaaa",
        "a123456789",
        "letmein123",
        "letmein1234",
        "iloveyou123",
        "iloveyou12",
        "iloveyou1234",
        "welcome123",
        "welcome1234",
        "welcome12345",
        "password01",
        "password10",
        "password11",
        "password12",
        "password123",
        "password1234",
        "password12345",
        "password123456",
        "passw0rd12",
        "passw0rd123",
        "p@ssw0rd123",
        "p@ssword123",
        "p@ssw0rd1234",
        "administrator",
        "administrator1",
        "admin12345",
        "admin123456",
        "changeme123",
        "changeme1234",
        "trustno1234",
        "football123",
        "baseball123",
        "basketball",
        "basketball1",
        "superman123",
        "batman12345",
        "dragon12345",
        "monkey12345",
        "sunshine123",
        "princess123",
        "michael123",
        "michelle123",
        "jennifer123",
        "starwars123",
        "pokemon123",
        "computer123",
        "internet123",
        "liverpool1",
        "liverpool123",
        "manchester",
        "chelsea123",
        "arsenal123",
        "barcelona1",
        "barcelona123",
        "realmadrid",
        "realmadrid1",
        "juventus123",
        "metallica1",
        "slipknot666",
        "myspace123",
        "tinkerbell",
        "butterfly1",
        "butterflies",
        "chocolate1",
        "chocolate123",
        "strawberry",
        "strawberry1",
        "watermelon",
        "blackberry",
        "samsung123",
        "nintendo64",
        "playstation",
        "playstation3",
        "minecraft1",
        "minecraft123",
        "counterstrike",
        "correcthorsebatterystaple",
        "casino12345",
        "houseway123",
        "houseway12",
        "blackjack1",
        "blackjack21",
        "blackjack123",
        "pokerface1",
        "jackpot777",
        "lucky77777",
    ]
)
_SEQUENCES = ("01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")


def check_password(password: str, person: str = "") -> None:
    """Refuse a password that is short or commonly guessed."""
    if len(password) < SHORTEST:
        raise Refused(
            "password_short",
            f"a password must have at least {SHORTEST} characters",
            field="password",
        )
    if len(password) > LONGEST:
        raise Refused(
            "password_long", f"a password may have up to {LONGEST} characters", field="password"
        )
    plain = password.lower()
    letters = re.sub(r"[\W_]", "", plain)
    if (
        plain in _COMMON
        or letters in _COMMON
        or len(set(plain)) < 4
        or _repeats(plain)
        or any(plain in one or plain in one[::-1] for one in _SEQUENCES)
        or (person and person in plain and len(plain) - len(person) < 6)
    ):
        raise Refused(
            "password_common",
            "this password is too common; choose another",
            field="password",
        )


def _repeats(text: str) -> bool:
    """Whether the text is a short piece repeated: abcabcabcabc."""
    return text in (text + text)[1:-1] and min(len(text), 6) > 0
