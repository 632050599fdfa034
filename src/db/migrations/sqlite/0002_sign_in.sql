-- How a person signs in: a password, an account at an identity provider, or a link that works once.

create table passwords (
  member_id  integer primary key references members (member_id) on delete cascade,
  hash       text not null,
  changed_at integer not null
) strict;

create table identities (
  issuer    text not null,
  subject   text not null,
  member_id integer not null references members (member_id) on delete cascade,
  added_at  integer not null,
  primary key (issuer, subject)
) strict, without rowid;
create index identities_by_member on identities (member_id);

-- member_id is whom it lets in: whoever resets a password, nobody yet for those who join.
create table one_time_links (
  link_hash  text primary key,
  purpose    text not null check (purpose in ('first', 'invite', 'reset')),
  member_id  integer references members (member_id) on delete cascade,
  note       text,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index one_time_links_by_expiry on one_time_links (expires_at);

create table browser_sessions (
  session_hash text primary key,
  member_id    integer not null references members (member_id) on delete cascade,
  user_agent   text,
  created_at   integer not null,
  last_seen_at integer not null,
  expires_at   integer not null
) strict, without rowid;
create index browser_sessions_by_member on browser_sessions (member_id);
create index browser_sessions_by_expiry on browser_sessions (expires_at);

-- Clients that registered themselves (RFC 7591). granted_at is when a member first let one in.
create table oauth_clients (
  client_id     text primary key,
  name          text not null,
  client_uri    text,
  redirect_uris text not null,
  created_at    integer not null,
  granted_at    integer
) strict, without rowid;
create index oauth_clients_never_granted on oauth_clients (created_at) where granted_at is null;

-- What a member allowed a client: one row a consent, and with it live and die all tokens that follow from it.
create table grants (
  member_id     integer not null references members (member_id) on delete cascade,
  grant_id      text not null,
  client_id     text not null,
  client_name   text not null,
  redirect_host text not null,
  scope         text not null,
  resource      text,
  created_at    integer not null,
  expires_at    integer not null,
  last_used_at  integer,
  primary key (member_id, grant_id)
) strict, without rowid;
create index grants_by_expiry on grants (expires_at);

create table authorization_codes (
  code_hash      text primary key,
  member_id      integer not null,
  grant_id       text not null,
  client_id      text not null,
  redirect_uri   text not null,
  code_challenge text not null,
  expires_at     integer not null,
  redeemed_at    integer,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
) strict, without rowid;
create index authorization_codes_by_grant on authorization_codes (member_id, grant_id);

create table access_tokens (
  token_hash text primary key,
  member_id  integer not null,
  grant_id   text not null,
  created_at integer not null,
  expires_at integer not null,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
) strict, without rowid;
create index access_tokens_by_grant on access_tokens (member_id, grant_id);

-- successor is the pair that followed, encrypted with a key that only the token itself gives.
create table refresh_tokens (
  token_hash text primary key,
  member_id  integer not null,
  grant_id   text not null,
  created_at integer not null,
  expires_at integer not null,
  used_at    integer,
  successor  text,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
) strict, without rowid;
create index refresh_tokens_by_grant on refresh_tokens (member_id, grant_id);

create table cloud_agents (
  member_id  integer not null references members (member_id) on delete cascade,
  agent_id   text not null,
  name       text not null,
  created_at integer not null,
  removed_at integer,
  primary key (member_id, agent_id)
) strict, without rowid;
create unique index cloud_agents_by_name on cloud_agents (member_id, name) where removed_at is null;

alter table api_tokens add column agent_id text;

-- The first answer to a write that carried an Idempotency-Key; scope is the credential, or the address of nobody.
create table idempotency_records (
  member_id   integer not null references members (member_id) on delete cascade,
  scope       text not null,
  key_hash    text not null,
  fingerprint text not null,
  answer      text not null,
  expires_at  integer not null,
  primary key (member_id, scope, key_hash)
) strict, without rowid;
create index idempotency_records_by_expiry on idempotency_records (expires_at);

create table anonymous_idempotency_records (
  scope       text not null,
  key_hash    text not null,
  fingerprint text not null,
  answer      text not null,
  expires_at  integer not null,
  primary key (scope, key_hash)
) strict, without rowid;
create index anonymous_idempotency_records_by_expiry on anonymous_idempotency_records (expires_at);
