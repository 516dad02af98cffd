"""Kings, queens, jacks and the joker, of our own drawing.

A court card is one half figure in a card of 250 by 350, drawn once and turned about the middle for
the other half. Rank is told by what is worn and held: a king has a crown, a beard and a sword, a
queen a coronet, a veil and a rose, a jack a feathered cap and a halberd. The robe's weave and its
color are the suit's.
"""

from __future__ import annotations

INK = "#1b1b1f"
GOLD = "#dcae45"
SKIN = "#f7e6cf"
IVORY = "#fdfbf4"

#: the weave of each suit's robe: a small tile of lines over the robe's color
_WEAVE = {
    "s": '<path d="M0 9L7 2L14 9" fill="none" stroke="{gold}" stroke-width="2.4"/>',
    "h": '<path d="M7 12C3 8 2 6 2 4.5A2.6 2.6 0 0 1 7 3.6A2.6 2.6 0 0 1 12 4.5C12 6 11 8 7 12Z" '
    'fill="{gold}"/>',
    "d": '<path d="M7 1L13 7L7 13L1 7Z" fill="none" stroke="{gold}" stroke-width="2"/>',
    "c": '<circle cx="4" cy="4" r="2.2" fill="{gold}"/><circle cx="11" cy="11" r="2.2" '
    'fill="{gold}"/>',
}

#: shoulders and robe, filled with the suit's color and then with its weave
_ROBE = "M60 176C61 150 72 137 98 130L112 122H138L152 130C178 137 189 150 190 176Z"
_FACE = (
    '<path d="M104 82C104 66 112 60 125 60S146 66 146 82C146 102 137 119 125 119S104 102 104 82Z" '
    f'fill="{SKIN}" stroke="{INK}" stroke-width="2"/>'
    f'<path d="M109 84Q114 80 119 84M131 84Q136 80 141 84" fill="none" stroke="{INK}" '
    'stroke-width="2.2"/>'
    f'<circle cx="114.5" cy="88" r="2.2" fill="{INK}"/><circle cx="135.5" cy="88" r="2.2" '
    f'fill="{INK}"/>'
    f'<path d="M125 86L122 99H127" fill="none" stroke="{INK}" stroke-width="1.7"/>'
)
_MOUTH = '<path d="M118 107Q125 111 132 107" fill="none" stroke="#a33" stroke-width="2.6"/>'

_KING = (
    # hair, then the face, then a beard in locks
    f'<path d="M97 72C92 92 94 112 101 126L149 126C156 112 158 92 153 72Z" '
    f'stroke="{INK}" stroke-width="2"/>'
    + _FACE
    + f'<path d="M104 96C106 116 113 136 125 141C137 136 144 116 146 96C140 106 134 108 125 104'
    f'C116 108 110 106 104 96Z" stroke="{INK}" stroke-width="2"/>'
    f'<path d="M116 106V124M125 108V133M134 106V124" stroke="{IVORY}" stroke-width="1.6"/>'
    '<path d="M119 109Q125 112 131 109" fill="none" stroke="#a33" stroke-width="2.6"/>'
    # crown
    f'<path d="M96 66L89 30L108 47L125 22L142 47L161 30L154 66Z" fill="{GOLD}" stroke="{INK}" '
    'stroke-width="2.2" stroke-linejoin="round"/>'
    f'<path d="M95 66H155V75H95Z" fill="currentColor" stroke="{INK}" stroke-width="2"/>'
    f'<g fill="{IVORY}"><circle cx="108" cy="70.5" r="2.6"/><circle cx="125" cy="70.5" r="2.6"/>'
    '<circle cx="142" cy="70.5" r="2.6"/></g>'
    f'<g fill="currentColor" stroke="{INK}" stroke-width="1.4"><circle cx="89" cy="29" r="4"/>'
    '<circle cx="125" cy="21" r="4.6"/><circle cx="161" cy="29" r="4"/></g>'
    # a sword, point up
    f'<path d="M170 42L175 32L180 42V138H170Z" fill="#e6e9ec" stroke="{INK}" stroke-width="1.8"/>'
    f'<path d="M175 40V136" stroke="#9aa3a8" stroke-width="1.4"/>'
    f'<path d="M161 138H189V145H161ZM172 145H178V164H172Z" fill="{GOLD}" stroke="{INK}" '
    'stroke-width="1.8"/>'
    f'<circle cx="175" cy="154" r="8" fill="{SKIN}" stroke="{INK}" stroke-width="1.8"/>'
)

