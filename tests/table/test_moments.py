"""Every moment of a round is done by the clause that the text gives for it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from moments import games, moments

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites

TEXT = tomllib.loads(Path(__file__).with_name("moments.toml").read_text(encoding="utf-8"))


def check(chapter: str) -> None:
    for number in range(len(games(chapter))):
        found = moments(chapter, number)
        for moment, ways in TEXT[chapter].items():
            for way in ways:
                if number in way["games"]:
                    assert (moment, found.get(moment, set()) - {""}) == (moment, {*way["clauses"]})
            elsewhere = {
                one for way in ways if number not in way["games"] for one in way["clauses"]
            }
            here = {one for way in ways if number in way["games"] for one in way["clauses"]}
            assert found.get(moment, set()).isdisjoint(elsewhere - here)


@cites(MD, "3.B(4)", "3.C", "5.A", "5.A(3)", "5.F", "5.G", "7.A", "7.B", "7.C", "7.D", "7.E")
@cites(MD, "7.F(1)", "7.F(2)", "7.F(4)", "7.F(5)", "7.F(6)", "8.C", "8.C(1)", "8.C(2)(b)")
@cites(MD, "8.E(1)", "8.E(2)", "8.E(3)", "8.F", "9.B", "9.B(1)", "9.B(2)(b)", "9.C(2)", "9.C(4)")
@cites(MD, "9.C(5)", "9.D", "10.A(2)", "10.A(3)(b)", "10.B(1)", "10.B(2)", "10.B(4)", "10.B(5)")
@cites(MD, "10.C", "11.B", "11.D(1)", "11.D(2)", "11.D(3)", "11.D(4)", "11.D(5)", "11.D(7)(c)")
@cites(MD, "11.D(8)", "11.D(9)", "11.D(9)(b)", "11.E", "11.F(1)", "11.F(2)", "13.A", "13.C")
@cites(MD, "13.D", "13.E", "13.F", "13.G", "13.H", "5.H", "5.H(1)", "7.C(1)", "11.D(3)(a)")
def test_the_moments_of_maryland() -> None:
    check(MD)


@cites(MA, "2(b)(4)", "5(a)", "6(a)(1)", "6(a)(2)", "6(b)", "6(c)", "6(d)", "6(g)", "7(b)")
@cites(MA, "7(c)", "7(d)", "7(e)", "8(b)(3)", "8(c)", "8(d)", "8(e)", "9(b)(2)", "9(c)")
@cites(MA, "9(c)(2)", "9(d)", "9(e)", "10(b)", "10(c)(1)(i)", "10(c)(1)(ii)", "10(c)(1)(iii)")
@cites(MA, "10(c)(1)(iv)", "10(c)(2)(i)", "10(c)(2)(ii)", "10(c)(2)(iii)", "12(a)", "12(j)")
@cites(MA, "13(a)", "13(c)", "14(a)", "14(b)", "14(c)", "14(d)", "14(e)", "14(f)", "14(g)")
@cites(MA, "4(a)", "4(d)", "5(e)", "10(c)", "12(d)", "12(h)", "12(i)", "13(b)", "13(e)(b)")
def test_the_moments_of_massachusetts() -> None:
    check(MA)


@cites(PRIME, "679a.3(b)(2)", "679a.3(b)(3)", "679a.3(b)(4)", "679a.3(c)", "679a.4(d)")
@cites(PRIME, "679a.5(a)", "679a.5(d)", "679a.5(e)", "679a.7(a)", "679a.7(b)", "679a.7(c)")
@cites(PRIME, "679a.7(d)(1)", "679a.7(d)(2)", "679a.7(d)(3)", "679a.7(d)(4)", "679a.8(c)")
@cites(PRIME, "679a.8(d)", "679a.8(e)", "679a.9(a)(3)", "679a.9(b)", "679a.9(c)", "679a.9(d)")
@cites(PRIME, "679a.10(a)(2)", "679a.10(b)", "679a.10(c)", "679a.10(d)", "679a.10(g)")
@cites(PRIME, "679a.10(g)(1)", "679a.10(g)(2)", "679a.11(b)", "679a.11(c)", "679a.11(c)(3)")
@cites(PRIME, "679a.11(d)(1)", "679a.11(d)(2)", "679a.11(d)(2)(ii)", "679a.11(d)(3)")
@cites(PRIME, "679a.11(e)", "679a.13(a)", "679a.13(b)", "679a.13(c)", "679a.13(d)", "679a.13(e)")
@cites(PRIME, "679a.13(f)", "679a.13(g)", "679a.5(f)", "679a.8(b)", "679a.11(c)(1)")
def test_the_moments_of_prime() -> None:
    check(PRIME)


@cites(SAIGON, "680a.3(a)", "680a.3(b)(2)", "680a.3(b)(3)", "680a.3(b)(4)", "680a.3(c)")
@cites(SAIGON, "680a.4(d)", "680a.5(a)", "680a.5(d)", "680a.5(e)", "680a.7(a)", "680a.7(b)")
@cites(SAIGON, "680a.7(c)", "680a.7(d)(1)", "680a.7(d)(2)", "680a.8(b)", "680a.8(c)", "680a.8(d)")
@cites(SAIGON, "680a.8(e)", "680a.9(a)(3)", "680a.9(b)", "680a.9(c)", "680a.9(d)")
@cites(SAIGON, "680a.5(f)", "680a.10(a)(2)", "680a.10(b)", "680a.10(c)", "680a.10(d)")
@cites(SAIGON, "680a.11(b)", "680a.11(c)", "680a.11(d)", "680a.11(d)(1)(ii)", "680a.11(d)(2)(ii)")
@cites(SAIGON, "680a.11(e)", "680a.11(f)", "680a.13(a)", "680a.13(b)", "680a.13(c)", "680a.13(d)")
@cites(SAIGON, "680a.13(e)", "680a.13(f)")
def test_the_moments_of_saigon() -> None:
    check(SAIGON)


@cites(DOWN_UNDER, "685a.3(c)", "685a.5(a)", "685a.5(c)", "685a.5(d)", "685a.5(e)", "685a.5(f)")
@cites(DOWN_UNDER, "685a.6(a)", "685a.6(c)", "685a.6(d)", "685a.6(e)", "685a.7(c)")
@cites(DOWN_UNDER, "685a.7(e)", "685a.7(e)(1)", "685a.7(e)(2)", "685a.7(e)(3)")
@cites(DOWN_UNDER, "685a.7(e)(4)", "685a.7(f)", "685a.7(h)", "685a.7(i)(1)", "685a.7(i)(2)")
@cites(DOWN_UNDER, "685a.7(j)", "685a.7(l)", "685a.7(m)", "685a.7(r)(1)", "685a.7(r)(2)")
@cites(DOWN_UNDER, "685a.9(a)", "685a.10(a)", "685a.12(a)", "685a.12(b)", "685a.12(d)")
@cites(DOWN_UNDER, "685a.12(f)", "685a.12(g)", "685a.12(h)", "685a.12(i)", "685a.12(j)")
@cites(DOWN_UNDER, "685a.2(d)", "685a.4(d)", "685a.5(b)", "685a.5(g)", "685a.5(h)", "685a.7(s)")
def test_the_moments_of_down_under() -> None:
    check(DOWN_UNDER)
