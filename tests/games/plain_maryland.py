"""A round of Maryland settled the slow, obvious way, straight from Chapters 11 and 12.

It reads the same JSON as the program and shares no code with it: hands come from `plain_poker`,
payouts from `maryland_text`. Money is in cents.
"""

import maryland_text as text
import plain_poker as plain
from maryland_table import in_cents, owed


def three_names(hand: list[str]) -> list[str]:
    """What a three-card hand is called, the most particular first."""
    names = [plain.THREE_CARD[plain.three_card(hand)[0]]]
    if {card[0] for card in hand} == set("AKQ") and len({card[1] for card in hand}) == 1:
        names.insert(0, "mini_royal")
        if hand[0][1] == "s":
            names.insert(0, "mini_royal_spades")
    return names


def six_names(hand: list[str]) -> list[str]:
    """What the player's and the dealer's cards are called together."""
    names = [plain.best_five(hand)]
    if {card[0] for card in hand} == set("AKQJT9") and len({card[1] for card in hand}) == 1:
        names.insert(0, "super_royal")
        if hand[0][1] == "d":
            names.insert(0, "super_royal_diamonds")
    return names


def dealer_plays(hand: list[str]) -> bool:
    rank, cards = plain.three_card(hand)
    return rank > 0 or cards[0] >= plain.RANKS.index("Q")


def folded(seat: dict) -> bool:
    return "ante" in seat["wagers"] and seat["decision"] == "fold"


def settle(given: dict) -> tuple[dict[int, list[tuple[str, str, int]]], dict[str, list[int]]]:
    """By seat the lines as wager, result and paid; by meter what it paid and what it shows."""
    rules = given["rules"]
    shows = {name: in_cents(amount) for name, amount in given["meters"].items()}
    paid = dict.fromkeys(shows, 0)
    settled: dict[int, list[tuple[str, str, int]]] = {}

    def against_table(wager: str, names: list[str], stake: int) -> tuple[str, str, int]:
        odds = text.pays(wager, rules[wager], *names)
        if odds is None:
            return wager, "lose", 0
        if "%" not in odds:
            return wager, "win", owed(odds, stake)
        tier = odds.split()[-1]
        meter = wager if tier == "meter" else f"{wager}.{tier}"
        beside = owed(odds, stake, shows[meter])
        paid[meter] += beside + stake
        shows[meter] = 100_000 if odds.startswith("100%") else shows[meter] - beside - stake
        return wager, "win", beside

    for seat in sorted(given["seats"], key=lambda seat: seat["seat"], reverse=True):
        cards, wagers = seat["cards"], seat["wagers"]
        stakes = {wager: in_cents(amount) for wager, amount in wagers.items()}
        mine, dealers = plain.three_card(cards), plain.three_card(given["dealer"])
        out = folded(seat)
        lines = settled[seat["seat"]] = []
        if out:
            lines.append(("ante", "forfeit", 0))
        elif "ante" in stakes:
            ante = stakes["ante"]
            if not dealer_plays(given["dealer"]):
                lines += [("ante", "win", ante), ("play", "push", 0)]
            elif mine == dealers:
                lines += [("ante", "push", 0), ("play", "push", 0)]
            elif mine > dealers:
                lines += [("ante", "win", ante), ("play", "win", ante)]
            else:
                lines += [("ante", "lose", 0), ("play", "lose", 0)]
            odds = text.pays("ante_bonus", rules["ante_bonus"], *three_names(cards))
            if odds is not None:
                lines.append(("ante_bonus", "bonus", owed(odds, ante)))
        if "pair_plus" in stakes:
            lines.append(
                ("pair_plus", "forfeit", 0)
                if out
                else against_table("pair_plus", three_names(cards), stakes["pair_plus"])
            )
        if "progressive" in stakes:
            lines.append(
                ("progressive", "forfeit", 0)
                if out
                else against_table("progressive", three_names(cards), stakes["progressive"])
            )
            for other in sorted(given["seats"], key=lambda seat: seat["seat"], reverse=True):
                same = other is seat or (seat["player"] and other["player"] == seat["player"])
                if not same and not folded(other):
                    names = three_names(other["cards"])
                    odds = text.pays("envy", wagers["progressive"], *names)
                    if odds is not None:
                        lines.append(("envy", "bonus", owed(odds, 0)))
        if "six_card_bonus" in stakes:
            together = six_names(cards + given["dealer"])
            lines.append(against_table("six_card_bonus", together, stakes["six_card_bonus"]))
        if "five_card_progressive" in stakes:
            best = [plain.five_card(cards + given["community"])]
            lines.append(
                ("five_card_progressive", "forfeit", 0)
                if out
                else against_table("five_card_progressive", best, stakes["five_card_progressive"])
            )
    return settled, {name: [paid[name], shows[name]] for name in shows}
