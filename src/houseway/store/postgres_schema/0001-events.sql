-- The record: events are added and never changed.
create table houseway.events (
  stream   text    collate "C" not null,
  version  bigint  not null,
  time     text    not null,  -- UTC
  actor    text    not null,
  kind     text    not null,
  schema   integer not null,
  body     text    not null,  -- canonical JSON
  previous bytea   not null,  -- hash of the event before it in its stream; zeros for the first
  hash     bytea   not null,
  primary key (stream, version)
);

-- Where each stream stands. Its row is the only lock an append takes, so tables never wait for
-- each other. Room is left in the pages so that a head is changed in place.
create table houseway.heads (
  stream  text collate "C" primary key,
  version bigint not null,
  hash    bytea  not null
) with (fillfactor = 40);

create function houseway.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed or removed' using errcode = 'integrity_constraint_violation';
end $$;

create trigger events_are_not_changed before update or delete on houseway.events
  for each row execute function houseway.refuse();
create trigger events_are_not_emptied before truncate on houseway.events
  for each statement execute function houseway.refuse();

-- Append batches of writes, each batch whole or not at all, and chain them, in one round trip.
--
-- What is written comes as lines, since no field holds a line feed: for each write the number of
-- its batch, its stream, the version expected and the count of its events; then for each event
-- time, actor, kind, schema and body. The answer has a row for each event written (its write, the
-- hash before it, its hash) and for each conflict (its write, the version found).
--
-- Where several streams are written they are locked first, in the order of their names, new ones
-- made before that, so that two appends never wait for each other in a circle. A single stream needs
-- no lock beforehand: the statement that moves its head on is the check.
create function houseway.append(written text)
returns table (item integer, stands bigint, linked bytea, chained bytea) language plpgsql as $$
declare
  lines   text[] := string_to_array(written, E'\n');
  size    integer := cardinality(lines);
  alone   boolean := size = 4 + 5 * lines[4]::integer;
  starts  integer[];  -- where each write of the batch begins
  names   text[] := '{}';
  at      integer := 1;
  start   integer;
  number  bigint;
  clash   boolean;
  first   integer := 1;  -- the number of the batch's first write
begin
  if not alone then
    while at <= size loop
      names := names || lines[at + 1];
      at := at + 4 + 5 * lines[at + 3]::integer;
    end loop;
    insert into houseway.heads
      select distinct s collate "C", 0, decode(repeat('00', 32), 'hex') from unnest(names) s
      where not exists (select from houseway.heads h where h.stream = s) order by 1
      on conflict do nothing;
    perform from houseway.heads h where h.stream = any(names) order by h.stream for update;
    at := 1;
  end if;
  while at <= size loop
    starts := '{}';
    clash := false;
    start := at;
    while at <= size and lines[at] = lines[start] loop
      starts := starts || at;
      if not alone then
        select h.version into number from houseway.heads h where h.stream = lines[at + 1];
        if number <> lines[at + 2]::bigint then
          item := first + cardinality(starts) - 1; stands := number; linked := null; chained := null;
          return next;
          clash := true;
        end if;
      end if;
      at := at + 4 + 5 * lines[at + 3]::integer;
    end loop;
    for i in 1..case when clash then 0 else cardinality(starts) end loop
      start := starts[i];
      item := first + i - 1;
      stands := null;
      number := lines[start + 2]::bigint;
      for e in 1..lines[start + 3]::integer loop
        loop
          with moved as (
            update houseway.heads h set version = number + 1, hash = sha256(convert_to(
              'houseway/1' || E'\n' || encode(old.hash, 'hex') || E'\n' || lines[start + 1] || E'\n'
              || (number + 1) || E'\n'
              || array_to_string(lines[start + 5 * e - 1 : start + 5 * e + 3], E'\n'), 'UTF8'))
            from houseway.heads old
            where old.stream = lines[start + 1] and h.stream = lines[start + 1]
              and h.version = number and old.version = number
            returning old.hash as previous, h.hash
          )
          insert into houseway.events
            select lines[start + 1], number + 1, lines[start + 5 * e - 1], lines[start + 5 * e],
              lines[start + 5 * e + 1], lines[start + 5 * e + 2]::integer, lines[start + 5 * e + 3],
              moved.previous, moved.hash
            from moved
            returning previous, hash into linked, chained;
          exit when found;
          select h.version into stands from houseway.heads h where h.stream = lines[start + 1];
          if not found and number = 0 then
            insert into houseway.heads values (lines[start + 1], 0, decode(repeat('00', 32), 'hex'))
              on conflict do nothing;
          elsif stands is distinct from number then
            stands := coalesce(stands, 0); linked := null; chained := null;
            return next;
            return;
          end if;
          stands := null;
        end loop;
        return next;
        number := number + 1;
      end loop;
    end loop;
    first := first + cardinality(starts);
  end loop;
end $$;
