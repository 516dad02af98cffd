-- States folded from streams: a cache that may be emptied at any time.
create table snapshots (
  stream  text    not null,
  maker   text    not null,
  version integer not null,
  hash    blob    not null,  -- of the event at that version
  state   blob    not null,
  primary key (stream, maker)
) strict, without rowid;
