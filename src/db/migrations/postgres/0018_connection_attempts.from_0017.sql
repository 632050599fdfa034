-- The last attempt of each client to connect to a member's account. steps and suspicions are JSON: when each step was
-- seen, and why it failed. No secrets, addresses or client IDs. Times are in milliseconds.
create table connection_attempts (
  member_id     bigint not null references members (member_id) on delete cascade,
  client_hash   text collate "C" not null,
  client_name   text collate "C",
  redirect_host text collate "C",
  steps         text collate "C" not null,
  suspicions    text collate "C" not null,
  started_at    bigint not null,
  updated_at    bigint not null,
  primary key (member_id, client_hash)
);
create index connection_attempts_by_update on connection_attempts (updated_at);
alter table connection_attempts enable row level security;
alter table connection_attempts force row level security;
create policy own_rows on connection_attempts using (member_id = (select acting_member()));
create policy service_finds on connection_attempts for select using ((select acting_member()) = 0);
create policy service_sweeps on connection_attempts for delete using ((select acting_member()) = 0);
