"""Workbooks: opened in a real spreadsheet, their formulas come to the exact figures."""

import subprocess
from fractions import Fraction
from io import BytesIO
from math import sqrt

import openpyxl
import pytest
from commands import answer, run

from houseway.documents.workbooks.book import Book
from houseway.documents.workbooks.par import par_workbook
from houseway.law import CHAPTERS
from houseway.maths.par import par

#: relative error that a spreadsheet's arithmetic may have
CLOSE = 1e-12


def recalculated(folder, books):
    """The workbooks as LibreOffice computes them, without any value that we have written."""
    for name, (book, changes) in books.items():
        opened = openpyxl.load_workbook(book)  # formulas only: the values are left behind
        for (sheet, address), value in changes.items():
            opened[sheet][address] = value
        opened.save(folder / f"{name}.xlsx")
    done = folder / "done"
    command = [
        "soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--calc",
        "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(done),
        *(str(folder / f"{name}.xlsx") for name in books),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return {name: openpyxl.load_workbook(done / f"{name}.xlsx", data_only=True) for name in books}


def numbers(book):
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, int | float)
    }


def figures(sheet):
    """The figures below each entry of a sheet, one mapping for each, in order."""
    blocks = []
    for row in sheet.iter_rows(min_col=1, max_col=3):
        if row[0].value == "Return to player":
            blocks.append({})
        if blocks and isinstance(row[2].value, int | float):
            blocks[-1].setdefault(row[0].value, row[2].value)
    return blocks


def near(found, exact):
    return abs(found - float(exact)) <= CLOSE * max(1, abs(float(exact)))


def cell_of(path, sheet, label):
    for row in openpyxl.load_workbook(path)[sheet].iter_rows(min_col=1, max_col=3):
        if row[0].value == label:
            return row[2].coordinate
    raise AssertionError(label)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workbooks")
    sheets = {id: par(id) for id in CHAPTERS}
    books = {}
    for id, sheet in sheets.items():
        path = folder / f"as-made-{id}.xlsx"
        path.write_bytes(par_workbook(sheet))
        books[id] = (path, {})
    maryland = books["md-three-card-poker"][0]
    address = cell_of(maryland, "Pair Plus A", "Straight flush")
    books["changed"] = (maryland, {("Pair Plus A", address): 40})
    for name, (call, _) in results(folder).items():
        path = folder / f"as-made-{name}.xlsx"
        assert run(*call, "--xlsx", path).returncode == 0
        books[name] = (path, {})
    return sheets, books, recalculated(folder, books)


def results(folder):
    """The other workbooks: the command that writes each, and its sheets with formulas."""
    files = [folder / name for name in ("old.toml", "new.toml")]
    if not files[0].exists():
        text = run("new", "md-three-card-poker").stdout
        for file, table in zip(files, "AB", strict=True):
            file.write_text(text.replace('pair_plus = "A"', f'pair_plus = "{table}"'))
        assert run("demo", "--rounds", 30, "--database", folder / "house.db").returncode == 0
    simulate = ("simulate", "pa-saigon-5-card", "--seed", 1)
    return {
        "simulation": ((*simulate, "--rounds", 20_000), ("Wagers",)),
        "sessions": ((*simulate, "--sessions", 50), ()),
        "days": ((*simulate, "--days", 5, "--tables", 2), ()),
        "diff": (("diff", *files), ("Holds",)),
        "report": (
            ("audit", "report", "--database", folder / "house.db"),
            ("Today by wager", "Month by wager", "Year by wager"),
        ),
    }


def rows_of(book, sheet):
    names, *rows = book[sheet].iter_rows(values_only=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["simulation", "sessions", "days", "diff", "report"])
