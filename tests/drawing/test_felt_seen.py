"""Pictures as a browser draws them: not blank, not clipped, lettering within its bounds."""

from __future__ import annotations

import base64
import importlib.util
import itertools
import re
from pathlib import Path

import pytest
from every_table import fullest

from houseway.drawing import THEMES, Look, draw, draw_compact, lay_out, sign
from houseway.drawing.pieces.suits import SUIT_PATHS
from houseway.law import CHAPTERS, MA, MD, PRIME

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"

#: what is drawn but reaches over the edge of the picture, by name
CLIPPED = """() => {
  const svg = document.querySelector('svg'), frame = svg.getBoundingClientRect();
  const over = [];
  for (const e of svg.querySelectorAll('text,use,rect,circle,path,ellipse')) {
    if (e.closest('defs,symbol,pattern')) continue;
    const b = e.getBoundingClientRect();
    if (!b.width && !b.height) continue;
    if (b.left < frame.left - 1 || b.top < frame.top - 1 || b.right > frame.right + 1
        || b.bottom > frame.bottom + 1) over.push(e.outerHTML.slice(0, 120));
  }
  return over;
}"""

#: how many colors a picture has, and how much of it is not its commonest color
COLORS = """async ([png, w, h]) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = w; canvas.height = h;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, w, h);
  const data = context.getImageData(0, 0, w, h).data, seen = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const color = (data[i] >> 4) << 8 | (data[i + 1] >> 4) << 4 | data[i + 2] >> 4;
    seen.set(color, (seen.get(color) || 0) + 1);
  }
  const most = Math.max(...seen.values());
  return [seen.size, 1 - most / (data.length / 4)];
}"""


def page_with(browser, svg: str, width: int, height: int):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_content(
        f"<body style='margin:0'><style>svg{{width:{width}px;height:{height}px;display:block}}"
        f"</style>{svg}</body>"
    )
    return page


def size_of(svg: str, width: int) -> tuple[int, int]:
    box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg)
    assert box is not None
    return width, round(width * float(box[2]) / float(box[1]))


def look_at(browser, svg: str, width: int) -> tuple[list[str], int, float]:
    """What is clipped, how many colors there are, how much of the picture is drawn on."""
    wide, tall = size_of(svg, width)
    page = page_with(browser, svg, wide, tall)
    clipped = page.evaluate(CLIPPED)
    png = base64.b64encode(page.screenshot()).decode()
    colors, drawn_on = page.evaluate(COLORS, [png, wide, tall])
    page.close()
    return clipped, colors, drawn_on