_QUEEN = (
    # long hair, face
    f'<path d="M98 66C90 92 92 116 96 132L112 124V90H138V124L154 132C158 116 160 92 152 66'
    f'C140 54 110 54 98 66Z" stroke="{INK}" stroke-width="2"/>'
    + _FACE
    + _MOUTH
    + f'<path d="M104 82C108 68 118 62 125 62S142 68 146 82C146 66 138 56 125 56S104 66 104 82Z" '
    f"/>"
    # coronet
    f'<path d="M99 62C98 52 97 46 94 38Q103 44 108 50Q112 38 117 32Q121 40 125 46Q129 40 133 32'
    f'Q138 38 142 50Q147 44 156 38C153 46 152 52 151 62Q125 52 99 62Z" fill="{GOLD}" '
    f'stroke="{INK}" stroke-width="2.2" stroke-linejoin="round"/>'
    f'<g fill="currentColor" stroke="{INK}" stroke-width="1.3"><circle cx="117" cy="31" r="3.6"/>'
    '<circle cx="133" cy="31" r="3.6"/><circle cx="94" cy="37" r="3.2"/>'
    '<circle cx="156" cy="37" r="3.2"/></g>'
    # necklace and a rose
    f'<path d="M110 126Q125 142 140 126" fill="none" stroke="{GOLD}" stroke-width="3.6"/>'
    f'<circle cx="125" cy="137" r="4.6" fill="currentColor" stroke="{INK}" stroke-width="1.4"/>'
    f'<path d="M74 160C71 140 72 122 78 106" fill="none" stroke="#3c6b3f" stroke-width="3.4"/>'
    f'<path d="M73 132Q62 130 60 120Q71 120 74 129" fill="#3c6b3f"/>'
    f'<g stroke="{INK}" stroke-width="1.5"><circle cx="79" cy="96" r="12" fill="#c9424b"/>'
    f'<path d="M70 94Q79 86 88 94M72 101Q79 93 87 100M76 88Q80 96 77 104" fill="none"/></g>'
    f'<circle cx="74" cy="152" r="8" fill="{SKIN}" stroke="{INK}" stroke-width="1.8"/>'
)

_JACK = (
    # a page's hair, face
    f'<path d="M99 74C92 90 94 106 97 116C101 122 107 120 108 112L108 84H142L142 112'
    f'C143 120 149 122 153 116C156 106 158 90 151 74Z" stroke="{INK}" '
    'stroke-width="2"/>'
    + _FACE
    + _MOUTH
    # cap and feather
    + f'<path d="M95 74C88 56 100 42 122 40C148 36 166 48 159 62C154 70 140 66 125 66'
    f'C112 66 104 68 95 74Z" fill="currentColor" stroke="{INK}" stroke-width="2.2"/>'
    f'<path d="M96 73Q125 58 157 66L156 73Q125 66 98 79Z" fill="{GOLD}" stroke="{INK}" '
    'stroke-width="1.8"/>'
    f'<path d="M146 56C150 34 164 26 184 28C180 44 168 56 148 60Z" fill="{IVORY}" stroke="{INK}" '
    f'stroke-width="1.8"/><path d="M149 57Q162 40 180 30" fill="none" stroke="{INK}" '
    'stroke-width="1.3"/>'
    # a halberd
    f'<path d="M71 40H77V168H71Z" fill="#8a5f33" stroke="{INK}" stroke-width="1.6"/>'
    f'<path d="M74 24L80 44H68Z" fill="#e6e9ec" stroke="{INK}" stroke-width="1.6"/>'
    f'<path d="M77 50C90 46 96 56 94 74C90 66 84 66 77 68Z" fill="#e6e9ec" stroke="{INK}" '
    'stroke-width="1.6"/>'
    f'<path d="M71 54L62 58L71 64Z" fill="#e6e9ec" stroke="{INK}" stroke-width="1.6"/>'
    f'<circle cx="74" cy="146" r="8" fill="{SKIN}" stroke="{INK}" stroke-width="1.8"/>'
)

_VEIL = "M92 70C78 100 80 122 74 140L104 132L146 132L176 140C170 122 172 100 158 70Z"
_FIGURES = {"K": _KING, "Q": _QUEEN, "J": _JACK}
_HAIR = {"s": "#3a2a20", "h": "#c79548", "d": "#d9bd7c", "c": "#6b3f22"}


