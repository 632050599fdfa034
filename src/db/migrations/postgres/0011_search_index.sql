-- Searching connections: one index per network, held in memory (decisions/0025). The database keeps what makes it current
-- on every node.

-- How many changes of searchable data there were. Snapshots of versions below the floor may contain purged data.
alter table networks add column search_version bigint not null default 0;
alter table networks add column search_floor bigint not null default 0;

-- Which connections each of the latest versions changed: a range of numbers per version. The slot is the version modulo
-- the number of slots, so the table stays small.
create table search_changes (
  member_id        bigint not null references members (member_id) on delete cascade,
  slot             bigint not null,
  version          bigint not null,
  first_connection bigint not null,
  last_connection  bigint not null,
  primary key (member_id, slot)
);

-- The index as it was at a version, in parts.
create table search_snapshots (
  member_id bigint not null references members (member_id) on delete cascade,
  part      bigint not null,
  parts     bigint not null,
  version   bigint not null,
  data      bytea not null,
  primary key (member_id, part)
);

alter table search_changes enable row level security;
alter table search_changes force row level security;
create policy own_rows on search_changes using (member_id = (select acting_member()));

alter table search_snapshots enable row level security;
alter table search_snapshots force row level security;
create policy own_rows on search_snapshots using (member_id = (select acting_member()));

drop table connection_search;
