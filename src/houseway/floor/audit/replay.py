"""A round step by step: for the terminal, and as one HTML page with the felt in it."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

import msgspec

from houseway.floor.audit.rounds import before_round, events_of
from houseway.floor.deal_proof import OPENED
from houseway.floor.recorded_table import table_event
from houseway.law import Chapter
from houseway.law.hand_names import hand_words
from houseway.money import signed, spoken
from houseway.present import TableView, Viewer, table_view
from houseway.store import Event as Recorded
from houseway.store import Log
from houseway.store.event import digest
from houseway.table import Table, evolve, fold, rules_of
from houseway.table.event_text import describe, in_public


class Step(msgspec.Struct, frozen=True):
    """One event of a round: where it stands, what it says, and the table after it."""

    version: int
    time: str
    actor: str
    kind: str
    says: str
    clause: str
    hash: str
    table: Table
    #: the same without a card that lay face down
    shown: str = ""
    #: it has its own hash, and that of the step before it
    sound: bool = True


def replay(log: Log, round: dict[str, Any]) -> list[Step]:
    """Every step of a round, from its first wager to the cards in the rack."""
    table = fold(before_round(log, round))
    steps: list[Step] = []
    link = None
    for recorded in events_of(log, round):
        event = table_event(recorded)
        if event is None:
            says = shown = _of_the_seal(recorded)
            clause = ""
        else:
            table = evolve(table, event)
            law = rules_of(table).chapter
            says, shown = describe(event, law), describe(in_public(event), law)
            clause = event.clause
        at = recorded.version, recorded.time, recorded.actor, recorded.kind
        told = digest(
            recorded.previous, recorded.stream, *at[:3], recorded.kind, recorded.schema,
            recorded.body,
        )  # fmt: skip
        sound = told == recorded.hash and link in (None, recorded.previous)
        link = recorded.hash
        steps.append(Step(*at, says, clause, recorded.hash.hex(), table, shown, sound))
    return steps


#: winnings: the stake that lies on the layout is the player's own
_PAID = "Paid beside the stake"


def _of_the_seal(recorded: Recorded) -> str:
    """The fair-deal proof's entries on record, in words."""
    if recorded.kind == OPENED:
        count = sum(len(part["openings"]) for part in recorded.data["seals"])
        return f"{count} cards are opened under the seal of the shuffle"
    return _words(recorded.kind)


def in_words(round: dict[str, Any], steps: list[Step], *, reveal: bool = True) -> str:
    """A round as plain text; amounts in dollars, and cards withheld, as they are to be shown."""
    law = rules_of(steps[0].table).chapter
    rows = [("seat", "wager", "stake", "result", "for", "odds", _PAID.lower(), "clause")] + [
        (
            str(line["seat"]), law.line_name(line["wager"]), spoken(signed(line["stake"])), line["result"],
            hand_words(line["outcome"]), line["odds"], spoken(signed(line["paid"])), line["clause"],
        )
        for line in round["lines"]
    ]  # fmt: skip
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    settled = [
        "  ".join(
            cell.rjust(width) if name in ("seat", "stake", _PAID.lower()) else cell.ljust(width)
            for name, cell, width in zip(rows[0], row, wide, strict=True)
        ).rstrip()
        for row in rows
    ]
    told = [
        f"{step.version:>6}  {step.time}  {step.actor}: {step.says if reveal else step.shown}"
        + (f"  [{step.clause}]" if step.clause else "")
        + ("" if step.sound else "  NOT AS IT WAS WRITTEN")
        for step in steps
    ]
    game = f"{law.about.game}, {law.about.jurisdiction}"
    about = [
        f"Round {round['id']}: {game} ({round['chapter']}), table {round['table']}",
        f"{round['began']} to {round['ended']} (UTC), gaming day {round['day']}",
        *([f"Void: {round['voided']}"] if round["voided"] else []),
        "",
        f"the dealer: {round['cards'] or 'no cards'}",
        *([f"community cards: {round['community']}"] if round["community"] else []),
        *(
            f"seat {hand['seat']}, {hand['player']}: {hand['cards'] or 'no cards'}; "
            f"{_words(hand['decision']) or 'no decision'}; {spoken(signed(hand['net']))}"
            for hand in round["hands"]
        ),
    ]
    return "\n".join(
        [*about, "", "Settlement", "", *settled, "", f"the house: {spoken(signed(round['win']))}", "", "Step by step",
         "", *told, ""]
    )  # fmt: skip


