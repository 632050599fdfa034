-- The schema of the first release. Times are milliseconds since 1970 (UTC), days are YYYY-MM-DD, lists and objects are JSON.
-- The key of every private table begins with member_id. Texts compare by their bytes.

-- Written for SQLite; PostgreSQL has its own types, and the lines after --@ (db/migrate.ts).

-- Row-level security isolates members even if a query forgets :member_id. Policies:
--   own_rows: a transaction that acts for a member reaches only that member's rows. The end of this file makes it.
--   sign_in: without a member, credentials are found by their hash, and an identity by its issuer and subject.
--   service_*: member 0 is the service, which finds, claims and deletes rows across members.
--@ create function acting_member() returns bigint language sql stable parallel safe
--@   return nullif(current_setting('weft.member_id', true), '')::bigint;

-- Members and the directory

-- verified_email counts only while it equals email. time_zone is that of the member's first browser, until they set it; null is UTC.
-- language is a BCP 47 tag; null follows the browser.
-- In PostgreSQL, everyone reads members: profiles are public, and sign-in finds a member by username or email.
create table members (
  member_id      integer primary key,
  username       text not null unique,
  name           text not null,
  email          text unique,
  headline       text,
  about          text,
  location       text,
  organization   text,
  title          text,
  skills         text not null default '[]',
  links          text not null default '[]',
  avatar_url     text,
  photo          text,
  is_public      integer not null default 1,
  version        integer not null default 1,
  joined_at      integer not null,
  updated_at     integer not null,
  disabled_at    integer,
  role           text not null default 'member' check (role in ('member', 'admin')),
  time_zone      text,
  language       text,
  verified_email text
) strict;
create index members_by_admin_role on members (member_id) where role = 'admin';
--@ create policy public_reads on members for select using (true);
--@ create policy without_member on members using (coalesce((select acting_member()), 0) = 0);

-- Links to a former username lead to the present one.
create table former_usernames (
  username  text primary key,
  member_id integer not null references members (member_id) on delete cascade,
  left_at   integer not null
) strict, without rowid;
create index former_usernames_by_member on former_usernames (member_id);
--@ create policy without_member on former_usernames using (coalesce((select acting_member()), 0) = 0);

-- Public profiles in the order of the directory: the best rank has the smallest position. The terms have spaces around them;
-- those of names are stored twice, plain and with the prefix = (members/directory-index.ts).
create table directory_entries (
  position  integer primary key,
  member_id integer not null unique references members (member_id) on delete cascade,
  username  text not null,
  name_key  text not null,
  terms     text not null
) strict;
create index directory_entries_by_name on directory_entries (name_key, position);

-- Each term of an entry.
create table directory_terms (
  term     text not null,
  position integer not null,
  primary key (term, position)
) strict, without rowid;

-- Counts changes of public profiles, for search indexes in the memory of nodes (members/directory-changes.ts). A writer holds
-- the row until it commits, so versions become visible in order.
create table directory_version (
  row_id  integer primary key check (row_id = 1),
  version integer not null
) strict;
insert into directory_version values (1, 0);

-- Which profile each of the latest 1,024 versions changed. The slot is the version modulo 1,024.
create table directory_changes (
  slot      integer primary key,
  version   integer not null,
  member_id integer not null
) strict;

-- At most one row: the demo account was deleted, so a start does not create it again. `weft demo seed` removes the row.
create table demo_deletion (
  deletion_id integer primary key check (deletion_id = 1),
  deleted_at  integer not null
) strict;

-- What admins did, on the pages and with the command line, where admin is null. Usernames, because they outlive the members.
create table admin_log (
  entry_id text primary key,
  at       integer not null,
  admin    text,
  action   text not null,
  member   text,
  reason   text
) strict;
create index admin_log_by_time on admin_log (at, entry_id);
--@ alter table admin_log enable row level security, force row level security;
--@ create policy without_member on admin_log using (coalesce((select acting_member()), 0) = 0);

-- Sign-in

create table passwords (
  member_id  integer primary key references members (member_id) on delete cascade,
  hash       text not null,
  changed_at integer not null
) strict;

-- Accounts at identity providers.
create table identities (
  issuer    text not null,
  subject   text not null,
  member_id integer not null references members (member_id) on delete cascade,
  added_at  integer not null,
  primary key (issuer, subject)
) strict, without rowid;
create index identities_by_member on identities (member_id);
--@ create policy sign_in on identities for select using ((select acting_member()) is null);

-- An account at an identity provider between its sign-in there and the confirmation that it belongs to this member. bound_to is
-- the hash of the browser's cookie.
create table pending_identities (
  secret_hash text primary key,
  bound_to    text not null,
  issuer      text not null,
  subject     text not null,
  member_id   integer not null references members (member_id) on delete cascade,
  expires_at  integer not null
) strict, without rowid;
create index pending_identities_by_expiry on pending_identities (expires_at);
create index pending_identities_by_member on pending_identities (member_id);
--@ create policy without_member on pending_identities using (coalesce((select acting_member()), 0) = 0);

