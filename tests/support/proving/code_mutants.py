"""Mutants of code: one small change in a function that cites a clause.

Every mutant is made from the source and applied in memory, in a process that is thrown away.
"""

from __future__ import annotations

import ast
import copy
import difflib
import gc
import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

Function = ast.FunctionDef | ast.AsyncFunctionDef
#: what a changed node becomes, or None where the change does not apply to it
Change = Callable[[ast.AST, "ast.AST | None"], "ast.AST | None"]

_SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OTHER_SUM: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
}  # fmt: skip


def _not(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def negated(node: ast.AST, _above: ast.AST | None) -> ast.AST | None:
    """`if x` becomes `if not x`."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        node.test = _not(node.test)
        return node
    if isinstance(node, ast.comprehension) and node.ifs:
        node.ifs = [_not(node.ifs[0]), *node.ifs[1:]]
        return node
    return None


def other_logic(node: ast.AST, _above: ast.AST | None) -> ast.AST | None:
    """`a and b` becomes `a or b`."""
    if not isinstance(node, ast.BoolOp):
        return None
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return node


def opposite(node: ast.AST, above: ast.AST | None) -> ast.AST | None:
    """`a == b` becomes `a != b` where it is a part of something larger."""
    if (
        not isinstance(node, ast.Compare)
        or len(node.ops) != 1
        or type(node.ops[0]) not in _OPPOSITE
    ):
        return None
    if isinstance(above, ast.If | ast.While | ast.IfExp | ast.comprehension):
        return None  # `negated` does that
    node.ops = [_OPPOSITE[type(node.ops[0])]()]
    return node


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and node.value is not False


def shifted(node: ast.AST, _above: ast.AST | None) -> ast.AST | None:
    """`a < b` becomes `a <= b`."""
    if not isinstance(node, ast.Compare) or type(node.ops[0]) not in _SHIFTED:
        return None
    if _is_nothing(node.left) or _is_nothing(node.comparators[0]):
        return None  # amounts and counts are not below nothing, so it would often be the same
    node.ops = [_SHIFTED[type(node.ops[0])](), *node.ops[1:]]
    return node


def unrefused(node: ast.AST, _above: ast.AST | None) -> ast.AST | None:
    """`raise refusal` goes away."""
    return ast.Pass() if isinstance(node, ast.Raise) and node.exc is not None else None


def left_out(node: ast.AST, _above: ast.AST | None) -> ast.AST | None:
    """A statement that does something goes away."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom):
        return ast.If(ast.Constant(False), [node], [])  # it stays a generator
    if isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        return ast.Pass()
    return None


def other_amount(node: ast.AST, above: ast.AST | None) -> ast.AST | None:
    """A number becomes one more; a sum, a difference."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        counts = isinstance(above, ast.BinOp | ast.Compare | ast.Return | ast.IfExp | ast.AugAssign)
        # elsewhere it is mostly an index or a name, which proves nothing
        return ast.Constant(node.value + 1) if counts and node.value else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OTHER_SUM:
        if any(isinstance(side, ast.JoinedStr | ast.Tuple) for side in (node.left, node.right)):
            return None
        node.op = _OTHER_SUM[type(node.op)]()
        return node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = {"min": "max", "max": "min"}.get(node.func.id)
        if other is not None and (len(node.args) > 1 or not node.keywords):
            node.func = ast.Name(other, ast.Load())
            return node
    return None


def other_flag(node: ast.AST, above: ast.AST | None) -> ast.AST | None:
    """`True` becomes `False` where it is handed on."""
    handed = isinstance(above, ast.keyword | ast.Return | ast.Call | ast.Assign)
    if handed and isinstance(node, ast.Constant) and type(node.value) is bool:
        return ast.Constant(not node.value)
    return None


def _tells(node: ast.AST, own: set[str]) -> bool:
    """Whether a statement hands something on, so that its turn matters.

    What is put where only this turn of the loop puts something (`own`: the names that it gives)
    is the same whichever turn comes first.
    """
    if not isinstance(node, ast.Expr):
        return False
    if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        to = node.value.func.value
        apart = isinstance(to, ast.Name | ast.Subscript) and own.intersection(_names(to))
        return node.value.func.attr in ("emit", "append", "extend") and not apart
    return isinstance(node.value, ast.Yield | ast.YieldFrom)


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _given(loop: ast.For) -> set[str]:
    """The names that every turn of a loop gives anew."""
    given = [
        one
        for below in (loop.target, *loop.body)
        for one in ast.walk(below)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]
    return {one.id for one in given}


def _keeps_order(node: ast.AST | None) -> bool:
    """Whether what a comprehension makes is returned as a list or a tuple."""
    return getattr(node, "returned", False)


def backward(node: ast.AST, above: ast.AST | None) -> ast.AST | None:
    """What is done one after the other is done from the end."""
    if isinstance(node, ast.For) and any(
        _tells(inner, _given(node)) for one in node.body for inner in ast.walk(one)
    ):
        whole = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        node.iter = ast.Call(ast.Name("reversed", ast.Load()), [whole], [])
        return node
    if isinstance(node, ast.comprehension) and _keeps_order(above):
        whole = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        node.iter = ast.Call(ast.Name("reversed", ast.Load()), [whole], [])
        return node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sorted":
        kept = [word for word in node.keywords if word.arg != "reverse"]
        if len(kept) == len(node.keywords):
            kept.append(ast.keyword("reverse", ast.Constant(True)))
        node.keywords = kept
        return node
    return None


def other_result(node: ast.AST, _above: ast.AST | None) -> ast.AST | None:
    """What a function answers is another answer; its annotation says of which kind."""
    if not isinstance(node, ast.Return) or node.value is None:
        return None
    kind = getattr(node, "answers", "")
    if isinstance(node.value, ast.Constant) and type(node.value.value) in (bool, type(None)):
        return None  # `other_flag` does that, or nothing was found
    if kind == "bool":
        node.value = _not(node.value)
    elif kind in ("int", "Cents"):
        node.value = ast.BinOp(node.value, ast.Add(), ast.Constant(1))
    elif kind.startswith(("tuple[", "list[")):
        if isinstance(node.value, ast.Tuple) and not node.value.elts:
            return None
        node.value = ast.Subscript(
            node.value, ast.Slice(None, ast.UnaryOp(ast.USub(), ast.Constant(1))), ast.Load()
        )
    elif kind and kind != "None":
        node.value = ast.Constant("" if kind == "str" else None)
    else:
        return None
    return node


#: what is done to a node, and the kind of mutant that makes
CHANGES: tuple[tuple[str, Change], ...] = (
    ("condition", negated),
    ("condition", other_logic),
    ("condition", opposite),
    ("boundary", shifted),
    ("refusal", unrefused),
    ("deletion", left_out),
    ("amount", other_amount),
    ("amount", other_flag),
    ("order", backward),
    ("result", other_result),
)


@dataclass(frozen=True)
class CodeMutant:
    """One change in one function."""

    #: relative to the package, as in a citation: "games/three_card/prime.py:check"
    place: str
    path: Path
    #: the line of its `def`
    line: int
    kind: str
    #: which node below the function, as `ast.walk` comes to it, and which of `CHANGES`
    node: int
    change: int
    #: the statement that is changed, as `_line` names it
    statement: str
    #: clauses that the statement names
    names: frozenset[str]
    diff: str

    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.place}\n{self.diff}".encode()).hexdigest()[:12]

    def apply(self) -> None:
        """Break the function in this process."""
        for function, code in _broken(self):
            function.__code__ = code


def _skipped(function: Function) -> set[int]:
    """Nodes that say nothing about what the function does: decorators, annotations, assertions."""
    aside: list[ast.AST] = [*function.decorator_list, function.args]
    if function.returns:
        aside.append(function.returns)
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            aside.append(node)
        elif isinstance(node, ast.AnnAssign):
            aside.append(node.annotation)
        elif isinstance(node, ast.Raise) and node.exc is not None:
            aside.append(node.exc)  # the words of a refusal
        elif _is_words(node):
            aside.append(node)
        elif node is not function and isinstance(node, Function):
            aside += [*node.decorator_list, node.args]
    return {id(inner) for node in aside for inner in ast.walk(node)}


def _is_words(node: ast.AST) -> bool:
    """Whether a text with spaces is made, or chosen between: what people read is no rule."""
    if isinstance(node, ast.JoinedStr):
        return any(_is_words(part) for part in node.values)
    if isinstance(node, ast.IfExp):
        ends = node.body, node.orelse
        texts = [isinstance(one, ast.JoinedStr) or _is_text(one) for one in ends]
        return all(texts) and any(map(_is_words, ends))
    return _is_text(node) and " " in str(node.value)  # type: ignore[attr-defined]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _above(function: ast.AST) -> dict[int, ast.AST]:
    return {id(below): node for node in ast.walk(function) for below in ast.iter_child_nodes(node)}


def _statement(node: ast.AST, above: dict[int, ast.AST]) -> ast.stmt | None:
    """The statement that a node belongs to."""
    while not isinstance(node, ast.stmt):
        if id(node) not in above:
            return None
        node = above[id(node)]
    return node


def _annotate(function: Function) -> None:
    """Tell every `return` what its function answers, and a comprehension that it is returned."""

    def visit(node: ast.AST, answers: str) -> None:
        for below in ast.iter_child_nodes(node):
            if isinstance(below, Function):
                visit(below, ast.unparse(below.returns) if below.returns else "")
            elif isinstance(below, ast.Lambda | ast.ClassDef):
                continue
            else:
                if isinstance(below, ast.Return):
                    below.answers = answers  # type: ignore[attr-defined]
                visit(below, answers)

    visit(function, ast.unparse(function.returns) if function.returns else "")
    for node in ast.walk(function):
        found = node.value if isinstance(node, ast.Return) else None
        if isinstance(found, ast.Call) and isinstance(found.func, ast.Name) and found.args:
            found = found.args[0] if found.func.id in ("tuple", "list") else None
        if isinstance(found, ast.ListComp | ast.GeneratorExp):
            found.returned = True  # type: ignore[union-attr]


@contextmanager
def _changed(function: Function, index: int, change: int) -> Iterator[bool]:
    """The function with one node changed, while the context lasts; false where nothing changes."""
    node, parent = _nodes(function)[index]
    new = CHANGES[change][1](copy.copy(node), parent)
    if new is None:
        yield False
        return
    if not hasattr(new, "lineno"):
        ast.copy_location(new, node)
    name, at = _slot(parent, node)
    _put(parent, name, at, new)
    try:
        yield True
    finally:
        _put(parent, name, at, node)


def _put(parent: ast.AST, name: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[at] = node


@cache
def _nodes(function: Function) -> list[tuple[ast.AST, ast.AST]]:
    """Every node below a function with the one above it, in a fixed order."""
    _annotate(function)
    above = _above(function)
    return [(node, above[id(node)]) for node in ast.walk(function) if node is not function]


def _slot(parent: ast.AST, node: ast.AST) -> tuple[str, int | None]:
    for name, value in ast.iter_fields(parent):
        if value is node:
            return name, None
        if isinstance(value, list):
            for at, one in enumerate(value):
                if one is node:
                    return name, at
    raise LookupError(ast.dump(node))


def _text(function: Function) -> list[str]:
    bare = copy.copy(function)
    bare.decorator_list = []
    body = function.body
    if ast.get_docstring(function) is not None and len(body) > 1:
        bare.body = body[1:]
    return ast.unparse(bare).splitlines()


def _diff(before: list[str], after: list[str]) -> str:
    lines = difflib.unified_diff(before, after, lineterm="", n=1)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


@cache
def _module(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _functions(path: Path, line: int) -> list[Function]:
    """The function at a line; of a class, all its methods."""
    for node in ast.walk(_module(path)):
        if isinstance(node, ast.ClassDef) and node.lineno == line:
            return [one for one in node.body if isinstance(one, Function)]
        if isinstance(node, Function) and node.lineno == line:
            return [node]
    return []


def _line(function: Function, statement: ast.stmt) -> str:
    """A statement by its function and its line there, which stays when the file above changes."""
    return f"{function.name}+{statement.lineno - function.lineno}"


def _texts(node: ast.AST) -> frozenset[str]:
    return frozenset(
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


def _bare(statement: ast.stmt) -> ast.AST:
    """A statement without the block below it, but with a refusal that is all of the block."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and len(body) > 1:
        return getattr(statement, "test", None) or getattr(statement, "iter", None) or ast.Pass()
    return statement


def mutants(place: str, path: Path, line: int) -> Iterator[CodeMutant]:
    """Every mutant of the function or class at a line."""
    for function in _functions(path, line):
        yield from _of_function(place, path, function)


def _of_function(place: str, path: Path, function: Function) -> Iterator[CodeMutant]:
    skipped, above, before = _skipped(function), _above(function), _text(function)
    seen = set()
    for index, (node, _) in enumerate(_nodes(function)):
        if id(node) in skipped:
            continue
        statement = _statement(node, above)
        if statement is None or statement is function:
            continue
        for change, (kind, _) in enumerate(CHANGES):
            with _changed(function, index, change) as done:
                if not done:
                    continue
                diff = _diff(before, _text(function))
                fits = _code(path, function) is not None
            if diff and diff not in seen and fits:
                seen.add(diff)
                yield CodeMutant(
                    place, path, function.lineno, kind, index, change,
                    _line(function, statement), _texts(_bare(statement)), diff,
                )  # fmt: skip


def _code(path: Path, function: Function, changed: Function | None = None) -> CodeType | None:
    """A changed function as code; None where Python would not take it in place of the other."""
    inner: ast.stmt = changed or function
    owner = _owner(path, function)
    if owner is not None:
        body = [inner]
        inner = copy.copy(owner)
        inner.body = body
    whole = ast.fix_missing_locations(ast.Module([inner], []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        new = _inside(compile(whole, str(path), "exec"), function)
    old = _inside(_compiled(path), function)
    if new is None or old is None or new.co_freevars != old.co_freevars:
        return None
    return new


@cache
def _owner(path: Path, function: Function) -> ast.ClassDef | None:
    for node in ast.walk(_module(path)):
        if isinstance(node, ast.ClassDef) and function in node.body:
            return node
    return None


@cache
def _compiled(path: Path) -> CodeType:
    return compile(_module(path), str(path), "exec")


def _first_line(function: Function) -> int:
    return min([function.lineno, *(mark.lineno for mark in function.decorator_list)])


def _inside(code: CodeType, function: Function) -> CodeType | None:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if one.co_name == function.name and one.co_firstlineno == _first_line(function):
                return one
            found = _inside(one, function)
            if found is not None:
                return found
    return None


_KNOWN: dict[tuple[str, str, int], list[FunctionType]] = {}


def learn(paths: Iterable[Path]) -> None:
    """Find every function that was loaded from these files. Call it before any fork."""
    names = {str(path) for path in paths}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename in names:
            code = thing.__code__
            key = code.co_filename, code.co_name, code.co_firstlineno
            _KNOWN.setdefault(key, []).append(thing)


class _Probes(ast.NodeTransformer):
    """Put a call before every statement that says that its line was reached."""

    def __init__(self, place: str, function: Function) -> None:
        self.place, self.function = place, function

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [one for found in block for one in self._with_probe(found)])
        return node

    def _with_probe(self, statement: ast.AST) -> Iterator[ast.AST]:
        if isinstance(statement, ast.stmt):
            told = [ast.Constant(self.place), ast.Constant(_line(self.function, statement))]
            call = ast.Expr(ast.Call(ast.Name(PROBE, ast.Load()), told, []))
            yield ast.fix_missing_locations(ast.copy_location(call, statement))
        yield statement


#: the name under which functions that are watched find what they tell
PROBE = "__reached__"


def watch(place: str, path: Path, line: int) -> None:
    """Let a function, or the methods of a class, tell which of their statements are reached."""
    for function in _functions(path, line):
        watched = _Probes(place, function).visit(copy.deepcopy(function))
        code = _code(path, function, watched)
        for one in loaded(path, function.name, _first_line(function)):
            if code is not None:
                one.__code__ = code


def loaded(path: Path, name: str, first_line: int) -> list[FunctionType]:
    return _KNOWN.get((str(path), name, first_line), [])


def _broken(mutant: CodeMutant) -> Iterator[tuple[FunctionType, CodeType]]:
    function = next(
        node
        for node in ast.walk(_module(mutant.path))
        if isinstance(node, Function) and node.lineno == mutant.line
    )
    with _changed(function, mutant.node, mutant.change):
        code = _code(mutant.path, function)
    assert code is not None
    found = loaded(mutant.path, code.co_name, code.co_firstlineno)
    if not found:
        raise LookupError(f"{mutant.place} is not loaded")
    for one in found:
        yield one, code
