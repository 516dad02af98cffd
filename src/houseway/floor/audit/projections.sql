-- What the record shows, for searching: made from the record, and made again from nothing at will.
-- by whose gaming day the days below are counted
create table facility (zone text not null, begins text not null);

create table positions (
  stream  text primary key,
  version integer not null,
  hash    blob not null,
  pending blob not null            -- what the stream came to so far; no order of a shoe that is encrypted
) without rowid;

create table rounds (
  number   integer primary key,    -- its place in the bitmaps below
  id       text not null unique,   -- table.opening.round
  "table"  text not null,
  chapter  text not null,
  began    text not null,
  ended    text not null,
  day      text not null,          -- gaming day
  opening  integer not null,       -- version of the event that opened the table
  first    integer not null,       -- version of the first event of the round
  last     integer not null,       -- and of the last
  dealer   text not null,          -- who dealt
  cards    text not null,          -- the dealer's cards
  community text not null,
  voided   text not null,          -- why, where it was void
  wagered  integer not null,       -- all amounts in cents
  paid     integer not null,
  win      integer not null        -- the house's
);
create index rounds_by_time on rounds (began, id);
create index rounds_by_table on rounds ("table", began, id);
create index rounds_by_win on rounds (win);
create index rounds_by_day on rounds (day, began, id);

-- which rounds have a card, a seat, a wager, a result, an outcome: a bit for each round
create table facets (
  name   text not null,            -- `card As`, `seat 2`, `wager ante`, `result win`, …
  page   integer not null,         -- of 32,768 rounds by their number, the lowest bit first
  rounds blob not null,
  primary key (name, page)
);

create table hands (
  round    text not null,
  seat     integer not null,
  player   text not null,
  cards    text not null,
  decision text not null,
  net      integer not null,
  primary key (round, seat)
) without rowid;
create index hands_by_player on hands (player);

create table lines (
  round   text not null,
  number  integer not null,
  seat    integer not null,
  wager   text not null,
  hand    integer not null,
  stake   integer not null,
  result  text not null,
  paid    integer not null,
  from_meter integer not null,
  odds    text not null,
  outcome text not null,
  clause  text not null,
  primary key (round, number)
) without rowid;
create index lines_by_paid on lines (paid);

-- what each wager took and won, by table, day, rules and what its exact figures depend on
create table holds (
  "table" text not null,
  day     text not null,
  rules   text not null,
  wager   text not null,
  stake   integer not null,
  others  integer not null,       -- hands of others at the table, where they matter
  ante    integer not null,       -- 1: beside an ante that may be folded, where that matters
  rounds  integer not null,
  wagered integer not null,       -- all stakes
  base    integer not null,       -- what the edge is counted on: the ante, the bet
  squares integer not null,       -- sum of the squares of the bases; bases on the same cards are one
  pairs   integer not null,       -- sum of the products of the bases on different cards of a round
  win     integer not null,
  from_meter integer not null,    -- paid by meters, which is not the house's
  primary key ("table", day, rules, wager, stake, others, ante)
) without rowid;

-- sums of what the meters showed when those wagers were made, and of their squares and products
create table meter_sums (
  "table" text not null, day text not null, rules text not null, wager text not null,
  stake integer not null, others integer not null, ante integer not null,
  what text not null,                         -- mean or spread: which of the two it is for
  meter text not null, other text not null,   -- other is empty for the meter alone
  amount text not null,                       -- in cents: a whole number of any size
  primary key ("table", day, rules, wager, stake, others, ante, what, meter, other)
) without rowid;

create table rules (hash text primary key, chapter text not null, edition text not null, edition_hash text not null, file text not null) without rowid;

-- cash for chips, fills, credits, corrected payments, the difference found at the close
create table inventory (
  "table" text not null, version integer not null, time text not null, day text not null,
  what text not null, cents integer not null, primary key ("table", version)
) without rowid;

create table meters (
  "table" text not null, version integer not null, time text not null, meter text not null,
  holds text not null, shows integer not null, why text not null, chapter text not null,
  primary key ("table", version, meter)
) without rowid;
create index meters_by_time on meters (time);

create table faults (
  "table" text not null, version integer not null, time text not null, device text not null,
  condition text not null, shows text not null, who text not null, chapter text not null,
  clause text not null,
  primary key ("table", version)
) without rowid;

create table decks (
  "table" text not null, version integer not null, deck text not null, back text not null,
  rules text not null,             -- by which its hours are counted
  received text not null, removed text not null default '', why text not null default '',
  rounds integer not null default 0, primary key ("table", version)
) without rowid;

create table validations (
  "table" text not null, version integer not null, time text not null, who text not null,
  round text not null, seat integer not null, wager text not null, hand integer not null,
  chapter text not null, clause text not null, primary key ("table", version)
) without rowid;

-- what happened is said with the names that the chapter gives wagers and meters
create table irregularities (
  "table" text not null, version integer not null, time text not null, round text not null,
  kind text not null, says text not null, who text not null, chapter text not null,
  clause text not null,
  primary key ("table", version)
) without rowid;