-- WebAuthn public keys. user_handle is the same for all passkeys of a member.
create table passkeys (
  credential_id      text primary key,
  member_id          integer not null references members (member_id) on delete cascade,
  user_handle        text not null,
  name               text not null,
  public_key         blob not null,
  counter            integer not null,
  transports         text not null default '[]',
  is_backup_eligible integer not null,
  is_synced          integer not null,
  created_at         integer not null,
  last_used_at       integer
) strict, without rowid;
create index passkeys_by_member on passkeys (member_id, created_at);
--@ create policy sign_in on passkeys for select using ((select acting_member()) is null);

-- Each challenge is valid once. bound_to is the hash of the browser's cookie.
create table passkey_challenges (
  challenge_hash text primary key,
  purpose        text not null check (purpose in
    ('sign_in', 'add', 'confirm', 'connect_app', 'create_token', 'export_data', 'delete_account')),
  bound_to       text not null,
  expires_at     integer not null
) strict, without rowid;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- email is the address that the link was sent to, and email_id the row in emails. Without a member, the link invites a new one.
create table one_time_links (
  link_hash  text primary key,
  purpose    text not null,
  member_id  integer references members (member_id) on delete cascade,
  note       text,
  created_at integer not null,
  expires_at integer not null,
  email      text,
  email_id   text
) strict, without rowid;
create index one_time_links_by_expiry on one_time_links (expires_at);
--@ create policy without_member on one_time_links using (coalesce((select acting_member()), 0) = 0);

-- Sign-in attempts in fixed windows by address, typed username and member. key_hash is a SHA-256, so no names are stored.
create table sign_in_windows (
  key_hash text primary key,
  used     integer not null,
  ends_at  integer not null
) strict, without rowid;
create index sign_in_windows_by_end on sign_in_windows (ends_at);

create table browser_sessions (
  session_hash text primary key,
  member_id    integer not null references members (member_id) on delete cascade,
  user_agent   text,
  created_at   integer not null,
  last_seen_at integer not null,
  expires_at   integer not null
) strict, without rowid;
create index browser_sessions_by_expiry on browser_sessions (expires_at);
create index browser_sessions_by_member on browser_sessions (member_id);
--@ create policy service_finds on browser_sessions for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on browser_sessions for delete using ((select acting_member()) = 0);
--@ create policy sign_in on browser_sessions for select using ((select acting_member()) is null);

-- Browsers that a member has signed in with, by the hash of a cookie, to notify the member of a new one.
create table known_browsers (
  member_id    integer not null references members (member_id) on delete cascade,
  browser_hash text not null,
  seen_at      integer not null,
  primary key (member_id, browser_hash)
) strict, without rowid;
create index known_browsers_by_seen on known_browsers (seen_at);
--@ create policy service_finds on known_browsers for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on known_browsers for delete using ((select acting_member()) = 0);

-- OAuth clients, agents and tokens

-- Clients that registered themselves (RFC 7591). granted_at is when a member last connected the client, requested_at when its
-- authorization was last requested. Clients without a grant are deleted after a day.
create table oauth_clients (
  client_id     text primary key,
  name          text not null,
  client_uri    text,
  redirect_uris text not null,
  created_at    integer not null,
  granted_at    integer,
  requested_at  integer
) strict, without rowid;
create index oauth_clients_by_grant on oauth_clients (granted_at) where granted_at is not null;
create index oauth_clients_never_granted on oauth_clients (created_at) where granted_at is null;

-- One row per consent. Deleting it deletes all tokens that follow from it.
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
--@ create policy service_finds on grants for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on grants for delete using ((select acting_member()) = 0);
--@ create policy sign_in on grants for select using ((select acting_member()) is null);

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
--@ create policy sign_in on authorization_codes for select using ((select acting_member()) is null);

create table access_tokens (
  token_hash text primary key,
  member_id  integer not null,
  grant_id   text not null,
  created_at integer not null,
  expires_at integer not null,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
) strict, without rowid;
create index access_tokens_by_expiry on access_tokens (expires_at);
create index access_tokens_by_grant on access_tokens (member_id, grant_id);
--@ create policy service_finds on access_tokens for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on access_tokens for delete using ((select acting_member()) = 0);
--@ create policy sign_in on access_tokens for select using ((select acting_member()) is null);

-- successor is the pair of tokens that followed, encrypted with a key derived from the token itself.
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
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);
create index refresh_tokens_by_grant on refresh_tokens (member_id, grant_id);
--@ create policy service_finds on refresh_tokens for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on refresh_tokens for delete using ((select acting_member()) = 0);
--@ create policy sign_in on refresh_tokens for select using ((select acting_member()) is null);

create table cloud_agents (
  member_id  integer not null references members (member_id) on delete cascade,
  agent_id   text not null,
  name       text not null,
  created_at integer not null,
  removed_at integer,
  primary key (member_id, agent_id)
) strict, without rowid;
create unique index cloud_agents_by_name on cloud_agents (member_id, name) where removed_at is null;
create index cloud_agents_by_removal on cloud_agents (removed_at) where removed_at is not null;
--@ create policy service_finds on cloud_agents for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on cloud_agents for delete using ((select acting_member()) = 0);
--@ create policy sign_in on cloud_agents for select using ((select acting_member()) is null);

