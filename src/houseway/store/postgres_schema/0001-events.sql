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
-- Where several streams are written they are locked in the order of their names, new ones made
-- first, so that two appends never wait for each other in a circle.
create function houseway.append(written text)
returns table (item integer, stands bigint, linked bytea, chained bytea) language plpgsql as $$
declare
  lines   text[] := string_to_array(written, E'\n');
  starts  integer[] := '{}';  -- where each write of the batch begins
  heads   bigint[];
  links   bytea[];
  names   text[] := '{}';
  at      integer := 1;
  start   integer;
  number  bigint;
  link    bytea;
  clash   boolean;
  first   integer := 1;  -- the number of the batch's first write
begin
  while at <= cardinality(lines) loop
    names := names || lines[at + 1];
    at := at + 4 + 5 * lines[at + 3]::integer;
  end loop;
  if cardinality(names) > 1 then
    insert into houseway.heads
      select distinct s collate "C", 0, decode(repeat('00', 32), 'hex') from unnest(names) s
      where not exists (select from houseway.heads h where h.stream = s) order by 1
      on conflict do nothing;
    perform from houseway.heads h where h.stream = any(names) order by h.stream for update;
  end if;
  at := 1;
  while at <= cardinality(lines) loop
    starts := '{}'; heads := '{}'; links := '{}'; clash := false;
    start := at;
    while at <= cardinality(lines) and lines[at] = lines[start] loop
      select h.version, h.hash into number, link from houseway.heads h
        where h.stream = lines[at + 1] for update;
      if not found then
        insert into houseway.heads values (lines[at + 1], 0, decode(repeat('00', 32), 'hex'))
          on conflict do nothing;
        select h.version, h.hash into number, link from houseway.heads h
          where h.stream = lines[at + 1] for update;
      end if;
      starts := starts || at; heads := heads || number; links := links || link;
      if number <> lines[at + 2]::bigint then
        item := first + cardinality(starts) - 1; stands := number; linked := null; chained := null;
        return next;
        clash := true;
      end if;
      at := at + 4 + 5 * lines[at + 3]::integer;
    end loop;
    if not clash then
      stands := null;
      for i in 1..cardinality(starts) loop
        start := starts[i]; number := heads[i]; link := links[i];
        item := first + i - 1;
        for e in 1..lines[start + 3]::integer loop
          number := number + 1;
          chained := sha256(convert_to(
            'houseway/1' || E'\n' || encode(link, 'hex') || E'\n' || lines[start + 1] || E'\n'
            || number || E'\n' || array_to_string(lines[start + 5 * e - 1 : start + 5 * e + 3], E'\n'),
            'UTF8'));
          insert into houseway.events values (
            lines[start + 1], number, lines[start + 5 * e - 1], lines[start + 5 * e],
            lines[start + 5 * e + 1], lines[start + 5 * e + 2]::integer, lines[start + 5 * e + 3],
            link, chained);
          linked := link;
          return next;
          link := chained;
        end loop;
        update houseway.heads h set version = number, hash = link where h.stream = lines[start + 1];
      end loop;
    end if;
    first := first + cardinality(starts);
  end loop;
end $$;
