-- Matching keys of large imports: sorted runs, each divided by the first bits of the keys into parts. Inserting them one by one
-- into the index of connection_keys would change nearly every page of it. The slot is 65,536 times the number of the run, plus
-- that of the part. Nodes of earlier versions would not find these keys.
create table connection_key_runs (
  member_id bigint not null references members (member_id) on delete cascade,
  slot      bigint not null,
  keys      bytea not null,
  primary key (member_id, slot)
);
-- Hashes hardly shrink.
alter table connection_key_runs alter column keys set storage external;
alter table connection_key_runs enable row level security;
alter table connection_key_runs force row level security;
create policy own_rows on connection_key_runs using (member_id = (select acting_member()));

-- Keys in runs that connections have lost since.
create table removed_connection_keys (
  member_id     bigint not null references members (member_id) on delete cascade,
  key           text collate "C" not null,
  connection_id bigint not null,
  primary key (member_id, key, connection_id)
);
alter table removed_connection_keys enable row level security;
alter table removed_connection_keys force row level security;
create policy own_rows on removed_connection_keys using (member_id = (select acting_member()));