create table api_tokens (
  token_id     text primary key,
  member_id    integer not null references members (member_id) on delete cascade,
  name         text not null,
  secret_hash  text not null unique,
  hint         text not null,
  holder       text not null check (holder in ('ai_client', 'cloud_agent')),
  created_at   integer not null,
  expires_at   integer,
  last_used_at integer,
  revoked_at   integer,
  agent_id     text
) strict;
create index api_tokens_by_expiry on api_tokens (expires_at) where expires_at is not null;
create unique index api_tokens_by_member_and_name on api_tokens (member_id, name) where revoked_at is null;
create index api_tokens_by_revocation on api_tokens (revoked_at) where revoked_at is not null;
--@ create policy service_finds on api_tokens for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on api_tokens for delete using ((select acting_member()) = 0);
--@ create policy sign_in on api_tokens for select using ((select acting_member()) is null);

-- What a member allows one agent (a grant or an API token). Without a row, nothing is limited. tool_groups is a comma-separated
-- list; null means all. spent counts the credits of the month spent_in; null means that they are counted from the ledger. A row
-- outlives its credential, so a client that connects again is offered the same limits.
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
create index agent_limits_by_change on agent_limits (changed_at);
create index agent_limits_by_client on agent_limits (member_id, client_id, changed_at) where client_id is not null;
--@ create policy service_finds on agent_limits for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on agent_limits for delete using ((select acting_member()) = 0);
--@ create policy sign_in on agent_limits for select using ((select acting_member()) is null);

-- The last attempt of each client to connect to a member's account, without secrets, addresses or client IDs. steps and
-- suspicions are JSON: when each step was seen, and why it failed.
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
--@ create policy service_finds on connection_attempts for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on connection_attempts for delete using ((select acting_member()) = 0);

-- Names of credentials, for ledger and activity entries that outlive them.
create table credential_names (
  member_id     integer not null references members (member_id) on delete cascade,
  credential_id text not null,
  name          text not null,
  named_at      integer not null default 0,
  primary key (member_id, credential_id)
) strict, without rowid;
create index credential_names_by_time on credential_names (named_at);
--@ create policy service_finds on credential_names for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on credential_names for delete using ((select acting_member()) = 0);

-- Credits and idempotency

create table credit_accounts (
  member_id    integer primary key references members (member_id) on delete cascade,
  period_start integer not null,
  quota        integer not null,
  remaining    integer not null check (remaining >= 0),
  last_entry   integer not null
) strict;

-- What remained of past months, in case a clock that ran ahead is set back.
create table credit_periods (
  member_id    integer not null references members (member_id) on delete cascade,
  period_start integer not null,
  quota        integer not null,
  remaining    integer not null check (remaining >= 0),
  primary key (member_id, period_start)
) strict, without rowid;

create table credit_ledger (
  member_id     integer not null references members (member_id) on delete cascade,
  entry_id      integer not null,
  at            integer not null,
  kind          text not null check (kind in ('grant', 'charge', 'refund', 'adjust', 'expire')),
  delta         integer not null,
  balance_after integer not null,
  reason        text not null,
  credential_id text,
  primary key (member_id, entry_id)
) strict, without rowid;

-- The first response to a write with an Idempotency-Key. scope is the credential.
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
--@ create policy service_finds on idempotency_records for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on idempotency_records for delete using ((select acting_member()) = 0);

-- The same for requests without a credential. scope is the client's address.
create table anonymous_idempotency_records (
  scope       text not null,
  key_hash    text not null,
  fingerprint text not null,
  answer      text not null,
  expires_at  integer not null,
  primary key (scope, key_hash)
) strict, without rowid;
create index anonymous_idempotency_records_by_expiry on anonymous_idempotency_records (expires_at);

-- Networks

-- One row per member: the last IDs, and the versions of what is derived. oldest_deletion is at most the time of the oldest
-- deleted connection. keyed_bytes counts the idempotency records that were stored on keyed_day. Search snapshots of versions
-- below search_floor may contain purged data. The stored index and vectors are out of date if prepare_search_at is not null: 0
-- after a change, otherwise the earliest time of the next attempt. A worker that prepares them holds a lease, as for a job;
-- prepare_attempts counts its attempts in a row. The vectors are those of embedded_model as of embedded_version.
create table networks (
  member_id          integer primary key references members (member_id) on delete cascade,
  last_connection    integer not null default 0,
  last_note          integer not null default 0,
  last_activity      integer not null default 0,
  last_follow_up     integer not null default 0,
  embeddings_version integer not null default 0,
  oldest_deletion    integer,
  keyed_day          integer not null default 0,
  keyed_bytes        integer not null default 0,
  search_version     integer not null default 0,
  search_floor       integer not null default 0,
  embedded_version   integer not null default 0,
  embedded_model     text,
  prepare_search_at  integer,
  prepare_worker     text,
  prepare_lease      integer,
  prepare_attempts   integer not null default 0,
  last_custom_field  integer not null default 0,
  last_interaction   integer not null default 0,
  last_calendar      integer not null default 0,
  last_book          integer not null default 0,
  last_view          integer not null default 0,
  last_endpoint      integer not null default 0,
  own_emails         text not null default '[]',
  first_day_ended_at integer
) strict;
create index networks_by_deletion on networks (oldest_deletion) where oldest_deletion is not null;
create index networks_to_prepare on networks (prepare_search_at) where prepare_search_at is not null;
--@ create policy service_finds on networks for select using ((select acting_member()) = 0);
--@ create policy service_numbers on networks for insert with check ((select acting_member()) = 0);