def _words(id: str) -> str:
    return id.replace("_", " ")


def page(round: dict[str, Any], steps: list[Step], *, reveal: bool = True) -> str:
    """A self-contained page: the felt at every step, the steps beside it, keys to go through.

    Without `reveal` it shows no card that was not exposed at the table.
    """
    from houseway.drawing import Look, draw, symbols
    from houseway.drawing.theme import style, theme_of

    rules = rules_of(steps[0].table)
    views: list[TableView] = []
    of_step = []
    viewer, look = Viewer("record" if reveal else "public"), Look(page=True)
    for step in steps:
        view = table_view(step.table, viewer)
        if not views or views[-1] != view:
            views.append(view)
        of_step.append(len(views) - 1)
    # ids of its own for each picture: what a hidden one defines, another cannot use
    frames = [
        draw(rules, view, replace(look, prefix=f"f{number}-")) for number, view in enumerate(views)
    ]
    rows = "".join(
        f'<li data-frame="{frame}"><button type="button"><span class="n">{step.version}</span> '
        f'<span class="says">{escape(step.says if reveal else step.shown)}</span>'
        f"{'' if step.sound else ' <strong>not as it was written</strong>'}"
        f'<span class="who">{escape(step.actor)} · <time>{escape(step.time)}</time>'
        f"{f' · <span class=clause>{escape(step.clause)}</span>' if step.clause else ''}"
        "</span></button></li>"
        for step, frame in zip(steps, of_step, strict=True)
    )
    felts = "".join(
        f'<figure id="frame-{number}"{" hidden" if number else ""}>{frame}</figure>'
        for number, frame in enumerate(frames)
    )
    title = f"Round {round['id']}"
    law = rules.chapter.about
    about = (
        f"{law.game}, {law.jurisdiction} ({round['chapter']}) · table {round['table']} · "
        f"{round['began']} to {round['ended']}"
    )
    last = escape(steps[-1].hash)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}'
        f"{style(theme_of(look.theme))}</style></head><body>"
        f"{symbols()}<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>"
        f'<main><section aria-live="polite">{felts}<p class="now"><span id="count"></span> '
        '<span id="now"></span> <span id="clause"></span></p>'
        '<nav><button id="back" type="button">Back</button>'
        '<button id="next" type="button">Next step</button></nav></section>'
        f'<ol aria-label="Steps">{rows}</ol></main>{_settlement(round, rules.chapter)}'
        f"<footer>The last event of this round has the hash {last}. "
        f"<code>houseway audit verify</code> proves it.</footer><script>{_SCRIPT}</script></body></html>"
    )


def _settlement(round: dict[str, Any], law: Chapter) -> str:
    """Every payment and collection in its order, with the clause that it rests on."""
    if not round["lines"]:
        return f'<section class="lines"><p>The round was void: {escape(round["voided"])}.</p></section>'
    rows = "".join(
        f"<tr><td>{line['seat']}</td><td>{escape(law.line_name(line['wager']))}</td>"
        f'<td class="money">{spoken(line["stake"])}</td><td>{escape(line["result"])}</td>'
        f"<td>{escape(hand_words(line['outcome']))}</td><td>{escape(line['odds'])}</td>"
        f'<td class="money">{spoken(line["paid"])}</td><td>{escape(line["clause"])}</td></tr>'
        for line in round["lines"]
    )
    heads = "".join(
        f'<th scope="col"{" class=money" if name in ("Stake", _PAID) else ""}>{name}</th>'
        for name in ("Seat", "Wager", "Stake", "Result", "For", "Odds", _PAID, "Clause")
    )
    house = f"The house {'loses' if round['win'] < 0 else 'wins'} {spoken(abs(round['win']))}."
    return (
        '<section class="lines"><h2>Settlement</h2><table><thead><tr>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table><p>{house}</p></section>"
    )


