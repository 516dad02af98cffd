-- The signature of each append over where it left its streams: [["table/1", 57, "<hash>"], ...].
create table houseway.appends (
  number    bigint generated always as identity primary key,
  heads     text   not null,
  key       text   not null,
  signature bytea  not null
);