-- merged_into is set with deleted_at. job_ended_on is the last day on which a position in details ended, nickname_key the
-- nickname in details, normalized, photo the photo in details.
create table connections (
  member_id     integer not null references members (member_id) on delete cascade,
  connection_id integer not null,
  name          text not null,
  name_key      text not null,
  given_name    text,
  family_name   text,
  company       text,
  title         text,
  location      text,
  emails        text not null default '[]',
  phones        text not null default '[]',
  profile_url   text,
  links         text not null default '[]',
  birthday      text,
  connected_on  text,
  source        text not null,
  field_sources text not null default '{}',
  import_job_id integer,
  version       integer not null default 1,
  created_at    integer not null,
  updated_at    integer not null,
  deleted_at    integer,
  merged_into   integer,
  details       text not null default '{}',
  job_ended_on  text,
  nickname_key  text,
  photo         text,
  primary key (member_id, connection_id)
) strict, without rowid;
create index connections_by_day on connections (member_id, coalesce(connected_on, ''), connection_id);
create index connections_by_job_end on connections (member_id, job_ended_on, connection_id)
  where job_ended_on is not null;
create index connections_by_birthday on connections (member_id, substr(birthday, length(birthday) - 4))
  where birthday is not null and deleted_at is null;
create index connections_by_name on connections (member_id, name_key, connection_id);
create index connections_by_nickname on connections (member_id, nickname_key, connection_id)
  where nickname_key is not null;
create index connections_by_source on connections (member_id, source, connection_id);
create index connections_by_import on connections (member_id, import_job_id, connection_id) where import_job_id is not null;
create index connections_by_added on connections (member_id, created_at, connection_id);

-- Hashes by which an import or an edit finds a connection: emails, phones, profiles, names with companies (model/match-keys.ts).
create table connection_keys (
  member_id     integer not null references members (member_id) on delete cascade,
  key           text not null,
  connection_id integer not null,
  primary key (member_id, key, connection_id)
) strict, without rowid;

create table connection_tags (
  member_id     integer not null references members (member_id) on delete cascade,
  tag_key       text not null,
  connection_id integer not null,
  tag           text not null,
  primary key (member_id, tag_key, connection_id)
) strict, without rowid;
create index connection_tags_by_connection on connection_tags (member_id, connection_id);

create table notes (
  member_id     integer not null references members (member_id) on delete cascade,
  note_id       integer not null,
  connection_id integer not null,
  text          text not null,
  happened_on   text,
  origin        text not null check (origin in ('typed', 'import')),
  created_at    integer not null,
  updated_at    integer not null,
  deleted_at    integer,
  primary key (member_id, note_id)
) strict, without rowid;
create index notes_by_connection on notes (member_id, connection_id, note_id);
-- A timeline merges notes with and without a date.
create index notes_by_day on notes (member_id, happened_on, note_id) where happened_on is not null;
create index notes_undated on notes (member_id, note_id) where happened_on is null;

-- A completed recurring follow-up stays as it is, and a new one follows. counts_from is the first day of the series, so what
-- began on the 31st returns to the 31st after a shorter month. A to-do without a person has no connection. due_time is HH:MM in
-- the time zone in which the member is, or empty.
create table follow_ups (
  member_id     integer not null references members (member_id) on delete cascade,
  follow_up_id  integer not null,
  connection_id integer,
  text          text not null,
  due_on        text not null,
  due_time      text not null default '' check (due_time = '' or due_time like '__:__'),
  recurrence    text not null check (recurrence in ('none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly')
    or recurrence like 'every %' or recurrence like '% of every %'),
  counts_from   text not null,
  completed_at  integer,
  created_at    integer not null,
  updated_at    integer not null,
  deleted_at    integer,
  primary key (member_id, follow_up_id)
) strict, without rowid;
create index follow_ups_by_connection on follow_ups (member_id, connection_id, due_on, due_time);
create index follow_ups_by_day on follow_ups (member_id, due_on, due_time, follow_up_id);

-- Contacts with 1 to 50 people (interaction_people): a day, or an instant with its zone. local_at is the local date and time as
-- if it were UTC, midnight if only the day is known. A sync finds its own by source_key, and in attendees for which people the
-- addresses of an event stand. is_gone: deleted because its source no longer has it; it returns with the source.
create table interactions (
  member_id      integer not null references members (member_id) on delete cascade,
  interaction_id integer not null,
  kind           text not null check (kind in ('call', 'meeting', 'message', 'email', 'event', 'other')),
  direction      text check (direction in ('in', 'out')),
  local_at       integer not null,
  happened_at    integer,
  zone           text,
  subject        text,
  text           text,
  source         text not null,
  source_key     text,
  attendees      text,
  is_gone        integer not null default 0,
  created_at     integer not null,
  updated_at     integer not null,
  deleted_at     integer,
  primary key (member_id, interaction_id)
) strict, without rowid;
create index interactions_by_time on interactions (member_id, local_at, interaction_id);
create unique index interactions_by_source on interactions (member_id, source, source_key) where source_key is not null;

create table interaction_people (
  member_id      integer not null references members (member_id) on delete cascade,
  connection_id  integer not null,
  local_at       integer not null,
  interaction_id integer not null,
  deleted_at     integer,
  primary key (member_id, connection_id, local_at, interaction_id)
) strict, without rowid;
create index interaction_people_by_interaction on interaction_people (member_id, interaction_id, connection_id);

