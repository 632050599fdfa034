-- Attempts in a row that saved no progress: only these count towards giving a job up.

alter table jobs add column stalled_attempts integer not null default 0;

-- A deleted demo account is not created again at the next start; `weft demo seed` does that and removes the row.
-- At most one row.
create table demo_deletion (
  deletion_id integer primary key check (deletion_id = 1),
  deleted_at integer not null
) strict;
