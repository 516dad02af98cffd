"""The command line. Commands are imported when they are called, so that help comes at once."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from cyclopts import App, MissingArgumentError, Token, UnusedCliTokensError

    from houseway.errors import Refused

#: name, where it lives, its line in the help; the groups are the order of the help
COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "The house": {
        "serve": ("serve:serve", "Open the web casino in a browser."),
        "play": ("table.play:play", "Play at a table in the terminal."),
        "demo": ("demo:demo", "Make a record with 300 rounds to explore."),
    },
    "The law": {
        "chapters": ("law:chapters", "List the chapters with seats, decks and wagers."),
        "clauses": ("law:clauses", "Show every clause, and the code and tests that meet it."),
        "errata": ("law:errata", "Show where a text is unclear, and how it is read."),
    },
    "The games": {
        "settle": ("settle:settle", "Settle a round, or JSON Lines of rounds."),
        "draw": ("draw:draw", "Draw the felt, a round or a sign as SVG, PDF or PNG."),
    },
    "Mathematics": {
        "par": ("par:par", "Show the PAR sheet: the exact edge of every wager."),
        "reconcile": ("reconcile:reconcile", "Compare published holds with the exact ones."),
        "strategy": ("strategy.command:strategy", "Show the optimal strategy."),
    },
    "Simulation": {
        "simulate": ("simulate.command:simulate", "Simulate millions of rounds."),
        "rng-test": ("rng_test:rng_test", "Run statistical tests of the random number generator."),
    },
    "The Rules Submission": {
        "new": ("submission.files:new", "Write a starting file for a chapter."),
        "options": ("submission.files:options", "List the options, each with its clause."),
        "check": ("submission.files:check", "Check a submission against its chapter."),
        "diff": ("submission.files:diff", "Compare two submissions and their house edges."),
        "packet": ("submission.packet:packet", "Write the documents to file and to post."),
        "submissions": (
            "submission.lifecycle:submissions",
            "File, approve and list submissions on a record.",
        ),
    },
    "The record": {
        "audit": ("audit:app", "Verify, search, replay, export and report on a record."),
        "progressive": ("progressive:app", "Show, reconcile and adjust linked progressives."),
    },
    "People": {
        "people": ("people:app", "List and add the people of a record."),
    },
    "For integrators": {
        "drive": ("table.drive:drive", "Run a live table: commands in, events out, as JSON Lines."),
        "schema": ("schema:schema", "Print the JSON Schema of an input or output."),
    },
    "This program": {
        "doctor": ("doctor:doctor", "Check versions, extras, paths, port and record."),
        "completion": (
            "terminal.completion:completion",
            "Print a completion script for your shell.",
        ),
    },
}


def build(called: str = "") -> App:
    """The application with every command, none of them imported yet.

    The command that is called explains itself at length; the others have one line.
    """
    from cyclopts import App, Group, Parameter

    app = App(
        name="houseway",
        help="Regulated table games, settled clause by clause, with exact odds."
        " --chapters DIR before a command adds the chapters in DIR.",
        version_flags=["--version", "-V"],
        help_flags=["--help", "-h"],
        version=_version,
        result_action="return_value",
        default_parameter=Parameter(converter=_read, negative_iterable=(), show_default=_default),
        suppress_keyboard_interrupt=False,
    )
    for number, (title, commands) in enumerate(COMMANDS.items()):
        group = Group(title, sort_key=number)
        for name, (place, line) in commands.items():
            said = {} if name == called else {"help": line}
            app.command(f"houseway.cli.{place}", name=name, group=group, **said)
    app["--help"].group = app["--version"].group = Group("Options", sort_key=99)
    return app


def _read(kind: Any, tokens: Sequence[Token]) -> Any:
    """Return what was typed as Cyclopts reads it, but refuse a fraction for a whole number."""
    from cyclopts import convert

    for token in tokens:
        if int in (kind, *get_args(kind)) and "." in token.value:
            raise ValueError(f"{token.value} is not a whole number")
    return convert(kind, tokens)


def _default(value: Any) -> str | None:
    """A default as help shows it; none for a default that is false, None or empty."""
    if value is True:
        return "yes"
    if value in (None, False, "", ()):
        return None
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _version() -> str:
    from importlib.metadata import version

    return f"houseway {version('houseway')}"


def main(arguments: list[str] | None = None) -> None:
    """Run a command: 0 done, 1 the answer is no, 2 the input or the call is wrong."""
    from houseway.errors import Refused

    given = sys.argv[1:] if arguments is None else arguments
    if getattr(sys.stdout, "encoding", None) != "utf-8":
        from houseway.cli.terminal.plain_characters import write_plain_characters

        write_plain_characters()
    try:
        status = _run(_with_chapters(given))
        sys.stdout.flush()
    except Refused as refusal:
        print(f"houseway: {_refused(refusal, given)}", file=sys.stderr)
        status = 2
    except ModuleNotFoundError as missing:
        from houseway.extras import not_installed

        print(f"houseway: {not_installed(missing)}", file=sys.stderr)
        status = 2
    except (BrokenPipeError, SystemExit):
        # the reader left, as `head` does; that is not our error. Rich exits when help is cut off
        _drop_output()
        status = 0
    except OSError as error:
        # a full disk behind standard output, or a file that cannot be read any further
        print(f"houseway: {error.filename or 'input or output'}: {error.strerror}", file=sys.stderr)
        _drop_output()
        status = 2
    except UnicodeEncodeError as error:
        print(f"houseway: {_not_text(given) or _fault(error)}", file=sys.stderr)
        status = 2 if _not_text(given) else 70
    except Exception as error:  # noqa: BLE001 (a fault of ours: said in one line, kept for a report)
        print(f"houseway: {_fault(error)}", file=sys.stderr)
        status = 70
    except KeyboardInterrupt as stopped:
        print(f"houseway: {str(stopped) or 'stopped'}", file=sys.stderr)
        status = 130
    sys.exit(status)


def _not_text(given: list[str]) -> str:
    """What is wrong with an argument whose bytes are not UTF-8; nothing if there is none."""
    for one in given:
        try:
            one.encode()
        except UnicodeEncodeError:
            return f"the argument {one!a} is not UTF-8 text"
    return ""


def _fault(error: Exception) -> str:
    """What is said of an error that nobody foresaw; its traceback goes to a file."""
    import tempfile
    import traceback

    if os.environ.get("HOUSEWAY_TRACEBACK"):
        traceback.print_exc()
    with tempfile.NamedTemporaryFile("w", prefix="houseway-", suffix=".log", delete=False) as file:
        traceback.print_exception(error, file=file)
    says = " ".join(str(error).split())[:200]
    return (
        f"this is a fault in Houseway: {type(error).__name__}: {says}; report it with {file.name}"
    )


def _drop_output() -> None:
    """Discard what is still buffered: nothing more can be written to standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_chapters(given: list[str]) -> list[str]:
    """What was typed after `--chapters DIR`; processes that are started later see the folder too."""
    from houseway.errors import Refused

    while given and given[0].partition("=")[0] == "--chapters":
        _, equals, folder = given[0].partition("=")
        if not equals:
            folder = given[1] if len(given) > 1 else ""
        if not folder:
            raise Refused("no_such_folder", "--chapters needs a folder of chapters")
        before = os.environ.get("HOUSEWAY_CHAPTERS", "")
        named = (before, os.path.abspath(folder))  # noqa: PTH100 (pathlib would cost at every start)
        os.environ["HOUSEWAY_CHAPTERS"] = os.pathsep.join(filter(None, named))
        given = given[1 if equals else 2 :]
    return given