-- Connected calendars. address is the secret URL, sealed with WEFT_SECRET_KEY; address_hint is what people recognize it by.
-- Without next_sync_at, syncing has stopped after repeated errors. A process syncs it until leased_until. kept_for is the greatest age
-- (milliseconds) of a single event that it has listed.
create table calendars (
  member_id     integer not null references members (member_id) on delete cascade,
  calendar_id   integer not null,
  name          text not null,
  address       text not null,
  address_hint  text not null,
  etag          text,
  last_modified text,
  error         text,
  failures      integer not null default 0,
  next_sync_at  integer,
  synced_at     integer,
  read_at       integer,
  kept_for      integer not null default 0,
  leased_until  integer not null default 0,
  created_at    integer not null,
  primary key (member_id, calendar_id)
) strict, without rowid;
create index calendars_by_next_sync on calendars (next_sync_at) where next_sync_at is not null;
create index calendars_failing on calendars (failures) where failures > 0;
--@ create policy service_finds on calendars for select using ((select acting_member()) = 0);

-- Address books elsewhere that a member has subscribed to. account has the URL, user name and password, sealed with WEFT_SECRET_KEY.
-- Without next_pull_at, the book waits for the member: before its first pull, and after errors. known has the names of its
-- cards with their ETags and hashes. unread counts the cards that could not be read. preview_id is the upload with the cards of
-- the first import, which waits until the member confirms it; until the upload expires, leased_until keeps the book from pulls.
create table subscribed_books (
  member_id    integer not null references members (member_id) on delete cascade,
  book_id      integer not null,
  name         text not null,
  host         text not null,
  account      text not null,
  sync_token   text,
  known        text not null default '[]',
  unread       integer not null default 0,
  job_id       integer,
  preview_id   text,
  error        text,
  failures     integer not null default 0,
  next_pull_at integer,
  pulled_at    integer,
  leased_until integer not null default 0,
  created_at   integer not null,
  primary key (member_id, book_id)
) strict, without rowid;
create index subscribed_books_by_next_pull on subscribed_books (next_pull_at) where next_pull_at is not null;
create index subscribed_books_failing on subscribed_books (failures) where failures > 0;
--@ create policy service_finds on subscribed_books for select using ((select acting_member()) = 0);

-- Meetings with other people, from 90 days ago to 30 days ahead. people is a list of email and name.
create table calendar_meetings (
  member_id   integer not null references members (member_id) on delete cascade,
  calendar_id integer not null,
  meeting_key text not null,
  starts_at   integer not null,
  ends_at     integer not null,
  zone        text not null,
  title       text,
  people      text not null,
  primary key (member_id, calendar_id, meeting_key)
) strict, without rowid;
create index calendar_meetings_by_start on calendar_meetings (member_id, starts_at, calendar_id);

-- Cadences of tags, for people without one of their own.
create table tag_cadences (
  member_id integer not null references members (member_id) on delete cascade,
  tag_key   text not null,
  tag       text not null,
  every     integer not null,
  unit      text not null check (unit in ('day', 'week', 'month')),
  set_on    text not null,
  primary key (member_id, tag_key)
) strict, without rowid;

-- People who were contacted, will be, or have a cadence. Derived in the transaction of their cause: the last and the next
-- contact, the median days between contacts (rhythm_days), and by the shortest cadence (basis) when the next is due. due_day
-- counts from 1970.
create table contact_times (
  member_id       integer not null references members (member_id) on delete cascade,
  connection_id   integer not null,
  last_contact_on text,
  next_contact_on text,
  rhythm_days     integer,
  every           integer,
  unit            text check (unit in ('day', 'week', 'month')),
  set_on          text,
  paused_until    text,
  is_muted        integer not null default 0,
  basis           text check (basis in ('own', 'tag', 'rhythm')),
  cadence_days    integer,
  due_day         integer,
  primary key (member_id, connection_id)
) strict, without rowid;
create index contact_times_by_due on contact_times (member_id, due_day, connection_id) where due_day is not null;
create index contact_times_by_last on contact_times (member_id, last_contact_on, connection_id);
create index contact_times_by_next on contact_times (member_id, next_contact_on) where next_contact_on is not null;

-- A deleted field hides its values and can be restored. Fields without a position come last, by name.
create table custom_fields (
  member_id  integer not null references members (member_id) on delete cascade,
  field_id   integer not null,
  name       text not null,
  name_key   text not null,
  kind       text not null check (kind in ('text', 'number', 'date', 'choice', 'url')),
  choices    text not null default '[]',
  created_at integer not null,
  deleted_at integer,
  position   integer,
  primary key (member_id, field_id)
) strict, without rowid;
create unique index custom_fields_by_name on custom_fields (member_id, name_key) where deleted_at is null;

