-- Events are kept in blocks: those of one stream that were written together, compressed. The table
-- `events` keeps what was written before, as it was; a stream goes on in `blocks` where it ended.
-- docs/reference/record.md says how a block is read.
create table streams (
  id   integer primary key,
  name text    not null unique
) strict;

insert into streams (name)
  with recursive names(name) as (
    select min(stream) from events
    union all
    select (select min(stream) from events where stream > name) from names where name is not null
  ) select name from names where name is not null;

create table blocks (
  stream  integer not null,
  first   integer not null,  -- version of the first event
  version integer not null,  -- of the last
  hash    blob    not null,  -- of the last
  body    blob    not null
) strict;

create unique index blocks_of_streams on blocks (stream, first);

create trigger blocks_are_not_changed before update on blocks
begin
  select raise(abort, 'events are never changed');
end;

-- Where a stream begins here, if the events before that were archived and removed.
create table bases (
  stream  integer primary key,
  version integer not null,  -- of the last event that was removed
  hash    blob    not null   -- of that event
) strict;

create trigger blocks_are_not_removed before delete on blocks
when old.version > coalesce((select version from bases where stream = old.stream), 0)
begin
  select raise(abort, 'events are never removed');
end;

create trigger bases_move_forward before update on bases
when new.stream is not old.stream or new.version <= old.version
begin
  select raise(abort, 'events are never changed');
end;

create trigger bases_are_not_removed before delete on bases
begin
  select raise(abort, 'events are never removed');
end;

-- also stops INSERT OR REPLACE, which would remove a row without asking the rule above
create trigger blocks_follow_each_other before insert on blocks
when new.version < new.first or new.first is not 1 + coalesce(
  (select version from blocks where stream = new.stream order by first desc limit 1),
  (select max(version) from events where stream = (select name from streams where id = new.stream)),
  (select version from bases where stream = new.stream),
  0)
begin
  select raise(abort, 'an event follows the last one of its stream');
end;

-- nothing is added to the old table
create trigger events_are_complete before insert on events
begin
  select raise(abort, 'an event is added to the blocks of its stream');
end;

create trigger streams_are_not_changed before update on streams
begin
  select raise(abort, 'events are never changed');
end;

create trigger streams_are_not_removed before delete on streams
begin
  select raise(abort, 'events are never removed');
end;