_STYLE = """
:root{color-scheme:dark}*{box-sizing:border-box}
body{margin:0;background:#101714;color:#e9ede9;font:16px/1.45 system-ui,sans-serif}
header,footer{padding:.8rem 1.2rem}.symbols{position:absolute}h1{margin:0;font:600 1.4rem Georgia,serif;color:#e4c77a}
header p,footer{margin:0;color:#b7c2bb;font-size:.9rem;overflow-wrap:anywhere}
main{display:grid;grid-template-columns:minmax(0,2fr) minmax(18rem,1fr);gap:1rem;padding:0 1.2rem}
figure{margin:0}figure svg{width:100%;height:auto;display:block}
ol{list-style:none;margin:0;padding:0;max-height:80vh;overflow:auto;background:#18211d}
li button{display:block;width:100%;text-align:left;background:none;border:0;border-left:3px solid transparent;
 color:inherit;font:inherit;padding:.35rem .7rem;cursor:pointer}
li[aria-current] button{border-color:#e4c77a;background:#22302a}
.n{color:#b7c2bb;font-variant-numeric:tabular-nums}.who{display:block;font-size:.8rem;color:#b7c2bb}
.now{min-height:1.5em;font-size:1.1rem}#count,#clause{color:#b7c2bb;font-size:.9rem}li strong{color:#f2a9a9}
.lines{padding:1rem 1.2rem;overflow-x:auto}h2{font:600 1.1rem Georgia,serif;color:#e4c77a;margin:.4rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.3rem 1.2rem .3rem 0;border-bottom:1px solid #2c3a33}
th{color:#b7c2bb;font-weight:500}.money{text-align:right}nav{display:flex;gap:.6rem}
nav button{font:inherit;padding:.6rem 1.4rem;border-radius:.4rem;border:1px solid #e4c77a;background:none;color:#e4c77a;cursor:pointer}
#next{background:#e4c77a;color:#101714}button:focus-visible{outline:3px solid #e4c77a;outline-offset:-3px}
@media(max-width:60rem){main{grid-template-columns:minmax(0,1fr)}ol{max-height:45vh}}
"""
_SCRIPT = """
const steps=[...document.querySelectorAll('li')];let at=0;
function show(n){at=Math.max(0,Math.min(steps.length-1,n));
 for(const f of document.querySelectorAll('figure'))f.hidden=f.id!=='frame-'+steps[at].dataset.frame;
 steps.forEach((s,i)=>i===at?s.setAttribute('aria-current','step'):s.removeAttribute('aria-current'));
 const set=(id,text)=>{document.getElementById(id).textContent=text};
 const says=steps[at].querySelector('.says').textContent,clause=steps[at].querySelector('.clause');
 set('count',(at+1)+' of '+steps.length);set('now',says[0].toUpperCase()+says.slice(1));
 set('clause',clause?clause.textContent:'');
 // the list moves, the page does not
 const list=steps[at].parentNode,top=steps[at].offsetTop-list.offsetTop,end=top+steps[at].offsetHeight;
 if(top<list.scrollTop)list.scrollTop=top;else if(end>list.scrollTop+list.clientHeight)list.scrollTop=end-list.clientHeight}
steps.forEach((s,i)=>s.firstChild.addEventListener('click',()=>show(i)));
document.getElementById('next').addEventListener('click',()=>show(at+1));
document.getElementById('back').addEventListener('click',()=>show(at-1));
addEventListener('keydown',e=>{if(e.key==='ArrowRight'||e.key==='ArrowDown'){e.preventDefault();show(at+1)}
 if(e.key==='ArrowLeft'||e.key==='ArrowUp'){e.preventDefault();show(at-1)}});
show(0);
"""