-- Devices that sync the address book by CardDAV. Without tag, a device syncs everyone. A paused device only reads.
-- Its changes of one minute are one entry of the activity log (entry_id, since entry_at).
create table devices (
  member_id    integer not null references members (member_id) on delete cascade,
  device_id    text not null,
  name         text not null,
  secret_hash  text not null unique,
  hint         text not null,
  read_only    integer not null check (read_only in (0, 1)),
  tag          text,
  created_at   integer not null,
  last_used_at integer,
  revoked_at   integer,
  paused_at    integer,
  confirmed_at integer,
  entry_id     integer,
  entry_at     integer,
  primary key (member_id, device_id)
) strict, without rowid;
create unique index devices_by_name on devices (member_id, name) where revoked_at is null;
create index devices_by_revocation on devices (revoked_at) where revoked_at is not null;
--@ create policy service_finds on devices for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on devices for delete using ((select acting_member()) = 0);
--@ create policy sign_in on devices for select using ((select acting_member()) is null);

-- What a device changed, for undo: the state of a person before (null if the device added them) and after.
create table device_changes (
  member_id     integer not null references members (member_id) on delete cascade,
  activity_id   integer not null,
  connection_id integer not null,
  device_id     text not null,
  at            integer not null,
  before        text,
  after         text not null,
  primary key (member_id, activity_id, connection_id)
) strict, without rowid;
create index device_changes_by_device on device_changes (member_id, device_id, at);

-- version counts the changes of cards, in the transaction of each. Sync tokens before floor are no longer valid. The cards
-- reflect the network as of seen_version of its search index; null before they were first made. shows_fields: they have custom
-- fields.
create table address_books (
  member_id    integer primary key references members (member_id) on delete cascade,
  last_card    integer not null default 0,
  version      integer not null default 0,
  floor        integer not null default 0,
  seen_version integer,
  me_card      text,
  shows_fields integer not null default 0 check (shows_fields in (0, 1))
) strict;

-- Cards of the address book. name is the last part of the URL; etag is null once a card is deleted. group_tag is the tag that a
-- card of a group stands for; other cards are of a connection.
create table cards (
  member_id     integer not null references members (member_id) on delete cascade,
  card_id       integer not null,
  name          text not null,
  uid           text not null,
  connection_id integer,
  group_tag     text,
  etag          text,
  bytes         integer not null,
  version       integer not null,
  changed_at    integer not null,
  primary key (member_id, card_id)
) strict, without rowid;
create unique index cards_by_connection on cards (member_id, connection_id) where connection_id is not null;
create index cards_by_group on cards (member_id, card_id) where group_tag is not null;
create unique index cards_by_name on cards (member_id, name);
create index cards_by_removal on cards (member_id, changed_at) where etag is null;
create index cards_by_uid on cards (member_id, uid);
create index cards_by_version on cards (member_id, version);

-- The bytes of cards, as a client wrote them or as changed here since, and what the connection had when they were written.
create table card_texts (
  member_id integer not null,
  card_id   integer not null,
  known     text not null,
  text      blob not null,
  primary key (member_id, card_id),
  foreign key (member_id, card_id) references cards (member_id, card_id) on delete cascade
) strict;

-- Names for states of the list of people, each a query string.
create table saved_views (
  member_id  integer not null references members (member_id) on delete cascade,
  view_id    integer not null,
  name       text not null,
  query      text not null,
  created_at integer not null,
  primary key (member_id, view_id)
) strict, without rowid;

-- Photos of connections, referred to by details. photo_id is the SHA-256 of the bytes in base64url. unused_since is when the
-- photo was stored or last removed from a connection; null once a purge has found it in use. small is the size of lists, once it was asked for.
create table photos (
  member_id    integer not null references members (member_id) on delete cascade,
  photo_id     text not null,
  media_type   text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  bytes        integer not null,
  created_at   integer not null,
  unused_since integer,
  small        blob,
  data         blob not null,
  primary key (member_id, photo_id)
) strict;
create index photos_by_unused_since on photos (member_id, unused_since) where unused_since is not null;

-- Pairs of connections that may be one person: queued by an import (open), or marked by the member (different). The lower ID is
-- first. score is in tenths.
create table match_reviews (
  member_id  integer not null references members (member_id) on delete cascade,
  first_id   integer not null,
  second_id  integer not null,
  state      text not null check (state in ('open', 'different')),
  score      integer not null,
  reasons    text not null,
  job_id     integer,
  created_at integer not null,
  primary key (member_id, first_id, second_id)
) strict, without rowid;
create index match_reviews_by_second on match_reviews (member_id, second_id);
create index match_reviews_by_state on match_reviews (member_id, state, first_id, second_id);

-- fingerprint identifies the text that was embedded. vectors: embeddings/packed-vectors.ts.
create table embeddings (
  member_id     integer not null,
  connection_id integer not null,
  model         text not null,
  fingerprint   text not null,
  vectors       blob not null,
  primary key (member_id, connection_id),
  foreign key (member_id, connection_id) references connections (member_id, connection_id) on delete cascade
) strict, without rowid;

-- Which range of connections each of the latest versions of the search index changed. The slot is the version modulo the number
-- of slots.
create table search_changes (
  member_id        integer not null references members (member_id) on delete cascade,
  slot             integer not null,
  version          integer not null,
  first_connection integer not null,
  last_connection  integer not null,
  primary key (member_id, slot)
) strict, without rowid;

-- The search index at a version, in parts.
create table search_snapshots (
  member_id integer not null references members (member_id) on delete cascade,
  part      integer not null,
  parts     integer not null,
  version   integer not null,
  data      blob not null,
  primary key (member_id, part)
) strict;
--@ alter table search_snapshots alter column data set storage external;

