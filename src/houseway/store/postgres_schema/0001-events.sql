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
-- A write is a batch number, a stream, the version it is expected at and a count of events; the
-- events follow in the same order. The answer has a row for each event written (its write, the hash
-- before it, its hash) and for each conflict (its write, the version found).
--
-- New streams are made and all streams are locked in order of their names, so that two appends
-- over several streams never wait for each other in a circle.
create function houseway.append(
  batches integer[], streams text[], expected bigint[], counts integer[],
  times text[], actors text[], kinds text[], schemas integer[], bodies text[]
) returns table (item integer, stands bigint, linked bytea, chained bytea) language plpgsql as $$
declare
  first   integer := 1;
  last    integer;
  event   integer := 0;
  at      bigint;
  link    bytea;
  clash   boolean;
  heads   bigint[];
  links   bytea[];
begin
  if exists (
    select from unnest(streams) s where not exists (select from houseway.heads h where h.stream = s)
  ) then
    insert into houseway.heads
      select distinct s collate "C", 0, decode(repeat('00', 32), 'hex') from unnest(streams) s order by 1
      on conflict do nothing;
  end if;
  if cardinality(streams) > 1 then
    perform from houseway.heads h where h.stream = any(streams) order by h.stream for update;
  end if;
  while first <= cardinality(streams) loop
    last := first;
    while last < cardinality(streams) and batches[last + 1] = batches[first] loop
      last := last + 1;
    end loop;
    clash := false;
    for i in first..last loop
      select h.version, h.hash into at, link from houseway.heads h where h.stream = streams[i] for update;
      heads[i] := at;
      links[i] := link;
      if at <> expected[i] then
        item := i; stands := at; linked := null; chained := null;
        return next;
        clash := true;
      end if;
    end loop;
    for i in first..last loop
      if clash then
        event := event + counts[i];
      else
        at := heads[i];
        link := links[i];
        for n in 1..counts[i] loop
          event := event + 1;
          at := at + 1;
          chained := sha256(convert_to(
            'houseway/1' || E'\n' || encode(link, 'hex') || E'\n' || streams[i] || E'\n' || at || E'\n'
            || times[event] || E'\n' || actors[event] || E'\n' || kinds[event] || E'\n'
            || schemas[event] || E'\n' || bodies[event], 'UTF8'));
          insert into houseway.events values (
            streams[i], at, times[event], actors[event], kinds[event], schemas[event],
            bodies[event], link, chained);
          item := i; stands := null; linked := link;
          return next;
          link := chained;
        end loop;
        update houseway.heads h set version = at, hash = link where h.stream = streams[i];
      end if;
    end loop;
    first := last + 1;
  end loop;
end $$;
