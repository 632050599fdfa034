-- The last attempt of each client to connect to a member's account. steps and suspicions are JSON: when each step was
-- seen, and why it failed. No secrets, addresses or client IDs. Times are in milliseconds.
create table connection_attempts (
  member_id     integer not null references members (member_id) on delete cascade,
  client_hash   text not null,
  client_name   text,
  redirect_host text,
  steps         text not null,
  suspicions    text not null,
  started_at    integer not null,
  updated_at    integer not null,
  primary key (member_id, client_hash)
) strict, without rowid;
create index connection_attempts_by_update on connection_attempts (updated_at);