-- Activity

-- undoes is the entry that this one undoes.
create table activity (
  member_id     integer not null references members (member_id) on delete cascade,
  activity_id   integer not null,
  at            integer not null,
  action        text not null,
  subject_kind  text not null,
  subject_id    text not null,
  credential_id text,
  actor         text not null,
  before        text,
  after         text,
  undoes        integer,
  primary key (member_id, activity_id)
) strict, without rowid;
create index activity_that_undoes on activity (member_id, activity_id) where undoes is not null;

-- Connections that an entry concerns. For imports, import_changes lists them.
create table activity_connections (
  member_id     integer not null references members (member_id) on delete cascade,
  connection_id integer not null,
  activity_id   integer not null,
  primary key (member_id, connection_id, activity_id)
) strict, without rowid;
create index activity_connections_by_activity on activity_connections (member_id, activity_id);

-- Jobs, files and emails

-- is_inline: the content of a call instead of a file; the next one replaces it.
create table uploads (
  member_id    integer not null references members (member_id) on delete cascade,
  upload_id    text not null,
  filename     text,
  content_type text,
  bytes        integer not null default 0,
  created_at   integer not null,
  completed_at integer,
  expires_at   integer not null,
  is_inline    integer not null default 0,
  primary key (member_id, upload_id)
) strict, without rowid;
create index uploads_by_expiry on uploads (expires_at);
--@ create policy service_finds on uploads for select using ((select acting_member()) = 0);

create table upload_chunks (
  member_id integer not null,
  upload_id text not null,
  chunk     integer not null,
  data      blob not null,
  primary key (member_id, upload_id, chunk),
  foreign key (member_id, upload_id) references uploads (member_id, upload_id) on delete cascade
) strict;

-- charged_period is the month in which credits were charged, to which they are refunded. stalled_tenths counts attempts in a
-- row without a new checkpoint: ten for one that ran for some seconds, one for a shorter one. filename and bytes are those of
-- the file an import reads.
create table jobs (
  job_id              integer primary key,
  member_id           integer not null references members (member_id) on delete cascade,
  kind                text not null,
  state               text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  input               text not null,
  credential_id       text,
  credits             integer not null default 0,
  attempts            integer not null default 0,
  progress_done       integer not null default 0,
  progress_total      integer,
  progress_message    text,
  checkpoint          text,
  result              text,
  error               text,
  worker              text,
  lease_until         integer,
  cancel_requested_at integer,
  created_at          integer not null,
  started_at          integer,
  finished_at         integer,
  charged_period      integer,
  expires_at          integer,
  stalled_tenths      integer not null default 0,
  bytes               integer,
  filename            text
) strict;
create index jobs_active on jobs (state, created_at) where state in ('queued', 'running');
create index jobs_by_expiry on jobs (expires_at) where expires_at is not null;
create index jobs_by_member on jobs (member_id, created_at, job_id);
create unique index jobs_one_active_per_kind on jobs (member_id, kind) where state in ('queued', 'running');
--@ create policy service_claims on jobs for update using ((select acting_member()) = 0);
--@ create policy service_finds on jobs for select using ((select acting_member()) = 0);

-- What an import changed, for its undo. before is null for a created connection.
create table import_changes (
  member_id     integer not null references members (member_id) on delete cascade,
  job_id        integer not null,
  connection_id integer not null,
  before        text,
  primary key (member_id, job_id, connection_id)
) strict, without rowid;

-- How the columns of a member's files are read, by a fingerprint of the header.
create table column_mappings (
  member_id   integer not null references members (member_id) on delete cascade,
  fingerprint text not null,
  mapping     text not null,
  updated_at  integer not null,
  primary key (member_id, fingerprint)
) strict, without rowid;
create index column_mappings_by_age on column_mappings (member_id, updated_at);

-- Members of vCard groups without a connection yet: a later import tags them. Undoing the import of the group hides them.
create table awaited_group_members (
  member_id integer not null references members (member_id) on delete cascade,
  key       text not null,
  tag       text not null,
  job_id    integer not null,
  is_undone integer not null default 0,
  primary key (member_id, key, tag)
) strict, without rowid;

-- Archives of everything a member has.
create table exports (
  member_id    integer not null references members (member_id) on delete cascade,
  export_id    text not null,
  job_id       integer not null,
  filename     text not null,
  bytes        integer not null default 0,
  created_at   integer not null,
  completed_at integer,
  expires_at   integer not null,
  primary key (member_id, export_id)
) strict, without rowid;
create index exports_by_expiry on exports (expires_at);
--@ create policy service_finds on exports for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on exports for delete using ((select acting_member()) = 0);

create table export_chunks (
  member_id integer not null,
  export_id text not null,
  chunk     integer not null,
  data      blob not null,
  primary key (member_id, export_id, chunk),
  foreign key (member_id, export_id) references exports (member_id, export_id) on delete cascade
) strict;

-- Selections of connections that an agent exported: by ID, by tag, or all. The file is written when it is read.
create table connection_exports (
  member_id      integer not null references members (member_id) on delete cascade,
  export_id      text not null,
  credential_id  text not null,
  format         text not null check (format in ('csv', 'vcard')),
  has_notes      integer not null check (has_notes in (0, 1)),
  connection_ids text,
  tag_key        text,
  created_at     integer not null,
  expires_at     integer not null,
  primary key (member_id, export_id)
) strict, without rowid;
create index connection_exports_by_expiry on connection_exports (expires_at);
--@ create policy service_finds on connection_exports for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on connection_exports for delete using ((select acting_member()) = 0);

