CREATE TABLE access_tokens (
  token_hash text primary key,
  member_id  integer not null,
  grant_id   text not null,
  created_at integer not null,
  expires_at integer not null,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
) strict, without rowid;

CREATE INDEX access_tokens_by_expiry on access_tokens (expires_at);

CREATE INDEX access_tokens_by_grant on access_tokens (member_id, grant_id);

CREATE TABLE activity (
  member_id     integer not null references members (member_id) on delete cascade,
  activity_id   integer not null,
  at            integer not null,
  action        text not null,
  subject_kind  text not null,
  subject_id    text not null,
  credential_id text,
  actor         text not null,
  before        text,
  after         text, undoes integer,
  primary key (member_id, activity_id)
) strict, without rowid;

CREATE INDEX activity_that_undoes on activity (member_id, activity_id) where undoes is not null;

CREATE TABLE activity_connections (
  member_id     integer not null references members (member_id) on delete cascade,
  connection_id integer not null,
  activity_id   integer not null,
  primary key (member_id, connection_id, activity_id)
) strict, without rowid;

CREATE INDEX activity_connections_by_activity on activity_connections (member_id, activity_id);

CREATE TABLE agent_limits (
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

CREATE INDEX agent_limits_by_change on agent_limits (changed_at);

CREATE INDEX agent_limits_by_client on agent_limits (member_id, client_id, changed_at) where client_id is not null;

CREATE TABLE anonymous_idempotency_records (
  scope       text not null,
  key_hash    text not null,
  fingerprint text not null,
  answer      text not null,
  expires_at  integer not null,
  primary key (scope, key_hash)
) strict, without rowid;

CREATE INDEX anonymous_idempotency_records_by_expiry on anonymous_idempotency_records (expires_at);

CREATE TABLE api_tokens (
  token_id     text primary key,
  member_id    integer not null references members (member_id) on delete cascade,
  name         text not null,
  secret_hash  text not null unique,
  hint         text not null,
  holder       text not null check (holder in ('ai_client', 'cloud_agent')),
  created_at   integer not null,
  expires_at   integer,
  last_used_at integer,
  revoked_at   integer
, agent_id text) strict;

CREATE INDEX api_tokens_by_expiry on api_tokens (expires_at) where expires_at is not null;

CREATE UNIQUE INDEX api_tokens_by_member_and_name on api_tokens (member_id, name) where revoked_at is null;

CREATE INDEX api_tokens_by_revocation on api_tokens (revoked_at) where revoked_at is not null;

CREATE TABLE authorization_codes (
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

CREATE INDEX authorization_codes_by_grant on authorization_codes (member_id, grant_id);

CREATE TABLE awaited_group_members (
  member_id integer not null references members (member_id) on delete cascade,
  key       text not null,
  tag       text not null,
  job_id    integer not null,
  is_undone integer not null default 0,
  primary key (member_id, key, tag)
) strict, without rowid;

CREATE TABLE browser_sessions (
  session_hash text primary key,
  member_id    integer not null references members (member_id) on delete cascade,
  user_agent   text,
  created_at   integer not null,
  last_seen_at integer not null,
  expires_at   integer not null
) strict, without rowid;

CREATE INDEX browser_sessions_by_expiry on browser_sessions (expires_at);

CREATE INDEX browser_sessions_by_member on browser_sessions (member_id);

CREATE TABLE cloud_agents (
  member_id  integer not null references members (member_id) on delete cascade,
  agent_id   text not null,
  name       text not null,
  created_at integer not null,
  removed_at integer,
  primary key (member_id, agent_id)
) strict, without rowid;

CREATE UNIQUE INDEX cloud_agents_by_name on cloud_agents (member_id, name) where removed_at is null;

CREATE INDEX cloud_agents_by_removal on cloud_agents (removed_at) where removed_at is not null;

CREATE TABLE column_mappings (
  member_id   integer not null references members (member_id) on delete cascade,
  fingerprint text not null,
  mapping     text not null,
  updated_at  integer not null,
  primary key (member_id, fingerprint)
) strict, without rowid;

CREATE INDEX column_mappings_by_age on column_mappings (member_id, updated_at);

CREATE TABLE connection_attempts (
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

CREATE INDEX connection_attempts_by_update on connection_attempts (updated_at);

CREATE TABLE connection_exports (
  member_id      integer not null references members (member_id) on delete cascade,
  export_id      text not null,
  credential_id  text not null,
  format         text not null check (format in ('csv', 'vcard')),
  connection_ids text not null,
  created_at     integer not null,
  expires_at     integer not null,
  primary key (member_id, export_id)
) strict, without rowid;

CREATE INDEX connection_exports_by_expiry on connection_exports (expires_at);

CREATE TABLE connection_key_runs (
  member_id integer not null references members (member_id) on delete cascade,
  slot      integer not null,
  keys      blob not null,
  primary key (member_id, slot)
) strict;

CREATE TABLE connection_keys (
  member_id     integer not null references members (member_id) on delete cascade,
  key           text not null,
  connection_id integer not null,
  primary key (member_id, key, connection_id)
) strict, without rowid;

CREATE TABLE connection_tags (
  member_id     integer not null references members (member_id) on delete cascade,
  tag_key       text not null,
  connection_id integer not null,
  tag           text not null,
  primary key (member_id, tag_key, connection_id)
) strict, without rowid;

CREATE INDEX connection_tags_by_connection on connection_tags (member_id, connection_id);

CREATE TABLE connections (
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
  deleted_at    integer, merged_into integer, details text not null default '{}', job_ended_on text,
  primary key (member_id, connection_id)
) strict, without rowid;

CREATE INDEX connections_by_day on connections (member_id, coalesce(connected_on, ''), connection_id);

CREATE INDEX connections_by_job_end on connections (member_id, job_ended_on, connection_id)
  where job_ended_on is not null;

CREATE INDEX connections_by_name on connections (member_id, name_key, connection_id);

CREATE TABLE credential_names (
  member_id     integer not null references members (member_id) on delete cascade,
  credential_id text not null,
  name          text not null, named_at integer not null default 0,
  primary key (member_id, credential_id)
) strict, without rowid;

CREATE INDEX credential_names_by_time on credential_names (named_at);

CREATE TABLE credit_accounts (
  member_id    integer primary key references members (member_id) on delete cascade,
  period_start integer not null,
  quota        integer not null,
  remaining    integer not null check (remaining >= 0),
  last_entry   integer not null
) strict;

CREATE TABLE credit_ledger (
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

CREATE TABLE credit_periods (
  member_id    integer not null references members (member_id) on delete cascade,
  period_start integer not null,
  quota        integer not null,
  remaining    integer not null check (remaining >= 0),
  primary key (member_id, period_start)
) strict, without rowid;

CREATE TABLE custom_fields (
  member_id  integer not null references members (member_id) on delete cascade,
  field_id   integer not null,
  name       text not null,
  name_key   text not null,
  kind       text not null check (kind in ('text', 'number', 'date', 'choice', 'url')),
  choices    text not null default '[]',
  created_at integer not null,
  deleted_at integer, position integer,
  primary key (member_id, field_id)
) strict, without rowid;

CREATE UNIQUE INDEX custom_fields_by_name on custom_fields (member_id, name_key) where deleted_at is null;

CREATE TABLE demo_deletion (
  deletion_id integer primary key check (deletion_id = 1),
  deleted_at integer not null
) strict;

CREATE TABLE directory_changes (
  slot      integer primary key,
  version   integer not null,
  member_id integer not null
) strict;

CREATE TABLE directory_entries (
  position  integer primary key,
  member_id integer not null unique references members (member_id) on delete cascade,
  username  text not null,
  name_key  text not null
) strict;

CREATE INDEX directory_entries_by_name on directory_entries (name_key, position);

CREATE VIRTUAL TABLE directory_search using fts5 (
  terms,
  content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6', tokenize = "ascii tokenchars '='"
);

CREATE TABLE directory_version (
  row_id  integer primary key check (row_id = 1),
  version integer not null
) strict;

CREATE TABLE directory_words (
  word text primary key
) strict, without rowid;

CREATE TABLE emails (
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

CREATE INDEX emails_by_member on emails (member_id, created_at);

CREATE INDEX emails_by_purge on emails (purge_at);

CREATE INDEX emails_queued on emails (due_at) where state = 'queued';

CREATE TABLE embeddings (
  member_id     integer not null,
  connection_id integer not null,
  model         text not null,
  fingerprint   text not null,
  vectors       blob not null,
  primary key (member_id, connection_id),
  foreign key (member_id, connection_id) references connections (member_id, connection_id) on delete cascade
) strict, without rowid;

CREATE TABLE export_chunks (
  member_id integer not null,
  export_id text not null,
  chunk     integer not null,
  data      blob not null,
  primary key (member_id, export_id, chunk),
  foreign key (member_id, export_id) references exports (member_id, export_id) on delete cascade
) strict;

CREATE TABLE exports (
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

CREATE INDEX exports_by_expiry on exports (expires_at);

CREATE TABLE follow_ups (
  member_id     integer not null references members (member_id) on delete cascade,
  follow_up_id  integer not null,
  connection_id integer not null,
  text          text not null,
  due_on        text not null,
  recurrence    text not null check (recurrence in ('none', 'weekly', 'monthly', 'quarterly', 'yearly')),
  counts_from   text not null,
  completed_at  integer,
  created_at    integer not null,
  updated_at    integer not null,
  deleted_at    integer,
  primary key (member_id, follow_up_id)
) strict, without rowid;

CREATE INDEX follow_ups_by_connection on follow_ups (member_id, connection_id, due_on);

CREATE INDEX follow_ups_by_day on follow_ups (member_id, due_on, follow_up_id);

CREATE TABLE former_usernames (
  username  text primary key,
  member_id integer not null references members (member_id) on delete cascade,
  left_at   integer not null
) strict, without rowid;

CREATE INDEX former_usernames_by_member on former_usernames (member_id);

CREATE TABLE grants (
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

CREATE INDEX grants_by_expiry on grants (expires_at);

CREATE TABLE idempotency_records (
  member_id   integer not null references members (member_id) on delete cascade,
  scope       text not null,
  key_hash    text not null,
  fingerprint text not null,
  answer      text not null,
  expires_at  integer not null,
  primary key (member_id, scope, key_hash)
) strict, without rowid;

CREATE INDEX idempotency_records_by_expiry on idempotency_records (expires_at);

CREATE TABLE identities (
  issuer    text not null,
  subject   text not null,
  member_id integer not null references members (member_id) on delete cascade,
  added_at  integer not null,
  primary key (issuer, subject)
) strict, without rowid;

CREATE INDEX identities_by_member on identities (member_id);

CREATE TABLE import_changes (
  member_id     integer not null references members (member_id) on delete cascade,
  job_id        integer not null,
  connection_id integer not null,
  before        text,
  primary key (member_id, job_id, connection_id)
) strict, without rowid;

CREATE TABLE jobs (
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
  finished_at         integer
, charged_period integer, expires_at integer, stalled_attempts integer not null default 0, filename text) strict;

CREATE INDEX jobs_active on jobs (state, created_at) where state in ('queued', 'running');

CREATE INDEX jobs_by_expiry on jobs (expires_at) where expires_at is not null;

CREATE INDEX jobs_by_member on jobs (member_id, created_at, job_id);

CREATE UNIQUE INDEX jobs_one_active_per_kind on jobs (member_id, kind) where state in ('queued', 'running');

CREATE TABLE known_browsers (
  member_id    integer not null references members (member_id) on delete cascade,
  browser_hash text not null,
  seen_at      integer not null,
  primary key (member_id, browser_hash)
) strict, without rowid;

CREATE INDEX known_browsers_by_seen on known_browsers (seen_at);

CREATE TABLE match_reviews (
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

CREATE INDEX match_reviews_by_second on match_reviews (member_id, second_id);

CREATE INDEX match_reviews_by_state on match_reviews (member_id, state, first_id, second_id);

CREATE TRIGGER profiles_added after insert on members
when new.is_public = 1 and new.disabled_at is null
begin
  update directory_version set version = version + 1;
  insert into directory_changes (slot, version, member_id)
    select version % 1024, version, new.member_id from directory_version where true
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end;

CREATE TRIGGER profiles_changed after update on members
when ((old.is_public = 1 and old.disabled_at is null) or (new.is_public = 1 and new.disabled_at is null))
  and (old.username, old.name, old.headline, old.about, old.location, old.organization, old.title, old.skills,
      old.links = '[]', old.avatar_url is null, old.is_public, old.disabled_at is null)
    is not (new.username, new.name, new.headline, new.about, new.location, new.organization, new.title, new.skills,
      new.links = '[]', new.avatar_url is null, new.is_public, new.disabled_at is null)
begin
  update directory_version set version = version + 1;
  insert into directory_changes (slot, version, member_id)
    select version % 1024, version, new.member_id from directory_version where true
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end;

CREATE TRIGGER profiles_removed after delete on members
when old.is_public = 1 and old.disabled_at is null
begin
  update directory_version set version = version + 1;
  insert into directory_changes (slot, version, member_id)
    select version % 1024, version, old.member_id from directory_version where true
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end;

CREATE TABLE members (
  member_id    integer primary key,
  username     text not null unique,
  name         text not null,
  email        text unique,
  headline     text,
  about        text,
  location     text,
  organization text,
  title        text,
  skills       text not null default '[]',
  links        text not null default '[]',
  avatar_url   text,
  is_public    integer not null default 1,
  version      integer not null default 1,
  joined_at    integer not null,
  updated_at   integer not null,
  disabled_at  integer
, role text not null default 'member' check (role in ('member', 'admin')), time_zone text, verified_email text) strict;

CREATE INDEX members_by_admin_role on members (member_id) where role = 'admin';

CREATE TABLE networks (
  member_id       integer primary key references members (member_id) on delete cascade,
  last_connection integer not null default 0,
  last_note       integer not null default 0,
  last_activity   integer not null default 0
, last_follow_up integer not null default 0, embeddings_version integer not null default 0, oldest_deletion integer, keyed_day integer not null default 0, keyed_bytes integer not null default 0, search_version integer not null default 0, search_floor integer not null default 0, last_custom_field integer not null default 0, key_version integer not null default 0, first_key_version integer not null default 0) strict;

CREATE INDEX networks_by_deletion on networks (oldest_deletion) where oldest_deletion is not null;

CREATE TABLE notes (
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

CREATE INDEX notes_by_connection on notes (member_id, connection_id, note_id);

CREATE TABLE oauth_clients (
  client_id     text primary key,
  name          text not null,
  client_uri    text,
  redirect_uris text not null,
  created_at    integer not null,
  granted_at    integer
, requested_at integer) strict, without rowid;

CREATE INDEX oauth_clients_by_grant on oauth_clients (granted_at) where granted_at is not null;

CREATE INDEX oauth_clients_never_granted on oauth_clients (created_at) where granted_at is null;

CREATE TABLE one_time_links (
  link_hash  text primary key,
  purpose    text not null,
  member_id  integer references members (member_id) on delete cascade,
  note       text,
  created_at integer not null,
  expires_at integer not null,
  email      text,
  email_id   text
) strict, without rowid;

CREATE INDEX one_time_links_by_expiry on one_time_links (expires_at);

CREATE TABLE passkey_challenges (
  challenge_hash text primary key,
  purpose        text not null check (purpose in
    ('sign_in', 'add', 'confirm', 'create_token', 'export_data', 'delete_account')),
  bound_to       text not null,
  expires_at     integer not null
) strict, without rowid;

CREATE INDEX passkey_challenges_by_expiry on passkey_challenges (expires_at);

CREATE TABLE passkeys (
  credential_id text primary key,
  member_id     integer not null references members (member_id) on delete cascade,
  user_handle   text not null,
  name          text not null,
  public_key    blob not null,
  counter       integer not null,
  transports    text not null default '[]',
  is_synced     integer not null,
  created_at    integer not null,
  last_used_at  integer
) strict, without rowid;

CREATE INDEX passkeys_by_member on passkeys (member_id, created_at);

CREATE TABLE passwords (
  member_id  integer primary key references members (member_id) on delete cascade,
  hash       text not null,
  changed_at integer not null
) strict;

CREATE TABLE pending_identities (
  secret_hash text primary key,
  bound_to    text not null,
  issuer      text not null,
  subject     text not null,
  member_id   integer not null references members (member_id) on delete cascade,
  expires_at  integer not null
) strict, without rowid;

CREATE INDEX pending_identities_by_expiry on pending_identities (expires_at);

CREATE INDEX pending_identities_by_member on pending_identities (member_id);

CREATE TABLE photos (
  member_id    integer not null references members (member_id) on delete cascade,
  photo_id     text not null,
  media_type   text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  bytes        integer not null,
  created_at   integer not null,
  unused_since integer,
  data         blob not null,
  primary key (member_id, photo_id)
) strict;

CREATE INDEX photos_by_unused_since on photos (member_id, unused_since) where unused_since is not null;

CREATE TABLE refresh_tokens (
  token_hash text primary key,
  member_id  integer not null,
  grant_id   text not null,
  created_at integer not null,
  expires_at integer not null,
  used_at    integer,
  successor  text,
  foreign key (member_id, grant_id) references grants (member_id, grant_id) on delete cascade
) strict, without rowid;

CREATE INDEX refresh_tokens_by_expiry on refresh_tokens (expires_at);

CREATE INDEX refresh_tokens_by_grant on refresh_tokens (member_id, grant_id);

CREATE TABLE removed_connection_keys (
  member_id     integer not null references members (member_id) on delete cascade,
  key           text not null,
  connection_id integer not null,
  primary key (member_id, key, connection_id)
) strict, without rowid;

CREATE TABLE schema_migrations (
      number integer primary key, name text not null, digest text not null, applied_at integer not null) strict;

CREATE TABLE search_changes (
  member_id        integer not null references members (member_id) on delete cascade,
  slot             integer not null,
  version          integer not null,
  first_connection integer not null,
  last_connection  integer not null,
  primary key (member_id, slot)
) strict, without rowid;

CREATE TABLE search_snapshots (
  member_id integer not null references members (member_id) on delete cascade,
  part      integer not null,
  parts     integer not null,
  version   integer not null,
  data      blob not null,
  primary key (member_id, part)
) strict;

CREATE TABLE sign_in_windows (
  key_hash text primary key,
  used     integer not null,
  ends_at  integer not null
) strict, without rowid;

CREATE INDEX sign_in_windows_by_end on sign_in_windows (ends_at);

CREATE TABLE upload_chunks (
  member_id integer not null,
  upload_id text not null,
  chunk     integer not null,
  data      blob not null,
  primary key (member_id, upload_id, chunk),
  foreign key (member_id, upload_id) references uploads (member_id, upload_id) on delete cascade
) strict;

CREATE TABLE uploads (
  member_id    integer not null references members (member_id) on delete cascade,
  upload_id    text not null,
  filename     text,
  content_type text,
  bytes        integer not null default 0,
  created_at   integer not null,
  completed_at integer,
  expires_at   integer not null, is_inline integer not null default 0,
  primary key (member_id, upload_id)
) strict, without rowid;

CREATE INDEX uploads_by_expiry on uploads (expires_at);
