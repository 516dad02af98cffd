-- States folded from streams: a cache that may be emptied at any time.
create table houseway.snapshots (
  stream  text   not null,
  maker   text   not null,
  version bigint not null,
  hash    bytea  not null,  -- of the event at that version
  state   bytea  not null,
  primary key (stream, maker)
);