-- Emails to send, written in the transaction of their cause. details never contains a secret, because links are created on
-- sending. recipient is null for the member's address at that time. A queued row with a worker is being sent until lease_until.
create table emails (
  email_id    text primary key,
  kind        text not null,
  member_id   integer references members (member_id) on delete cascade,
  recipient   text,
  details     text not null,
  state       text not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts    integer not null,
  error       text,
  worker      text,
  created_at  integer not null,
  due_at      integer not null,
  expires_at  integer not null,
  lease_until integer not null,
  ended_at    integer,
  purge_at    integer not null
) strict, without rowid;
create index emails_by_member on emails (member_id, created_at);
create index emails_by_purge on emails (purge_at);
create index emails_queued on emails (due_at) where state = 'queued';
--@ create policy without_member on emails using (coalesce((select acting_member()), 0) = 0);

-- Reminders

-- When a member is reminded. Minutes count from midnight in the member's time zone; weekday 1 is Monday. The scheduler runs
-- for the member at next_at, 0 for at once. What was due until ran_at has been announced. summarized_on is the day of the last summary. feed_hash is
-- the SHA-256 of the secret in the address of the calendar feed.
create table reminder_settings (
  member_id       integer primary key references members (member_id) on delete cascade,
  email           text not null default 'daily' check (email in ('off', 'daily', 'weekly')),
  weekday         integer not null default 1,
  minute          integer not null default 480,
  birthday_days   integer not null default 1,
  meeting_minutes integer,
  agent_changes   integer default 100,
  initials_only   integer not null default 0,
  next_at         integer not null default 0,
  ran_at          integer not null default 0,
  summarized_on   text,
  feed_hash       text,
  feed_content    text not null default '[]',
  feed_read_at    integer
) strict;
create index reminder_settings_by_next on reminder_settings (next_at);
create unique index reminder_settings_by_feed on reminder_settings (feed_hash) where feed_hash is not null;
--@ create policy service_finds on reminder_settings for select using ((select acting_member()) = 0);
--@ create policy service_numbers on reminder_settings for insert with check ((select acting_member()) = 0);

-- Where messages go: a device (push), a webhook, or an agent's subscription (event). address, secret and header are sealed.
-- A queued message is sent at next_attempt_at, which is also the lease of the node that sends; null if none is queued.
create table endpoints (
  member_id       integer not null references members (member_id) on delete cascade,
  endpoint_id     integer not null,
  kind            text not null check (kind in ('push', 'webhook', 'event')),
  name            text not null,
  format          text not null,
  address         text not null,
  address_hint    text not null,
  host            text not null,
  secret          text,
  old_secret      text,
  old_secret_until integer,
  header          text,
  causes          text not null,
  arguments       text not null default '{}',
  credential_id   text,
  error           text,
  failures        integer not null default 0,
  failing_since   integer,
  delivered_at    integer,
  ended_at        integer,
  next_attempt_at integer,
  expires_at      integer,
  created_at      integer not null,
  primary key (member_id, endpoint_id)
) strict, without rowid;
create index endpoints_by_attempt on endpoints (next_attempt_at) where next_attempt_at is not null;
create index endpoints_by_expiry on endpoints (expires_at) where expires_at is not null;
create index endpoints_failing on endpoints (kind) where failures > 0 and ended_at is null;
--@ create policy service_finds on endpoints for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on endpoints for delete using ((select acting_member()) = 0);

-- Messages to endpoints, written in the transaction of their cause. subject makes a message unique per endpoint, such as
-- `follow_up.due f_12 2026-11-28`.
create table deliveries (
  member_id   integer not null references members (member_id) on delete cascade,
  delivery_id text not null,
  endpoint_id integer not null,
  cause       text not null,
  subject     text not null,
  payload     text not null,
  state       text not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts    integer not null default 0,
  status      integer,
  error       text,
  created_at  integer not null,
  expires_at  integer not null,
  ended_at    integer,
  purge_at    integer not null,
  primary key (member_id, delivery_id)
) strict, without rowid;
create unique index deliveries_by_subject on deliveries (member_id, endpoint_id, subject);
create index deliveries_by_time on deliveries (member_id, endpoint_id, created_at, delivery_id);
create index deliveries_by_purge on deliveries (purge_at);
create index deliveries_queued on deliveries (created_at) where state = 'queued';
--@ create policy service_finds on deliveries for select using ((select acting_member()) = 0);
--@ create policy service_sweeps on deliveries for delete using ((select acting_member()) = 0);

-- Every table with a member is isolated, except the directory, which is public.
--@ do $$ declare isolated text; begin
--@   for isolated in select table_name from information_schema.columns
--@     where table_schema = current_schema() and column_name = 'member_id'
--@       and table_name not in ('directory_entries', 'directory_changes')
--@   loop
--@     execute format('alter table %I enable row level security, force row level security', isolated);
--@     execute format('create policy own_rows on %I using (member_id = (select acting_member()))', isolated);
--@   end loop;
--@ end $$;
