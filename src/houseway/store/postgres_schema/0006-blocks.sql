-- Events are kept in blocks: those of one stream that were written together, compressed. The table
-- `events` keeps what was written before, as it was; a stream goes on in `blocks` where it ended.
-- docs/reference/record.md says how a block is read.
create table houseway.streams (
  id   integer generated always as identity primary key,
  name text collate "C" not null unique
);

create table houseway.blocks (
  stream  integer not null,
  first   bigint  not null,  -- version of the first event
  version bigint  not null,  -- of the last
  hash    bytea   not null,  -- of the last
  body    bytea   not null,
  primary key (stream, first)
);
-- a body is compressed already
alter table houseway.blocks alter body set storage external;

insert into houseway.streams (name)
  with recursive names(name) as (
    select min(stream) from houseway.events
    union all
    select (select min(stream) from houseway.events where stream > name) from names
      where name is not null
  ) select name from names where name is not null;

-- Where a stream begins here, if the events before that were archived and removed.
create table houseway.bases (
  stream  integer primary key,
  version bigint not null,  -- of the last event that was removed
  hash    bytea  not null   -- of that event
);
create trigger bases_are_not_removed before delete on houseway.bases
  for each row execute function houseway.refuse();

create function houseway.refuse_unless_archived() returns trigger language plpgsql as $$
begin
  if old.version > coalesce((select b.version from houseway.bases b where b.stream = old.stream), 0) then
    raise exception 'events are never changed or removed' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
create trigger blocks_are_not_changed before update on houseway.blocks
  for each row execute function houseway.refuse();
create trigger blocks_are_not_removed before delete on houseway.blocks
  for each row execute function houseway.refuse_unless_archived();
create trigger blocks_are_not_emptied before truncate on houseway.blocks
  for each statement execute function houseway.refuse();
create trigger streams_are_not_changed before update or delete on houseway.streams
  for each row execute function houseway.refuse();
create trigger streams_are_not_emptied before truncate on houseway.streams
  for each statement execute function houseway.refuse();
-- nothing is added to the old table
create trigger events_are_complete before insert on houseway.events
  for each row execute function houseway.refuse();

drop function houseway.append(text, bigint, text, text, text, integer, text);
drop function houseway.append_all(text);

-- The hash to which a block that begins at an event must be linked; none if the stream does not end
-- before that event.
create function houseway.link(block_stream integer, block_first bigint) returns bytea
language sql stable as $$
  select case
    when found.version = block_first - 1 then found.hash
    when found.version is null and block_first = 1 then decode(repeat('00', 32), 'hex')
  end
  from (select) as always left join lateral (
    (select 1 as place, b.version, b.hash from houseway.blocks b
      where b.stream = block_stream and b.first < block_first order by b.first desc limit 1)
    union all
    (select 2, e.version, e.hash from houseway.events e
      where e.stream = (select name from houseway.streams where id = block_stream)
      order by e.version desc limit 1)
    order by place limit 1
  ) as found on true
$$;

-- Blocks, each linked to the last event of its stream, and their signature if there is one, in the
-- place of older ones that it makes superfluous: all of it or nothing. The answer is the number of the
-- signature. Blocks go in by the order of their key, so that two appends never wait for each other in
-- a circle; two writers of one stream meet in that key.
create function houseway.append(
  streams integer[], links bytea[], firsts bigint[], versions bigint[], hashes bytea[],
  bodies bytea[], signed text, signer text, signed_by bytea, superseded bigint[]
) returns bigint language plpgsql as $$
declare
  signature_number bigint := 0;
begin
  insert into houseway.blocks
    select * from unnest(streams, firsts, versions, hashes, bodies) as new (stream, first)
      order by stream, first;
  if exists (
    select from unnest(streams, firsts, links) as new (stream, first, link)
    where link is distinct from houseway.link(stream, first)
  ) then
    raise exception 'an event follows the last one of its stream'
      using errcode = 'integrity_constraint_violation';
  end if;
  if signed <> '' then
    insert into houseway.appends (heads, key, signature) values (signed, signer, signed_by)
      returning number into signature_number;
    if superseded <> '{}' then
      delete from houseway.appends where number = any(superseded);
    end if;
  end if;
  return signature_number;
end $$;