def shared(ranks: set[str], suits: set[str], prefix: str) -> str:
    """What court cards have in common: a figure for each rank, a weave for each suit."""
    return "".join(
        f'<pattern id="{prefix}-weave-{suit}" width="14" height="14" '
        f'patternUnits="userSpaceOnUse">{_WEAVE[suit].format(gold=GOLD)}</pattern>'
        for suit in sorted(suits)
    ) + "".join(f'<g id="{prefix}-{rank}">{_FIGURES[rank]}</g>' for rank in sorted(ranks))


def court(rank: str, suit: str, color: str, other: str, prefix: str) -> str:
    """The picture of a court card. Hair is the figure's inherited fill, its suit its color."""
    name = f"{prefix}-{rank}{suit}"
    # red suits look the other way
    mirror = ' transform="matrix(-1 0 0 1 250 0)"' if suit in "hd" else ""
    veil = f'<path d="{_VEIL}"/>' if rank == "Q" else ""
    return (
        '<rect x="58" y="20" width="134" height="310" rx="4" fill="#fffdf6" '
        f'stroke="{color}" stroke-width="1.6"/><g id="{name}-h"><g{mirror}>'
        f'<path d="{_ROBE}" fill="{color}"/><g stroke="{INK}" stroke-width="2" fill="{other}">'
        f'<path d="{_ROBE}" fill="url(#{prefix}-weave-{suit})"/>'
        f'<path d="M104 128L125 176L146 128L138 122H112Z"/>'
        f'<path d="M112 122L125 156L138 122Z" fill="{IVORY}"/>{veil}</g>'
        f'<use href="#{prefix}-{rank}" color="{color}" fill="{_HAIR[suit]}"/></g></g>'
        f'<use href="#{name}-h" transform="rotate(180 125 175)"/>'
        f'<path d="M58 175H192" stroke="{INK}" stroke-width="2"/>'
    )


JOKER = (
    f'<rect x="58" y="20" width="134" height="310" rx="4" fill="#fffdf6" stroke="{INK}" '
    'stroke-width="1.6"/>'
    # collar and body
    f'<path d="M70 330C72 280 92 252 125 248C158 252 178 280 180 330Z" fill="#7a2a8c" '
    f'stroke="{INK}" stroke-width="2"/><path d="M125 248C158 252 178 280 180 330H125Z" '
    f'fill="{GOLD}" stroke="{INK}" stroke-width="2"/>'
    f'<path d="M74 262L88 236L103 258L125 234L147 258L162 236L176 262L150 274L125 262L100 274Z" '
    f'fill="#c22f38" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>'
    f'<g fill="{GOLD}" stroke="{INK}" stroke-width="1.6"><circle cx="74" cy="264" r="6"/>'
    '<circle cx="100" cy="277" r="6"/><circle cx="125" cy="266" r="6"/>'
    '<circle cx="150" cy="277" r="6"/><circle cx="176" cy="264" r="6"/></g>'
    # three-horned cap
    f'<path d="M86 176C60 160 54 122 70 92C80 110 92 120 104 124Z" fill="#7a2a8c" '
    f'stroke="{INK}" stroke-width="2.2"/><path d="M164 176C190 160 196 122 180 92'
    f'C170 110 158 120 146 124Z" fill="{GOLD}" stroke="{INK}" stroke-width="2.2"/>'
    f'<path d="M84 178C86 128 104 86 125 58C146 86 164 128 166 178Z" fill="#c22f38" '
    f'stroke="{INK}" stroke-width="2.2"/>'
    f'<g fill="{GOLD}" stroke="{INK}" stroke-width="1.8"><circle cx="69" cy="88" r="9"/>'
    '<circle cx="125" cy="52" r="10"/><circle cx="181" cy="88" r="9"/></g>'
    # a grin
    f'<ellipse cx="125" cy="196" rx="35" ry="43" fill="{SKIN}" stroke="{INK}" stroke-width="2.2"/>'
    f'<path d="M86 180Q125 148 164 180Q125 166 86 180Z" fill="{GOLD}" stroke="{INK}" '
    'stroke-width="1.8"/>'
    f'<path d="M104 186Q111 177 118 186M132 186Q139 177 146 186" fill="none" stroke="{INK}" '
    f'stroke-width="2.6"/><path d="M125 190C120 200 118 205 123 207H128" fill="none" '
    f'stroke="{INK}" stroke-width="2"/><path d="M103 212Q125 238 147 212Q125 222 103 212Z" '
    f'fill="#fff" stroke="{INK}" stroke-width="2"/><g fill="#e79a8c"><circle cx="101" cy="204" '
    'r="6"/><circle cx="149" cy="204" r="6"/></g>'
)