def _missing(error: MissingArgumentError) -> str:
    """What a call lacks, with the help for it."""
    command = " ".join(error.command_chain or ())
    argument = error.argument
    if argument is None:
        return " ".join(str(error).split())
    name = argument.name
    if error.keyword or argument.tokens:
        return f"{command} {error.keyword or name} needs a value after it"
    if name == "CHAPTER":
        return f"{command} needs CHAPTER, such as md or prime (see houseway chapters)"
    says = (argument.parameter.help or "").strip().rstrip(".")
    hint = f": {says[:1].lower()}{says[1:]}" if says else ""
    return f"{command} needs {name}{hint} (see houseway {command} --help)"


def _unexpected(error: UnusedCliTokensError, given: list[str]) -> str:
    """Which words a command does not take, and what was probably meant by them."""
    from inspect import signature

    command = " ".join(error.command_chain or ()) or "houseway"
    words = error.unused_tokens or []
    takes = signature(error.target).parameters if error.target else ()
    hint = f"(see houseway {command} --help)"
    before = given[given.index(words[0]) - 1] if words[0] in given else ""
    if before in ("--json", "--csv"):
        hint = f"; {before} writes to standard output: put > before the file"
    elif "database" in takes and re.search(r"[./\\]", words[0]):
        hint = f"; did you mean --database {words[0]}?"
    elif "rounds" in takes and words[0].rstrip("kMG").isdecimal():
        hint = f"; did you mean --rounds {words[0]}?"
    elif any(name in takes for name in ("chapter", "id")):
        hint = _several_words(given) or hint
    return f"{command}: unexpected argument {' '.join(words)}{hint}".replace("(see", " (see")


def _several_words(given: list[str]) -> str:
    """What to write if a chapter's name was typed without quotes; nothing if it is no name."""
    from houseway.errors import Refused
    from houseway.law.library import find_chapter

    name = " ".join(takewhile(lambda word: not word.startswith("-"), given[1:]))
    try:
        return f"; did you mean {find_chapter(name)}?" if " " in name else ""
    except Refused as refusal:
        return f"; {refusal.remedy}" if "did you mean" in refusal.remedy else ""