def test_other_workbooks_come_to_the_same_numbers_in_a_spreadsheet(opened, name):
    """Every number to 12 digits, and each sheet with formulas has some."""
    _, books, done = opened
    written = numbers(openpyxl.load_workbook(books[name][0], data_only=True))
    computed = numbers(done[name])
    assert written.keys() == computed.keys()
    assert not [at for at, value in written.items() if not near(computed[at], value)]
    formulas = openpyxl.load_workbook(books[name][0])
    for sheet in results(books[name][0].parent)[name][1]:
        cells = [cell.value for row in formulas[sheet].iter_rows() for cell in row]
        assert any(str(value).startswith("=") for value in cells)


@pytest.mark.slow
def test_a_spreadsheet_comes_to_the_exact_holds(opened):
    """From the JSON of the same commands, by hand: hold, expected hold, change, interval and z."""
    _, books, done = opened
    calls = results(books["diff"][0].parent)
    holds = {row["wager"]: row for row in answer(*calls["diff"][0])["holds"]}
    for row in rows_of(done["diff"], "Holds"):
        exact = holds[row["wager"]]
        assert near(row["change"], Fraction(exact["new"]) - Fraction(exact["old"]))
    report = answer(*calls["report"][0])["today"]["wagers"]
    for row, given in zip(rows_of(done["report"], "Today by wager"), report, strict=True):
        win = Fraction(given["win"]) - Fraction(given["from_meters"])
        assert near(row["hold"], win / Fraction(given["wagered"]))
        assert near(row["above expected"], win - Fraction(given["expected"]))
    simulated = answer(*calls["simulation"][0])["wagers"]
    for row, given in zip(rows_of(done["simulation"], "Wagers"), simulated, strict=True):
        mean, error = Fraction(given["mean"]), Fraction(given["standard_error"])
        assert near(row["z"], (mean - Fraction(given["exact"])) / error)
        assert near(row["high"], mean + Fraction("2.5758293035489004") * error)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_spreadsheet_comes_to_the_exact_figures(opened, id):
    """Every figure of every entry, computed by the spreadsheet from combinations and payouts."""
    sheets, _, done = opened
    entries = sheets[id].out().wagers
    found = [
        block
        for sheet in done[id]
        if sheet.title not in ("Summary", "Strategy", "Options")
        for block in figures(sheet)
    ]
    assert len(found) == len(entries)
    for entry, block in zip(entries, found, strict=True):
        edge = Fraction(entry.house_edge or entry.at.house_edge)
        assert near(block["House edge"], edge), (entry.wager, entry.paytable, entry.players)
        assert near(block["Return to player"], 1 - edge)
        assert near(block["Hit frequency"], Fraction(entry.hit_frequency))
        if entry.variance:
            variance = Fraction(entry.variance)
            assert near(block["Variance"], variance)
            assert near(block["Standard deviation"], sqrt(variance))
        if entry.element_of_risk:
            assert near(block["Element of risk"], Fraction(entry.element_of_risk))


@pytest.mark.slow
def test_formulas_carry_the_value_that_they_come_to(opened):
    _, books, done = opened
    for id in CHAPTERS:
        written = numbers(openpyxl.load_workbook(books[id][0], data_only=True))
        computed = numbers(done[id])
        assert written.keys() == computed.keys()
        wrong = [at for at, value in written.items() if not near(computed[at], value)]
        assert not wrong


@pytest.mark.slow
def test_a_changed_payout_changes_the_figures(opened):
    """12.D(1): 40 instead of 35 to 1 for a straight flush, everywhere on the workbook."""
    _, _, done = opened
    (block,) = figures(done["changed"]["Pair Plus A"])
    # 48 straight flushes of 22,100 hands pay 5 more; the edge with 35 to 1 is 253/5525
    assert near(block["Return to player"], 1 - Fraction(253, 5525) + Fraction(48 * 5, 22100))
    summary = done["changed"]["Summary"]
    row = next(
        row for row in summary.iter_rows() if row[0].value == "Pair Plus" and row[1].value == "A"
    )
    assert near(row[4].value, block["House edge"])


