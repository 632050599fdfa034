-- What a member allows one agent: a grant or an API token. Without a row, or with a row of nulls and zeros, nothing is
-- limited. tool_groups is a comma-separated list; null is all. spent counts the credits of the month spent_in; null has
-- them counted from the ledger. A row outlives its credential, so that a client that connects again is offered the same.
create table agent_limits (
  member_id       integer not null references members (member_id) on delete cascade,
  credential_id   text not null,
  client_id       text,
  read_only       integer not null check (read_only in (0, 1)),
  tool_groups     text,
  withholds_text  integer not null check (withholds_text in (0, 1)),
  monthly_credits integer check (monthly_credits >= 0),
  spent           integer not null default 0,
  spent_in        integer,
  ends_at         integer,
  changed_at      integer not null,
  primary key (member_id, credential_id)
) strict, without rowid;
create index agent_limits_by_client on agent_limits (member_id, client_id, changed_at) where client_id is not null;
create index agent_limits_by_change on agent_limits (changed_at);

-- Selections of connections that an agent exported. The file is written when it is read. connection_ids is a JSON array.
create table connection_exports (
  member_id      integer not null references members (member_id) on delete cascade,
  export_id      text not null,
  credential_id  text not null,
  format         text not null check (format in ('csv', 'vcard')),
  connection_ids text not null,
  created_at     integer not null,
  expires_at     integer not null,
  primary key (member_id, export_id)
) strict, without rowid;
create index connection_exports_by_expiry on connection_exports (expires_at);

-- Confirmations of more actions. Challenges live for five minutes, so that none is kept.
drop table passkey_challenges;
create table passkey_challenges (
  challenge_hash text primary key,
  purpose        text not null check (purpose in
    ('sign_in', 'add', 'confirm', 'create_token', 'export_data', 'delete_account')),
  bound_to       text not null,
  expires_at     integer not null
) strict, without rowid;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
