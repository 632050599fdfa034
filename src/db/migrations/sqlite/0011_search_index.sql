-- Searching connections: one index per network, held in memory (decisions/0025). The database keeps what makes it current
-- on every node.

-- How many changes of searchable data there were. Snapshots of versions below the floor may contain purged data.
alter table networks add column search_version integer not null default 0;
alter table networks add column search_floor integer not null default 0;

-- Which connections each of the latest versions changed: a range of numbers per version. The slot is the version modulo
-- the number of slots, so the table stays small.
create table search_changes (
  member_id        integer not null references members (member_id) on delete cascade,
  slot             integer not null,
  version          integer not null,
  first_connection integer not null,
  last_connection  integer not null,
  primary key (member_id, slot)
) strict, without rowid;

-- The index as it was at a version, in parts.
create table search_snapshots (
  member_id integer not null references members (member_id) on delete cascade,
  part      integer not null,
  parts     integer not null,
  version   integer not null,
  data      blob not null,
  primary key (member_id, part)
) strict;

drop table connection_search;
