"""The command line. Commands are imported when they are called, so that help comes at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from cyclopts import App, Token

#: name, where it lives, its line in the help; the groups are the order of the help
COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "The house": {
        "serve": ("serve:serve", "The web casino: sit down, deal, supervise, submit, investigate."),
        "play": ("play:play", "Play at a table in the terminal; the system deals."),
    },
    "The law": {
        "chapters": ("law:chapters", "The chapters: seats, decks and wagers."),
        "clauses": (
            "law:clauses",
            "Every clause, how it is met, the code and the tests that meet it.",
        ),
        "errata": ("law:errata", "Where a text stumbles, and the reading that is followed."),
    },
    "The games": {
        "settle": ("settle:settle", "Settle a round, or JSON Lines of rounds."),
        "draw": ("draw:draw", "The felt, a round on it, or a sign, as SVG, PDF or PNG."),
    },
    "Mathematics": {
        "par": ("par:par", "The PAR sheet: every wager and paytable, exact."),
        "reconcile": ("reconcile:reconcile", "Published holds beside the exact ones."),
        "strategy": (
            "strategy.command:strategy",
            "The optimal strategy, as a picture and in words.",
        ),
    },
    "Simulation": {
        "simulate": (
            "simulate.command:simulate",
            "Rounds by the million beside the exact figures.",
        ),
        "rng-test": ("rng_test:rng_test", "The random source and the shuffles on trial."),
    },
    "The Rules Submission": {
        "new": ("submission:new", "A starting file for a chapter that passes as it stands."),
        "options": ("submission:options", "What can be chosen, and under which clause."),
        "check": ("submission:check", "A submission against its chapter: every finding."),
        "diff": ("submission:diff", "What changed between two submissions, and what it does."),
        "packet": ("packet:packet", "The documents to file and to post, as PDF and SVG."),
        "submissions": (
            "submissions:submissions",
            "Submissions on the record: draft to superseded, with who and when.",
        ),
    },
    "The record": {
        "audit": (
            "audit:app",
            "The record: proved, searched, replayed, exported, reported and kept.",
        ),
        "progressive": (
            "progressive:app",
            "Linked progressives: meters, history, reconciled to the last fraction.",
        ),
    },
    "People": {
        "people": ("people:app", "The people of a record: who they are and what they may do."),
    },
    "For integrators": {
        "drive": ("drive:drive", "The live table: commands as JSON Lines in, events out."),
        "schema": ("schema:schema", "The JSON Schema of an input or output."),
    },
}


def build(called: str = "") -> App:
    """The application with every command, none of them imported yet.

    The command that is called explains itself at length; the others have one line.
    """
    from cyclopts import App, Group, Parameter

    app = App(
        name="houseway",
        help="Regulated table games, from the text of the rule to the settled chip."
        " --chapters DIR before a command adds the chapters in DIR.",
        version_flags=["--version"],
        help_flags=["--help", "-h"],
        version=_version,
        result_action="return_value",
        default_parameter=Parameter(converter=_read),
        suppress_keyboard_interrupt=False,
    )
    for number, (title, commands) in enumerate(COMMANDS.items()):
        group = Group(title, sort_key=number)
        for name, (place, line) in commands.items():
            said = {} if name == called else {"help": line}
            app.command(f"houseway.cli.{place}", name=name, group=group, **said)
    app["--help"].group = app["--version"].group = Group("Also", sort_key=99)
    return app


def _read(kind: Any, tokens: Sequence[Token]) -> Any:
    """What was typed, as Cyclopts reads it; but half a seat or half a round is not rounded to one."""
    from cyclopts import convert

    for token in tokens:
        if int in (kind, *get_args(kind)) and "." in token.value:
            raise ValueError(f"{token.value} is not a whole number")
    return convert(kind, tokens)


def _version() -> str:
    from importlib.metadata import version

    return f"houseway {version('houseway')}"


def main(arguments: list[str] | None = None) -> None:
    """Run a command: 0 done, 1 the answer is no, 2 the input or the call is wrong."""
    from houseway.errors import Refused
    from houseway.extras import not_installed

    given = sys.argv[1:] if arguments is None else arguments
    try:
        status = _run(_with_chapters(given))
    except Refused as refusal:
        print(f"houseway: {refusal}", file=sys.stderr)
        status = 2
    except ModuleNotFoundError as missing:
        print(f"houseway: {not_installed(missing)}", file=sys.stderr)
        status = 2
    except BrokenPipeError:
        # the reader left, as `head` does; that is not our error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except KeyboardInterrupt as stopped:
        print(f"houseway: {str(stopped) or 'stopped'}", file=sys.stderr)
        status = 130
    sys.stdout.flush()
    sys.exit(status)


def _with_chapters(given: list[str]) -> list[str]:
    """What was typed after `--chapters DIR`; processes that are started later see the folder too."""
    from houseway.errors import Refused

    while given and given[0].partition("=")[0] == "--chapters":
        _, equals, folder = given[0].partition("=")
        if not equals:
            folder = given[1] if len(given) > 1 else ""
        if not folder:
            raise Refused("no_such_folder", "--chapters names a folder of chapters")
        before = os.environ.get("HOUSEWAY_CHAPTERS", "")
        named = (before, os.path.abspath(folder))  # noqa: PTH100 (pathlib would cost at every start)
        os.environ["HOUSEWAY_CHAPTERS"] = os.pathsep.join(filter(None, named))
        given = given[1 if equals else 2 :]
    return given


def _run(given: list[str]) -> int:
    from cyclopts import CycloptsError

    try:
        app = build(given[0] if given else "")
        result = app(given, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        line = " ".join(str(error).split())
        print(f"houseway: {line}", file=sys.stderr)
        return 2
    except ImportError as error:
        # Cyclopts wraps what a command could not import
        if isinstance(error.__cause__, ModuleNotFoundError):
            raise error.__cause__ from None
        raise
    return result if isinstance(result, int) else 0