def _chapter_for_file(line: str, given: list[str]) -> str:
    """What to do if a chapter was named where a submission or a rules file is expected."""
    from houseway.errors import Refused, printable
    from houseway.law.library import find_chapter

    name = line.removeprefix("there is no file ")
    wants = given[0] in COMMANDS["The Rules Submission"] or "--rules" in given
    if name == line or "." in name or not wants:
        return ""
    try:
        find_chapter(name)
    except Refused:
        return ""
    return printable(f"; {name} is a chapter: make a file with houseway new {name} -o {name}.toml")


def _refused(refusal: Refused, given: list[str]) -> str:
    """A refusal in one line, with what was meant by a word that is no chapter or no file."""
    line = str(refusal)
    if refusal.code != "no_such_chapter":
        return f"{line}{_chapter_for_file(line, given)}"
    if meant := _several_words(given):
        return f"{line.partition('; ')[0]}{meant}"
    files = [one for one in given[1:2] if one.endswith((".toml", ".json"))]
    return f"{line}; a rules file is given with --rules {files[0]}" if files else line


#: what people type for a command that has another name
_MEANT = {
    **dict.fromkeys(("-v", "version"), "--version"),
    **dict.fromkeys(("games", "list", "ls", "info", "show"), "chapters"),
    **dict.fromkeys(("edge", "edges", "house-edge", "odds", "rtp", "payouts", "paytables"), "par"),
    **dict.fromkeys(("law", "cite"), "clauses"),
    **dict.fromkeys(("solve", "advice"), "strategy"),
    **dict.fromkeys(("felt", "layout", "sign"), "draw"),
    **dict.fromkeys(("submit", "approve"), "submissions"),
    **dict.fromkeys(("link", "links", "meters"), "progressive"),
    **dict.fromkeys(("setup", "status"), "doctor"),
    **dict.fromkeys(("rules", "choices"), "options"),
    **dict.fromkeys(("run", "sim", "montecarlo"), "simulate"),
    **dict.fromkeys(("web", "server", "start", "casino", "open", "browser", "docs",
       "practice", "train", "deal"), "serve"),
    **dict.fromkeys(("validate", "lint"), "check"),
    **dict.fromkeys(("init", "create", "template"), "new"),
    **dict.fromkeys(("compare",), "diff"),
    **dict.fromkeys(("users", "accounts"), "people"),
    **{name: f"audit {name}" for name in ("verify", "verify-deal", "replay", "rounds", "export",
       "report", "irregularities", "backup", "history", "trouble-table")},
}  # fmt: skip


def _suggesting(line: str, given: list[str]) -> str:
    """A sentence of Cyclopts about a name that is not known, with a suggestion that is likely."""
    from houseway.errors import printable

    name = given[0] if given else ""
    if flags := get_close_matches(name, ("--version", "--help"), 1, 0.75):
        return f"Unknown option: {printable(name)}. Did you mean {flags[0]}?"
    if name in _MEANT:
        return f"there is no command {name}; did you mean houseway {_MEANT[name]}?"
    # Cyclopts lists some commands at random length
    line = re.sub(r"([?.]) Available commands: .*", r"\1 (see houseway --help)", line)
    line = line.replace(". (see", " (see")
    # Cyclopts compares the dashes too, and so finds --stake like --table
    found = re.fullmatch(r"Unknown option: (\S+?)\.(?: Did you mean (\S+)\?)?", line)
    if found is None:
        return line
    typed, near = found[1], found[2] or ""
    if near and get_close_matches(typed.strip("-"), [near.strip("-")], 1, 0.66):
        return line
    command = " ".join(takewhile(lambda word: not word.startswith("-"), given[:1]))
    return f"Unknown option: {typed} (see houseway {command} --help)"


def _run(given: list[str]) -> int:
    from cyclopts import CycloptsError, MissingArgumentError, UnusedCliTokensError

    from houseway.errors import printable

    if given[:1] == ["help"]:
        given = [*given[1:], "--help"]
    try:
        app = build(given[0] if given else "")
        result = app(given, exit_on_error=False, print_error=False)
    except MissingArgumentError as error:
        chapter = None
        if error.argument is not None and error.argument.name == "CHAPTER":
            from houseway.cli.chapter_choice import missing_chapter

            chapter = missing_chapter(given)
        if chapter is not None:
            named = len(error.command_chain or (1,))
            return _run([*given[:named], chapter, *given[named:]])
        print(f"houseway: {printable(_missing(error))}", file=sys.stderr)
        return 2
    except UnusedCliTokensError as error:
        print(f"houseway: {printable(_unexpected(error, given))}", file=sys.stderr)
        return 2
    except CycloptsError as error:
        line = " ".join(str(error).split())
        line = printable(
            re.sub(r"unable to convert (.*) into int", r"\1 is not a whole number", line)
        )
        print(f"houseway: {_suggesting(line, given)}", file=sys.stderr)
        return 2
    except ImportError as error:
        # Cyclopts wraps what a command could not import
        if isinstance(error.__cause__, ModuleNotFoundError):
            raise error.__cause__ from None
        raise
    return result if isinstance(result, int) else 0
