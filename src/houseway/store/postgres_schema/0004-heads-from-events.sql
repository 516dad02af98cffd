-- The head of a stream is its last event, one look into the key of the events away. A table of heads
-- beside them cost every append a second row to write, and said nothing that the events do not say.
-- Two writers at one version meet in that key: one of them writes, the other finds it written.
drop function houseway.append(text);
drop function houseway.append_many(text[]);
drop table houseway.heads;

-- One event for one stream, which is what most appends are. The answer is the hash it was linked to,
-- or nothing if the stream does not stand where it was expected.
create function houseway.append(
  name text, expected bigint, at text, who text, what text, shape integer, said text
) returns bytea language plpgsql as $$
declare
  stands bigint;
  link   bytea;
begin
  select e.version, e.hash into stands, link from houseway.events e
    where e.stream = name order by e.version desc limit 1;
  if stands is null then
    stands := 0;
    link := decode(repeat('00', 32), 'hex');
  end if;
  if stands <> expected then
    return null;
  end if;
  insert into houseway.events values (name, stands + 1, at, who, what, shape, said, link,
    sha256(convert_to(concat_ws(E'\n', 'houseway/1', encode(link, 'hex'), name, stands + 1, at, who,
      what, shape, said), 'UTF8')));
  return link;
end $$;

-- Batches of writes, each batch whole or not at all. What is written comes as lines, since no field
-- holds a line feed: for each write the number of its batch, its stream, the version expected and
-- the count of its events; then for each event time, actor, kind, schema and body. The answer has a
-- row for each write in turn: the hash its first event was linked to, or the version found if that
-- was not the one expected, or neither if only another write of its batch was in conflict.
--
-- What it comes to is figured in memory; then all events go in with one statement, in the order of
-- their key, so that two appends never wait for each other in a circle. If another writer was
-- quicker after the heads were read, nothing of it stays and it is figured again.
create function houseway.append_all(written text)
returns table (found bigint, linked bytea) language plpgsql as $$
declare
  lines    text[] := string_to_array(written, E'\n');
  size     integer := cardinality(lines);
  -- the streams, and where they stand
  names    text[];
  versions bigint[];
  hashes   bytea[];
  head     integer;
  -- the events that are written
  streams  text[];
  numbers  bigint[];
  times    text[];
  actors   text[];
  kinds    text[];
  schemas  integer[];
  bodies   text[];
  links    bytea[];
  chains   bytea[];
  -- the answer
  clashes  bigint[];
  firsts   bytea[];
  at       integer;
  start    integer;  -- of the batch, then of the event
  ends     integer;  -- of the batch
  number   integer;  -- of the write
  first    integer;  -- write of the batch
  count    integer;  -- of the events
  clash    boolean;
  link     bytea;
begin
  loop
    names := '{}'; streams := '{}'; numbers := '{}'; times := '{}'; actors := '{}'; kinds := '{}';
    schemas := '{}'; bodies := '{}'; links := '{}'; chains := '{}'; clashes := '{}'; firsts := '{}';
    number := 0; count := 0; at := 1;
    while at <= size loop
      names := names || lines[at + 1];
      at := at + 4 + 5 * lines[at + 3]::integer;
    end loop;
    select array_agg(s.name), array_agg(coalesce(e.version, 0)),
        array_agg(coalesce(e.hash, decode(repeat('00', 32), 'hex')))
      into names, versions, hashes
      from (select distinct n as name from unnest(names) n) s
      left join lateral (select e.version, e.hash from houseway.events e
        where e.stream = s.name collate "C" order by e.version desc limit 1) e on true;
    at := 1;
    while at <= size loop
      start := at;
      first := number;
      clash := false;
      while at <= size and lines[at] = lines[start] loop
        number := number + 1;
        head := array_position(names, lines[at + 1]);
        if versions[head] <> lines[at + 2]::bigint then
          clashes[number] := versions[head];
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
        firsts[number] := hashes[head];
        start := at + 4;
        at := start + 5 * lines[at + 3]::integer;
        while start < at loop
          link := hashes[head];
          versions[head] := versions[head] + 1;
          hashes[head] := sha256(convert_to(concat_ws(E'\n', 'houseway/1', encode(link, 'hex'),
            names[head], versions[head], lines[start], lines[start + 1], lines[start + 2],
            lines[start + 3], lines[start + 4]), 'UTF8'));
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
          start := start + 5;
        end loop;
      end loop;
    end loop;
    begin
      insert into houseway.events
        select * from unnest(streams, numbers, times, actors, kinds, schemas, bodies, links, chains)
          as new (stream, version) order by stream collate "C", version;
      exit;
    exception when unique_violation then
      null;
    end;
  end loop;
  return query select clashes[n], firsts[n] from generate_series(1, number) n order by n;
end $$;
