"""The one module of simpleeval: the language of constraints, on many deals at once.

simpleeval walks the tree; only the kinds of nodes listed here are known, names and functions are
ours, and attributes, subscripts, lambdas, powers and everything else are refused with a place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import simpleeval

from deals.cards import Card, Seat, Suit
from deals.errors import DealError
from deals.teaching.hands import BALANCED, SEMI_BALANCED, Hands, Seats, shape_patterns

_SMALL: Final = 64

_WHO: Final[Mapping[str, Seats]] = {
    **{name: (seat,) for seat in Seat for name in (seat.letter.lower(), seat.word[5:])},
    "ns": (Seat.N, Seat.S),
    "ew": (Seat.E, Seat.W),
}
_SUITS: Final[Mapping[str, Suit]] = {suit.name.lower(): suit for suit in Suit}
NAMES: Final[Mapping[str, object]] = {**_WHO, **_SUITS}


class ConstraintError(DealError):
    """A constraint cannot be understood; `at` is the column, from 1."""


class _Wrong(Exception):  # noqa: N818 - becomes a ConstraintError as soon as the place is known
    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


def parse(text: str) -> list[ast.stmt]:
    """The statements of a constraint: "NAME = expression; .. ; condition"."""
    if not text.isascii():
        at = next(i for i, sign in enumerate(text, 1) if not sign.isascii())
        raise ConstraintError("teaching.no_ascii", at=at, text=text[at - 1])
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        at = min(error.offset or 1, len(text) + 1)
        raise ConstraintError("teaching.syntax", at=at, near=_near(text, at)) from None
    except (RecursionError, MemoryError, ValueError):
        raise ConstraintError("teaching.too_nested") from None
    if not body:
        raise ConstraintError("teaching.empty")
    if not isinstance(body[-1], ast.Expr):
        raise ConstraintError("teaching.no_condition", at=body[-1].col_offset + 1)
    return body


def evaluate(body: list[ast.stmt], text: str, hands: Hands) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """For each deal whether it meets the constraint; ConstraintError with the place otherwise."""
    walker = _Walker(hands, text)
    for statement in body[:-1]:
        walker.define(statement)
    last = body[-1]
    found = walker.place(last.value if isinstance(last, ast.Expr) else last)
    if not _is_truth(found):
        raise ConstraintError("teaching.no_truth", at=last.col_offset + 1, near=_near(text, 1))
    return np.broadcast_to(np.asarray(found, np.bool_), (len(hands),))


def _near(text: str, at: int) -> str:
    return text[at - 1 : at + 19] or text[-20:]


def _is_truth(value: object) -> bool:
    return isinstance(value, bool | np.bool_) or (
        isinstance(value, np.ndarray) and value.dtype == np.bool_
    )


def _is_number(value: object) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, np.ndarray) and value.dtype != np.bool_
    )


_ARITHMETIC: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
}
_COMPARISONS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}


class _Walker(simpleeval.SimpleEval):  # type: ignore[misc, unused-ignore]
    """simpleeval with our nodes only, and truth and comparison deal by deal."""

    def __init__(self, hands: Hands, text: str) -> None:
        super().__init__(operators={}, functions=_functions(hands), names=dict(NAMES))
        self.expr = text
        self._text = text
        self._hands = hands
        self.nodes = {
            ast.Name: self._name,
            ast.Constant: self._constant,
            ast.BoolOp: self._bool,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.Compare: self._compare,
            ast.Call: self._call,
        }

    def place(self, node: ast.AST) -> Any:
        """The value of *node*; whatever is wrong in it is told with its place."""
        return self._eval(node)

    def define(self, statement: ast.stmt) -> None:
        """`name = expression`: the name may be used from here on."""
        at = statement.col_offset + 1
        if not (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            raise ConstraintError("teaching.no_definition", at=at, near=_near(self._text, at))
        name = statement.targets[0].id
        if name in NAMES or name in self.functions:
            raise ConstraintError("teaching.name_taken", at=at, name=name)
        self.names[name] = self._eval(statement.value)

    def _eval(self, node: Any) -> Any:
        try:
            if type(node) not in self.nodes:
                raise _Wrong("teaching.not_known", what=type(node).__name__)
            return super()._eval(node)
        except (_Wrong, simpleeval.InvalidExpression) as error:
            at = getattr(node, "col_offset", 0) + 1
            values = {"at": at, "near": _near(self._text, at)}
            if isinstance(error, _Wrong):
                raise ConstraintError(error.code, **values, **error.values) from None
            raise ConstraintError("teaching.syntax", **values) from None
        except RecursionError:
            raise ConstraintError("teaching.too_nested") from None

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in self.functions:
            raise _Wrong("teaching.function_alone", name=node.id)
        raise _Wrong("teaching.name_unknown", name=node.id, names=[*self.names])

    def _constant(self, node: ast.Constant) -> Any:
        value = node.value
        if isinstance(value, bool | str):
            return value
        if isinstance(value, int) and abs(value) < 1000:
            return value
        raise _Wrong("teaching.constant", value=str(value)[:20])

    def _truth(self, node: ast.expr) -> Any:
        value = self._eval(node)
        if not _is_truth(value):
            raise self._at(node, "teaching.want_truth")
        return value

    def _number(self, node: ast.expr) -> Any:
        value = self._eval(node)
        if not _is_number(value):
            raise self._at(node, "teaching.want_number")
        return value

    def _at(self, node: ast.expr, code: str) -> ConstraintError:
        at = node.col_offset + 1
        return ConstraintError(code, at=at, near=_near(self._text, at))

    def _bool(self, node: ast.BoolOp) -> Any:
        if isinstance(node.op, ast.And):
            return self._all(node.values)
        found = self._truth(node.values[0])
        for part in node.values[1:]:
            found = np.logical_or(found, self._truth(part))
        return found

    def _all(self, parts: list[ast.expr]) -> Any:
        found = self._truth(parts[0])
        for place, part in enumerate(parts[1:], 1):
            left = np.flatnonzero(found) if isinstance(found, np.ndarray) else None
            if left is None or len(found) < _SMALL or len(left) * 2 > len(found):
                found = np.logical_and(found, self._truth(part))
                continue
            # Most deals are out already: look at the others only.
            if len(left):
                found = found.copy()  # it may be the value of a name
                found[left] = self._of(left)._all(parts[place:])
            break
        return found

    def _of(self, rows: np.ndarray[Any, np.dtype[np.intp]]) -> _Walker:
        other = _Walker(self._hands.rows(rows), self._text)
        for name, value in self.names.items():
            whole = isinstance(value, np.ndarray) and value.ndim
            other.names[name] = value[rows] if whole else value
        return other

    def _unary(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return np.logical_not(self._truth(node.operand))
        if isinstance(node.op, ast.USub):
            return -self._number(node.operand)
        raise _Wrong("teaching.not_known", what=type(node.op).__name__)

    def _binary(self, node: ast.BinOp) -> Any:
        if type(node.op) not in _ARITHMETIC:
            raise _Wrong("teaching.not_known", what=type(node.op).__name__)
        left, right = self._number(node.left), self._number(node.right)
        # 32 bits hold every sum and product of a constraint of 2000 signs that makes sense.
        return _ARITHMETIC[type(node.op)](np.asarray(left, np.int32), np.asarray(right, np.int32))

    def _compare(self, node: ast.Compare) -> Any:
        found: Any = True
        left = self._number(node.left)
        for op, part in zip(node.ops, node.comparators, strict=True):
            if type(op) not in _COMPARISONS:
                raise _Wrong("teaching.not_known", what=type(op).__name__)
            right = self._number(part)
            found = np.logical_and(found, _COMPARISONS[type(op)](left, right))
            left = right
        return found

    def _call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise _Wrong("teaching.not_known", what="Call")
        name = node.func.id
        if name not in self.functions:
            raise _Wrong("teaching.function_unknown", name=name, functions=sorted(self.functions))
        try:
            return self.functions[name](*[self._eval(argument) for argument in node.args])
        except TypeError:
            # Only a wrong count of arguments; their kinds are checked by the functions.
            raise _Wrong("teaching.arguments", name=name, usage=USAGE[name]) from None


USAGE: Final[Mapping[str, str]] = {
    "hcp": "hcp(north), hcp(ns, hearts)",
    "spades": "spades(north)",
    "hearts": "hearts(north)",
    "diamonds": "diamonds(north)",
    "clubs": "clubs(north)",
    "controls": "controls(north), controls(ns, hearts)",
    "losers": "losers(north), losers(north, hearts)",
    "top": "top(north, spades, 3): how many of ace, king and queen",
    "has": 'has(north, "SA HK")',
    "shape": 'shape(north, "5431"), shape(north, "any 4432", "5xxx")',
    "longest": "longest(north)",
    "shortest": "shortest(north)",
    "balanced": "balanced(north): 4333, 4432, 5332",
    "semibalanced": "semibalanced(north): also 5422, 6322",
    "strong_notrump": "strong_notrump(north): balanced, 15 to 17",
    "weak_notrump": "weak_notrump(north): balanced, 12 to 14",
    "strong_two_clubs": "strong_two_clubs(north): 22 points and more",
    "weak_two": "weak_two(north, spades): 6 to 10 points, six cards, two of the top three",
    "preempt": "preempt(north, spades): 5 to 10 points, seven cards, two of the top four",
}
"""Every function and how it is called; named hands last."""


def _seats(value: object) -> Seats:
    if isinstance(value, tuple) and all(isinstance(seat, Seat) for seat in value):
        return value
    raise _Wrong("teaching.want_seat")


def _seat(value: object) -> Seat:
    seats = _seats(value)
    if len(seats) != 1:
        raise _Wrong("teaching.want_one_seat")
    return seats[0]


def _suit(value: object) -> Suit:
    if isinstance(value, Suit):
        return value
    raise _Wrong("teaching.want_suit")


def _cards(value: object) -> tuple[Card, ...]:
    try:
        cards = tuple(Card.parse(word) for word in str(value).split())
    except DealError as error:
        raise _Wrong("teaching.want_cards", reason=str(error)) from None
    if not cards or not isinstance(value, str):
        raise _Wrong("teaching.want_cards", reason="-")
    return cards


def _shape(hands: Hands, who: object, *patterns: object) -> Any:
    found: frozenset[tuple[int, ...]] = frozenset()
    if not patterns:
        raise TypeError
    for pattern in patterns:
        shapes = shape_patterns(pattern) if isinstance(pattern, str) else None
        if shapes is None:
            raise _Wrong("teaching.want_shape", text=str(pattern)[:20])
        found |= shapes
    return hands.shape(_seat(who), found)


def _top(hands: Hands, who: object, suit: object, count: object) -> Any:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 13:
        raise _Wrong("teaching.want_top")
    return hands.top(_seats(who), _suit(suit), count)


def _maybe(suit: tuple[object, ...]) -> Suit | None:
    if len(suit) > 1:
        raise TypeError
    return _suit(suit[0]) if suit else None


def _between(low: int, value: Any, high: int) -> Any:
    return (low <= value) & (value <= high)


def _notrump(h: Hands, who: object, low: int, high: int) -> Any:
    seat = _seat(who)
    return h.shape(seat, BALANCED) & _between(low, h.hcp((seat,)), high)


def _long_suit(
    h: Hands, who: object, suit: object, points: tuple[int, int], length: int, of: int
) -> Any:
    seat, trumps = (_seat(who),), _suit(suit)
    strong = h.top(seat, trumps, of) >= 2
    return _between(points[0], h.hcp(seat), points[1]) & (h.length(seat, trumps) == length) & strong


def _functions(h: Hands) -> dict[str, Callable[..., Any]]:
    return {
        "hcp": lambda who, *suit: h.hcp(_seats(who), _maybe(suit)),
        "controls": lambda who, *suit: h.controls(_seats(who), _maybe(suit)),
        "losers": lambda who, *suit: h.losers(_seat(who), _maybe(suit)),
        "spades": lambda who: h.length(_seats(who), Suit.SPADES),
        "hearts": lambda who: h.length(_seats(who), Suit.HEARTS),
        "diamonds": lambda who: h.length(_seats(who), Suit.DIAMONDS),
        "clubs": lambda who: h.length(_seats(who), Suit.CLUBS),
        "top": lambda who, suit, count: _top(h, who, suit, count),
        "has": lambda who, cards: h.has(_seats(who), _cards(cards)),
        "shape": lambda who, *patterns: _shape(h, who, *patterns),
        "longest": lambda who: h.longest(_seat(who)),
        "shortest": lambda who: h.shortest(_seat(who)),
        "balanced": lambda who: h.shape(_seat(who), BALANCED),
        "semibalanced": lambda who: h.shape(_seat(who), SEMI_BALANCED),
        "strong_notrump": lambda who: _notrump(h, who, 15, 17),
        "weak_notrump": lambda who: _notrump(h, who, 12, 14),
        "strong_two_clubs": lambda who: h.hcp((_seat(who),)) >= 22,
        "weak_two": lambda who, suit: _long_suit(h, who, suit, (6, 10), 6, 3),
        "preempt": lambda who, suit: _long_suit(h, who, suit, (5, 10), 7, 4),
    }
