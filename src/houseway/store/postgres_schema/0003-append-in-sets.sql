-- The same append, made quicker. A single event, which is what a table's wager on a linked meter is,
-- takes three plain statements. For everything else what it comes to is figured in memory; then the
-- events go in with one statement and the heads are moved on with one, however many tables wait.
--
-- What is written comes as lines, since no field holds a line feed: for each write the number of
-- its batch, its stream, the version expected and the count of its events; then for each event
-- time, actor, kind, schema and body. The answer has a row for each event written (its write, the
-- hash before it, its hash) and for each conflict (its write, the version found).
create or replace function houseway.append(written text)
returns table (item integer, stands bigint, linked bytea, chained bytea) language plpgsql as $$
declare
  lines text[] := string_to_array(written, E'\n');
  next  bigint := lines[3]::bigint + 1;
begin
  if cardinality(lines) <> 9 then
    return query select * from houseway.append_many(lines);
    return;
  end if;
  item := 1;
  -- no lock beforehand: the statement that moves the head on is the check
  select h.version, h.hash into stands, linked from houseway.heads h where h.stream = lines[2];
  if stands is null then
    linked := decode(repeat('00', 32), 'hex');
  end if;
  if coalesce(stands, 0) = next - 1 then
    chained := sha256(convert_to(
      'houseway/1' || E'\n' || encode(linked, 'hex') || E'\n' || lines[2] || E'\n' || next
      || E'\n' || lines[5] || E'\n' || lines[6] || E'\n' || lines[7] || E'\n' || lines[8]
      || E'\n' || lines[9], 'UTF8'));
    if stands is null then
      insert into houseway.heads values (lines[2], next, chained) on conflict do nothing;
    else
      update houseway.heads h set version = next, hash = chained
        where h.stream = lines[2] and h.version = next - 1;
    end if;
    if found then
      insert into houseway.events values (lines[2], next, lines[5], lines[6], lines[7],
        lines[8]::integer, lines[9], linked, chained);
      stands := null;
      return next;
      return;
    end if;
    -- another was quicker after it was read
    select h.version into stands from houseway.heads h where h.stream = lines[2];
  end if;
  stands := coalesce(stands, 0); linked := null; chained := null;
  return next;
end $$;

-- The heads of the streams are locked first, in the order of their names, new ones made before that,
-- so that two appends never wait for each other in a circle.
create function houseway.append_many(lines text[])
returns table (item integer, stands bigint, linked bytea, chained bytea) language plpgsql as $$
declare
  size     integer := cardinality(lines);
  -- the heads of the streams: their names in order, where they stand, and whether they moved
  names    text[] := '{}';
  versions bigint[] := '{}';
  hashes   bytea[] := '{}';
  head     integer;
  -- the events that are written
  streams  text[] := '{}';
  numbers  bigint[] := '{}';
  times    text[] := '{}';
  actors   text[] := '{}';
  kinds    text[] := '{}';
  schemas  integer[] := '{}';
  bodies   text[] := '{}';
  links    bytea[] := '{}';
  chains   bytea[] := '{}';
  -- the answer: a write, and for a conflict the version found, for an event where it is above
  writes   integer[] := '{}';
  clashes  bigint[] := '{}';
  rows     integer[] := '{}';
  at       integer := 1;
  start    integer;
  ends     integer;
  number   integer := 0;  -- of the write
  first    integer;
  count    integer := 0;  -- of the events
  clash    boolean;
  link     bytea;
begin
  while at <= size loop
    names := names || lines[at + 1];
    at := at + 4 + 5 * lines[at + 3]::integer;
  end loop;
  insert into houseway.heads
    select distinct s collate "C", 0, decode(repeat('00', 32), 'hex') from unnest(names) s
    where not exists (select from houseway.heads h where h.stream = s) order by 1
    on conflict do nothing;
  select array_agg(h.stream), array_agg(h.version), array_agg(h.hash)
    into names, versions, hashes
    from (select * from houseway.heads where stream = any(names) order by stream for update) h;
  at := 1;
  while at <= size loop
    -- one batch: it clashes whole, or is written whole
    start := at;
    first := number;
    clash := false;
    while at <= size and lines[at] = lines[start] loop
      number := number + 1;
      head := array_position(names, lines[at + 1]);
      if versions[head] <> lines[at + 2]::bigint then
        writes := writes || number; clashes := clashes || versions[head]; rows := rows || 0;
        clash := true;
      end if;
      at := at + 4 + 5 * lines[at + 3]::integer;
    end loop;
    continue when clash;
    ends := at;
    at := start;
    number := first;
    while at < ends loop
      number := number + 1;
      head := array_position(names, lines[at + 1]);
      start := at + 4;
      at := start + 5 * lines[at + 3]::integer;
      while start < at loop
        link := hashes[head];
        versions[head] := versions[head] + 1;
        hashes[head] := sha256(convert_to(
          'houseway/1' || E'\n' || encode(link, 'hex') || E'\n' || names[head] || E'\n'
          || versions[head] || E'\n' || lines[start] || E'\n' || lines[start + 1] || E'\n'
          || lines[start + 2] || E'\n' || lines[start + 3] || E'\n' || lines[start + 4], 'UTF8'));
        count := count + 1;
        streams[count] := names[head];
        numbers[count] := versions[head];
        times[count] := lines[start];
        actors[count] := lines[start + 1];
        kinds[count] := lines[start + 2];
        schemas[count] := lines[start + 3]::integer;
        bodies[count] := lines[start + 4];
        links[count] := link;
        chains[count] := hashes[head];
        writes := writes || number; clashes := clashes || null::bigint; rows := rows || count;
        start := start + 5;
      end loop;
    end loop;
  end loop;
  if count > 0 then
    update houseway.heads h set version = moved.version, hash = moved.hash
      from unnest(names, versions, hashes) moved (stream, version, hash)
      where h.stream = moved.stream collate "C" and h.version <> moved.version;
    insert into houseway.events
      select * from unnest(streams, numbers, times, actors, kinds, schemas, bodies, links, chains);
  end if;
  return query select w, c, links[r], chains[r] from unnest(writes, clashes, rows) answer (w, c, r);
end $$;
