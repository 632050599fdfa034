-- What is kept has an end: docs/running.md, "What is kept and for how long". And credits that survive a wrong clock.

-- What is there already is read across members once, so row-level security is lifted for as long as this takes.
alter table jobs no force row level security;
alter table credential_names no force row level security;
alter table grants no force row level security;
alter table api_tokens no force row level security;

-- Months that a member's account has left: what remained of each, should a clock that ran ahead be set back.
create table credit_periods (
  member_id    bigint not null references members (member_id) on delete cascade,
  period_start bigint not null,
  quota        bigint not null,
  remaining    bigint not null check (remaining >= 0),
  primary key (member_id, period_start)
);

-- The month a job was charged in, to which a refund returns; and when a finished job is deleted.
alter table jobs add column charged_period bigint;
alter table jobs add column expires_at bigint;
-- 90 days
update jobs set expires_at = finished_at + 7776000000 where finished_at is not null;
create index jobs_by_expiry on jobs (expires_at) where expires_at is not null;

-- Bytes of idempotency records that a member has stored on that day (UTC).
alter table networks add column keyed_day bigint not null default 0;
alter table networks add column keyed_bytes bigint not null default 0;

-- Content that came inside a call, not as a file; the next one replaces it.
alter table uploads add column is_inline bigint not null default 0;

create index activity_connections_by_activity on activity_connections (member_id, activity_id);
create index access_tokens_by_expiry on access_tokens (expires_at);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);
create index api_tokens_by_revocation on api_tokens (revoked_at) where revoked_at is not null;
create index api_tokens_by_expiry on api_tokens (expires_at) where expires_at is not null;
create index cloud_agents_by_removal on cloud_agents (removed_at) where removed_at is not null;
-- granted_at is the last time a member connected the client; no grant outlives it by more than a year.
create index oauth_clients_by_grant on oauth_clients (granted_at) where granted_at is not null;

-- The ledger names credentials after they have ended: API tokens too.
alter table credential_names add column named_at bigint not null default 0;
update credential_names set named_at = coalesce((
  select created_at from grants
  where grants.member_id = credential_names.member_id and grants.grant_id = credential_names.credential_id
), (extract(epoch from now()) * 1000)::bigint);
insert into credential_names (member_id, credential_id, name, named_at)
  select member_id, token_id, name, created_at from api_tokens
  on conflict do nothing;
create index credential_names_by_time on credential_names (named_at);

alter table jobs force row level security;
alter table credential_names force row level security;
alter table grants force row level security;
alter table api_tokens force row level security;

alter table credit_periods enable row level security;
alter table credit_periods force row level security;
create policy own_rows on credit_periods using (member_id = (select acting_member()));

-- The hourly sweep finds and deletes across members.
do $$
declare private text;
begin
  foreach private in array array[
    'access_tokens', 'refresh_tokens', 'api_tokens', 'cloud_agents', 'credential_names'
  ] loop
    execute format('create policy service_finds on %I for select using ((select acting_member()) = 0)', private);
    execute format('create policy service_sweeps on %I for delete using ((select acting_member()) = 0)', private);
  end loop;
end $$;