def gallery():
    spec = importlib.util.spec_from_file_location("gallery_make", GALLERY / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["gallery_make"] = module
    spec.loader.exec_module(module)
    return module


SECTIONS = list(gallery().pictures())
PICTURES = {picture.name: picture for _, found in SECTIONS for picture in found}


@pytest.mark.slow
@pytest.mark.parametrize(
    "section",
    [
        pytest.param(title, marks=pytest.mark.full if at else ())
        for at, (title, _) in enumerate(SECTIONS)
    ],
)
def test_no_picture_of_the_gallery_is_blank_or_clipped(browser, section: str) -> None:
    for picture in dict(SECTIONS)[section]:
        clipped, colors, drawn_on = look_at(browser, picture.svg, min(picture.wide, 600))
        assert clipped == [], picture.name
        assert colors >= 6, picture.name
        assert drawn_on > 0.02, picture.name


def test_the_gallery_has_every_chapter_theme_and_role() -> None:
    for id in CHAPTERS:
        for theme in THEMES:
            assert f"{id}-{theme}" in PICTURES
        for role in ("public", "seat", "dealer", "floor"):
            assert f"{id}-dealt-{role}" in PICTURES
        assert f"{id}-settled" in PICTURES
        assert f"{id}-sign-payouts" in PICTURES


def test_the_gallery_page_shows_every_picture_that_is_made() -> None:
    page = (GALLERY / "index.html").read_text(encoding="utf-8")
    for name in PICTURES:
        assert f'src="{name}.svg"' in page
        assert (GALLERY / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_script_writes_the_gallery(tmp_path) -> None:
    assert gallery().make(tmp_path) == len(PICTURES)
    assert len(list(tmp_path.glob("*.svg"))) == len(PICTURES)


def test_a_blank_or_clipped_picture_would_be_found(browser) -> None:
    blank = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>'
    clipped, colors, drawn_on = look_at(browser, blank, 100)
    assert clipped == []
    assert colors < 6
    assert drawn_on <= 0.02
    over = blank.replace("</svg>", '<circle cx="9" cy="5" r="4" fill="red"/></svg>')
    assert look_at(browser, over, 100)[0] != []


#: boxes, in millimeters, of every text under an element
TEXT_BOXES = """(selector) => {
  const svg = document.querySelector('svg'), found = [];
  const matrix = svg.getScreenCTM().inverse();
  for (const group of svg.querySelectorAll(selector)) {
    const texts = group.tagName === 'text' ? [group] : group.querySelectorAll('text');
    for (const text of texts) {
      const b = text.getBoundingClientRect();
      const a = new DOMPoint(b.left, b.top).matrixTransform(matrix);
      const z = new DOMPoint(b.right, b.bottom).matrixTransform(matrix);
      found.push([group.id, text.textContent, a.x, a.y, z.x, z.y]);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("family", ["", "DejaVu Serif"])
@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_lettering_stays_in_its_panel_with_a_wide_serif_too(browser, chapter_id, family) -> None:
    """The platform's serif is not known; one that is a sixth wider must not spill."""
    rules = fullest(chapter_id)
    svg = draw(rules)
    if family:
        svg = re.sub(r"font-family:'Times New Roman'[^;}]*", f"font-family:'{family}'", svg)
    page = page_with(browser, svg, *size_of(svg, 1400))
    boxes = {f"panel-{p.panel.wager}": p.box for p in lay_out(rules).panels}
    lines: dict[tuple[str, int], list[tuple[float, float]]] = {}
    texts = page.evaluate(TEXT_BOXES, ".panel")
    assert len(texts) > 4
    for id, words, left, top, right, bottom in texts:
        box = boxes[id]
        assert left >= box.x - box.width / 2 - 2, words
        assert right <= box.x + box.width / 2 + 2, words
        assert top >= box.y - box.height / 2 - 6, words
        assert bottom <= box.y + box.height / 2 + 6, words
        lines.setdefault((id, round(bottom)), []).append((left, right))
    for key, row in lines.items():
        row.sort()
        for (_, right), (left, _) in itertools.pairwise(row):
            assert right <= left + 1, key
    page.close()


@pytest.mark.parametrize("family", ["", "DejaVu Serif"])
@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_word_on_an_arc_is_drawn(browser, chapter_id, family) -> None:
    """A browser leaves out letters that have no room on their path."""
    svg = draw(fullest(chapter_id), look=Look(house="The Grand Riverside Casino"))
    if family:
        svg = re.sub(r"font-family:'Times New Roman'[^;}]*", f"font-family:'{family}'", svg)
    page = page_with(browser, svg, *size_of(svg, 1400))
    arcs = page.evaluate(
        """() => [...document.querySelectorAll('text.words')].map(t => {
          const last = t.getNumberOfChars() - 1;
          const path = document.querySelector(t.querySelector('textPath').getAttribute('href'));
          const box = t.getEndPositionOfChar(last), end = path.getPointAtLength(path.getTotalLength());
          return [t.textContent, t.getComputedTextLength(), path.getTotalLength(),
                  Math.hypot(box.x - end.x, box.y - end.y)];
        })"""
    )
    assert len(arcs) >= 3
    for words, length, path, short_of_end in arcs:
        assert length <= path, words
        # the last letter ends before the path does, so it was drawn
        assert 0 < short_of_end < path, words
    page.close()


@pytest.mark.parametrize("chapter_id", [MD, MA, PRIME])
def test_a_phone_can_be_read(browser, chapter_id) -> None:
    """On a narrow phone nothing is set smaller than 10 pixels, and cards are large."""
    picture = PICTURES[f"{chapter_id}-phone-green"]
    page = page_with(browser, picture.svg, *size_of(picture.svg, 360))
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('svg > text, svg > g text')].filter(
          t => !t.closest('defs')).map(t => [t.textContent,
            parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().d])"""
    )
    assert len(sizes) > 8
    assert [text for text, size in sizes if size < 10] == []
    cards = page.evaluate(
        """() => [...document.querySelectorAll('.card')].map(
          c => c.getBoundingClientRect().width).sort((a, b) => b - a)"""
    )
    assert cards[0] >= 60
    page.close()


def test_suits_are_told_apart_without_color_at_the_size_of_an_index(browser) -> None:
    """Each pair of outlines differs in at least a sixth of its ink, at 10 pixels."""
    page = browser.new_page(viewport={"width": 100, "height": 100})
    shapes = {}
    for suit, path in SUIT_PATHS.items():
        shapes[suit] = page.evaluate(
            """(d) => {
              const c = document.createElement('canvas'); c.width = c.height = 10;
              const x = c.getContext('2d'); x.scale(.1, .1); x.fill(new Path2D(d));
              const data = x.getImageData(0, 0, 10, 10).data, ink = [];
              for (let i = 3; i < data.length; i += 4) ink.push(data[i] / 255);
              return ink;
            }""",
            path,
        )
    page.close()
    suits = sorted(shapes)
    for at, one in enumerate(suits):
        assert sum(shapes[one]) > 20
        for other in suits[at + 1 :]:
            apart = sum(abs(a - b) for a, b in zip(shapes[one], shapes[other], strict=True))
            assert apart / sum(shapes[one]) > 1 / 6, (one, other)


def test_a_sign_and_a_phone_without_a_view_are_drawn(browser) -> None:
    rules = fullest(MD)
    for svg in (draw_compact(rules), sign(rules, "out_of_order")):
        clipped, _, drawn_on = look_at(browser, svg, 390)
        assert clipped == []
        assert drawn_on > 0.02


@pytest.mark.slow
def test_a_small_card_has_its_ivory_face_on_a_phone(browser) -> None:
    """A rule for areas must not make the cards of a tile transparent."""
    picture = PICTURES[f"{PRIME}-phone-green"]
    page = page_with(browser, picture.svg, *size_of(picture.svg, 390))
    faces = page.evaluate(
        """() => [...document.querySelectorAll('.tile rect[fill="#fdfbf4"]')].map(r => {
          const s = getComputedStyle(r); return [s.fill, s.fillOpacity]; })"""
    )
    assert len(faces) > 3
    assert {tuple(face) for face in faces} == {("rgb(253, 251, 244)", "1")}
    page.close()
