-- Matching keys of large imports: sorted runs, each divided by the first bits of the keys into parts. Inserting them one by one
-- into the index of connection_keys would change nearly every page of it. The slot is 65,536 times the number of the run, plus
-- that of the part. Nodes of earlier versions would not find these keys.
create table connection_key_runs (
  member_id integer not null references members (member_id) on delete cascade,
  slot      integer not null,
  keys      blob not null,
  primary key (member_id, slot)
) strict;

-- Keys in runs that connections have lost since.
create table removed_connection_keys (
  member_id     integer not null references members (member_id) on delete cascade,
  key           text not null,
  connection_id integer not null,
  primary key (member_id, key, connection_id)
) strict, without rowid;
