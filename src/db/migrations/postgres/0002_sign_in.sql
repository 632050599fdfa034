-- How a person signs in: a password, an account at an identity provider, or a link that works once.

create table passwords (
  member_id  bigint primary key references members (member_id) on delete cascade,
  hash       text collate "C" not null,
  changed_at bigint not null
);

create table identities (
  issuer    text collate "C" not null,
  subject   text collate "C" not null,
  member_id bigint not null references members (member_id) on delete cascade,
  added_at  bigint not null,
  primary key (issuer, subject)
);
create index identities_by_member on identities (member_id);

-- member_id is whom it lets in: whoever resets a password, nobody yet for those who join.
create table one_time_links (
  link_hash  text collate "C" primary key,
  purpose    text collate "C" not null check (purpose in ('first', 'invite', 'reset')),
  member_id  bigint references members (member_id) on delete cascade,
  note       text collate "C",
  created_at bigint not null,
  expires_at bigint not null
);
create index one_time_links_by_expiry on one_time_links (expires_at);

create table browser_sessions (
  session_hash text collate "C" primary key,
  member_id    bigint not null references members (member_id) on delete cascade,
  user_agent   text collate "C",
  created_at   bigint not null,
  last_seen_at bigint not null,
  expires_at   bigint not null
);
create index browser_sessions_by_member on browser_sessions (member_id);
create index browser_sessions_by_expiry on browser_sessions (expires_at);

-- Clients that registered themselves (RFC 7591). granted_at is when a member first let one in.
create table oauth_clients (
  client_id     text collate "C" primary key,
  name          text collate "C" not null,
  client_uri    text collate "C",
  redirect_uris text collate "C" not null,
  created_at    bigint not null,
  granted_at    bigint
);
create index oauth_clients_never_granted on oauth_clients (created_at) where granted_at is null;

-- What a member allowed a client: one row a consent, and with it live and die all tokens that follow from it.
create table grants (
  member_id     bigint not null references members (member_id) on delete cascade,
  grant_id      text collate "C" not null,
  client_id     text collate "C" not null,
  client_name   text collate "C" not null,
  redirect_host text collate "C" not null,
  scope         text collate "C" not null,
  resource      text collate "C",
  created_at    bigint not null,
  expires_at    bigint not null,
  last_used_at  bigint,
  primary key (member_id, grant_id)
);
create index grants_by_expiry on grants (expires_at);

create table authorization_codes (
  code_hash      text collate "C" primary key,
  member_id      bigint not null,
  grant_id       text collate "C" not null,
  client_id      text collate "C" not null,
  redirect_uri   text collate "C" not null,
  code_challenge text collate "C" not null,
  expires_at     bigint not null,
  redeemed_at    bigint,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
);
create index authorization_codes_by_grant on authorization_codes (member_id, grant_id);

create table access_tokens (
  token_hash text collate "C" primary key,
  member_id  bigint not null,
  grant_id   text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
);
create index access_tokens_by_grant on access_tokens (member_id, grant_id);

-- successor is the pair that followed, encrypted with a key that only the token itself gives.
create table refresh_tokens (
  token_hash text collate "C" primary key,
  member_id  bigint not null,
  grant_id   text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at    bigint,
  successor  text collate "C",
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
);
create index refresh_tokens_by_grant on refresh_tokens (member_id, grant_id);

create table cloud_agents (
  member_id  bigint not null references members (member_id) on delete cascade,
  agent_id   text collate "C" not null,
  name       text collate "C" not null,
  created_at bigint not null,
  removed_at bigint,
  primary key (member_id, agent_id)
);
create unique index cloud_agents_by_name on cloud_agents (member_id, name) where removed_at is null;

alter table api_tokens add column agent_id text collate "C";

-- The first answer to a write that carried an Idempotency-Key; scope is the credential, or the address of nobody.
create table idempotency_records (
  member_id   bigint not null references members (member_id) on delete cascade,
  scope       text collate "C" not null,
  key_hash    text collate "C" not null,
  fingerprint text collate "C" not null,
  answer      text collate "C" not null,
  expires_at  bigint not null,
  primary key (member_id, scope, key_hash)
);
create index idempotency_records_by_expiry on idempotency_records (expires_at);

create table anonymous_idempotency_records (
  scope       text collate "C" not null,
  key_hash    text collate "C" not null,
  fingerprint text collate "C" not null,
  answer      text collate "C" not null,
  expires_at  bigint not null,
  primary key (scope, key_hash)
);
create index anonymous_idempotency_records_by_expiry on anonymous_idempotency_records (expires_at);

do $$
declare private text;
begin
  foreach private in array array[
    'passwords', 'identities', 'browser_sessions', 'grants', 'authorization_codes', 'access_tokens', 'refresh_tokens',
    'cloud_agents', 'idempotency_records'
  ] loop
    execute format('alter table %I enable row level security', private);
    execute format('alter table %I force row level security', private);
    execute format('create policy own_rows on %I using (member_id = (select acting_member()))', private);
  end loop;
  -- Whoever shows one of these is nobody yet: it is looked up by its hash, an identity by what its issuer says.
  foreach private in array array[
    'identities', 'browser_sessions', 'grants', 'authorization_codes', 'access_tokens', 'refresh_tokens', 'cloud_agents'
  ] loop
    execute format('create policy sign_in on %I for select using ((select acting_member()) is null)', private);
  end loop;
  -- What has expired is swept by the service itself.
  foreach private in array array['browser_sessions', 'grants', 'idempotency_records'] loop
    execute format('create policy service_finds on %I for select using ((select acting_member()) = 0)', private);
    execute format('create policy service_sweeps on %I for delete using ((select acting_member()) = 0)', private);
  end loop;
end $$;