def test_the_same_sheet_gives_the_same_bytes():
    sheet = par("pa-saigon-5-card")
    assert par_workbook(sheet) == par_workbook(sheet)


def test_names_of_sheets_that_excel_refuses_are_changed():
    book = Book("t", "s")
    names = [book.sheet(name).name for name in ("a/b", "a b", "x" * 40, "x" * 40, "")]
    assert len({name.lower() for name in names}) == len(names)
    assert all(len(name) <= 31 and "/" not in name for name in names)


def test_the_rules_in_force_are_on_the_workbook(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('chapter = "pa-saigon-5-card"\n[rules]\nbonus = "A"\n')
    out = tmp_path / "saigon.xlsx"
    done = run("par", "pa-saigon-5-card", "--rules", rules, "--xlsx", out)
    assert (done.returncode, done.stdout.split(":")[0], done.stderr) == (0, str(out), "")
    options = openpyxl.load_workbook(out)["Options"]
    assert ("bonus", "A") in [(row[0].value, row[1].value) for row in options.iter_rows()]


def test_a_workbook_that_cannot_be_written_is_refused_in_one_sentence(tmp_path):
    done = run("par", "pa-saigon-5-card", "--xlsx", tmp_path / "nowhere" / "x.xlsx")
    assert done.returncode == 2
    assert "there is no folder" in done.stderr
    assert done.stderr.count("\n") == 1


def table_of(path, sheet, **how):
    rows = openpyxl.load_workbook(path, **how)[sheet].iter_rows(values_only=True)
    names = next(rows)
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.slow
def test_a_simulation_as_a_workbook(tmp_path):
    """Interval and z are formulas of the estimate, its standard error and the exact figure."""
    out = tmp_path / "run.xlsx"
    run("simulate", "pa-saigon-5-card", "--rounds", 20_000, "--xlsx", out, "--json")
    for row in table_of(out, "Wagers", data_only=True):
        error = row["standard error"]
        assert row["z"] == pytest.approx((row["mean"] - row["exact"]) / error)
        # the normal curve has 99% within 2.5758 deviations
        assert row["low"] == pytest.approx(row["mean"] - 2.5758293 * error)
        assert row["high"] == pytest.approx(row["mean"] + 2.5758293 * error)
    assert all(str(row["z"]).startswith("=") for row in table_of(out, "Wagers"))


def test_two_submissions_compared_as_a_workbook(tmp_path):
    files = [tmp_path / name for name in ("old.toml", "new.toml")]
    text = run("new", "md-three-card-poker").stdout
    for file, table in zip(files, "AB", strict=True):
        file.write_text(text.replace('pair_plus = "A"', f'pair_plus = "{table}"'))
    out = tmp_path / "diff.xlsx"
    assert run("diff", *files, "--xlsx", out).returncode == 0
    changed = table_of(out, "Changes", data_only=True)
    assert [(row["field"], row["old"], row["new"]) for row in changed] == [
        ("rules.pair_plus", "A", "B")
    ]
    (plus,) = [row for row in table_of(out, "Holds", data_only=True) if row["wager"] == "pair_plus"]
    assert plus["change"] == pytest.approx(plus["new"] - plus["old"])


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_what_people_wrote_is_text_in_a_cell_and_no_formula(sign: str) -> None:
    """A name or a reason that begins like a formula is shown, and computed by nobody."""
    text = f'{sign}HYPERLINK("http://elsewhere.example","x")'
    book = Book("t", "s")
    page = book.sheet(text)
    page.put(0, 0, text)
    page.line(text, text)
    page.paragraph(3, 0, text, 20)
    cells = [cell for row in openpyxl.load_workbook(BytesIO(book.done())).active for cell in row]
    found = [cell for cell in cells if cell.value is not None]
    assert len(found) >= 3
    assert {cell.data_type for cell in found} == {"s"}
