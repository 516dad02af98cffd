-- The signature of each append over where it left its streams: [["table/1", 57, "<hash>"], ...].
create table appends (
  number    integer primary key,
  heads     text    not null,
  key       text    not null,
  signature blob    not null
) strict;
