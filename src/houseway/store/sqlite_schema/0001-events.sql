-- The record: events are added and never changed. Anyone may read this file with sqlite3.
create table meta (
  key   text primary key,
  value text not null
) strict, without rowid;

create table events (
  stream   text    not null,
  version  integer not null,
  time     text    not null,  -- UTC
  actor    text    not null,
  kind     text    not null,
  schema   integer not null,
  body     text    not null,  -- canonical JSON
  previous blob    not null,  -- hash of the event before it in its stream; zeros for the first
  hash     blob    not null,
  primary key (stream, version)
) strict, without rowid;

create trigger events_are_not_changed before update on events
begin
  select raise(abort, 'events are never changed');
end;

create trigger events_are_not_removed before delete on events
begin
  select raise(abort, 'events are never removed');
end;

-- also stops INSERT OR REPLACE, which would remove a row without asking the rule above
create trigger events_follow_each_other before insert on events
when new.version is not
  (select coalesce(max(version), 0) + 1 from events where stream = new.stream)
begin
  select raise(abort, 'an event follows the last one of its stream');
end;
