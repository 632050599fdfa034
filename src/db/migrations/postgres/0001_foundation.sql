-- Times are milliseconds since 1970 in UTC; days are YYYY-MM-DD; lists and objects are JSON text.
-- Texts compare by their bytes, as on SQLite, whatever the database's own collation is.
-- Every private table's key begins with member_id.

create table members (
  member_id    bigint primary key,
  username     text collate "C" not null unique,
  name         text collate "C" not null,
  email        text collate "C" unique,
  headline     text collate "C",
  about        text collate "C",
  location     text collate "C",
  organization text collate "C",
  title        text collate "C",
  skills       text collate "C" not null default '[]',
  links        text collate "C" not null default '[]',
  avatar_url   text collate "C",
  is_public    bigint not null default 1,
  version      bigint not null default 1,
  joined_at    bigint not null,
  updated_at   bigint not null,
  disabled_at  bigint
);

-- The order of the directory: a better rank has a smaller position, so a page is a walk, not a sort.
-- Terms of names stand in it twice, bare and marked with = (see engines/postgres/full-text.ts).
create table directory_entries (
  position  bigint primary key,
  member_id bigint not null unique references members (member_id) on delete cascade,
  username  text collate "C" not null,
  name_key  text collate "C" not null,
  terms     tsvector not null
);
create index directory_entries_by_name on directory_entries (name_key, position);
-- Without the pending list that every search would read to its end.
create index directory_entries_by_terms on directory_entries using gin (terms) with (fastupdate = off);

create table api_tokens (
  token_id     text collate "C" primary key,
  member_id    bigint not null references members (member_id) on delete cascade,
  name         text collate "C" not null,
  secret_hash  text collate "C" not null unique,
  hint         text collate "C" not null,
  holder       text collate "C" not null check (holder in ('ai_client', 'cloud_agent')),
  created_at   bigint not null,
  expires_at   bigint,
  last_used_at bigint,
  revoked_at   bigint
);
create unique index api_tokens_by_member_and_name on api_tokens (member_id, name) where revoked_at is null;

create table credit_accounts (
  member_id    bigint primary key references members (member_id) on delete cascade,
  period_start bigint not null,
  quota        bigint not null,
  remaining    bigint not null check (remaining >= 0),
  last_entry   bigint not null
);

create table credit_ledger (
  member_id     bigint not null references members (member_id) on delete cascade,
  entry_id      bigint not null,
  at            bigint not null,
  kind          text collate "C" not null check (kind in ('grant', 'charge', 'refund', 'adjust', 'expire')),
  delta         bigint not null,
  balance_after bigint not null,
  reason        text collate "C" not null,
  credential_id text collate "C",
  primary key (member_id, entry_id)
);

-- One row a member: what the next connection, note and activity entry are numbered.
create table networks (
  member_id       bigint primary key references members (member_id) on delete cascade,
  last_connection bigint not null default 0,
  last_note       bigint not null default 0,
  last_activity   bigint not null default 0
);

create table connections (
  member_id     bigint not null references members (member_id) on delete cascade,
  connection_id bigint not null,
  name          text collate "C" not null,
  name_key      text collate "C" not null,
  given_name    text collate "C",
  family_name   text collate "C",
  company       text collate "C",
  title         text collate "C",
  location      text collate "C",
  emails        text collate "C" not null default '[]',
  phones        text collate "C" not null default '[]',
  profile_url   text collate "C",
  links         text collate "C" not null default '[]',
  birthday      text collate "C",
  connected_on  text collate "C",
  source        text collate "C" not null,
  field_sources text collate "C" not null default '{}',
  import_job_id bigint,
  version       bigint not null default 1,
  created_at    bigint not null,
  updated_at    bigint not null,
  deleted_at    bigint,
  primary key (member_id, connection_id)
);
create index connections_by_name on connections (member_id, name_key, connection_id);
create index connections_by_day on connections (member_id, coalesce(connected_on, ''), connection_id);

-- By what an import recognises a connection: hashes of e-mail address, profile URL, name and company, contact (keys.ts).
create table connection_keys (
  member_id     bigint not null references members (member_id) on delete cascade,
  key           text collate "C" not null,
  connection_id bigint not null,
  primary key (member_id, key, connection_id)
);

create table connection_tags (
  member_id     bigint not null references members (member_id) on delete cascade,
  tag_key       text collate "C" not null,
  connection_id bigint not null,
  tag           text collate "C" not null,
  primary key (member_id, tag_key, connection_id)
);
create index connection_tags_by_connection on connection_tags (member_id, connection_id);

create table notes (
  member_id     bigint not null references members (member_id) on delete cascade,
  note_id       bigint not null,
  connection_id bigint not null,
  text          text collate "C" not null,
  happened_on   text collate "C",
  origin        text collate "C" not null check (origin in ('typed', 'import')),
  created_at    bigint not null,
  updated_at    bigint not null,
  deleted_at    bigint,
  primary key (member_id, note_id)
);
create index notes_by_connection on notes (member_id, connection_id, note_id);

create table activity (
  member_id     bigint not null references members (member_id) on delete cascade,
  activity_id   bigint not null,
  at            bigint not null,
  action        text collate "C" not null,
  subject_kind  text collate "C" not null,
  subject_id    text collate "C" not null,
  credential_id text collate "C",
  actor         text collate "C" not null,
  before        text collate "C",
  after         text collate "C",
  primary key (member_id, activity_id)
);

create table uploads (
  member_id    bigint not null references members (member_id) on delete cascade,
  upload_id    text collate "C" not null,
  filename     text collate "C",
  content_type text collate "C",
  bytes        bigint not null default 0,
  created_at   bigint not null,
  completed_at bigint,
  expires_at   bigint not null,
  primary key (member_id, upload_id)
);
create index uploads_by_expiry on uploads (expires_at);

create table upload_chunks (
  member_id bigint not null,
  upload_id text collate "C" not null,
  chunk     bigint not null,
  data      bytea not null,
  primary key (member_id, upload_id, chunk),
  foreign key (member_id, upload_id) references uploads (member_id, upload_id) on delete cascade
);

create table jobs (
  job_id              bigint primary key,
  member_id           bigint not null references members (member_id) on delete cascade,
  kind                text collate "C" not null,
  state               text collate "C" not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  input               text collate "C" not null,
  credential_id       text collate "C",
  credits             bigint not null default 0,
  attempts            bigint not null default 0,
  progress_done       bigint not null default 0,
  progress_total      bigint,
  progress_message    text collate "C",
  checkpoint          text collate "C",
  result              text collate "C",
  error               text collate "C",
  worker              text collate "C",
  lease_until         bigint,
  cancel_requested_at bigint,
  created_at          bigint not null,
  started_at          bigint,
  finished_at         bigint
);
create unique index jobs_one_active_per_kind on jobs (member_id, kind) where state in ('queued', 'running');
create index jobs_active on jobs (state, created_at) where state in ('queued', 'running');
create index jobs_by_member on jobs (member_id, created_at, job_id);

-- What an import changed, row by row, so that it can be taken back whole. before is null for a created connection.
create table import_changes (
  member_id     bigint not null references members (member_id) on delete cascade,
  job_id        bigint not null,
  connection_id bigint not null,
  before        text collate "C",
  primary key (member_id, job_id, connection_id)
);

-- Every word of a connection, weighted by where it stands: A name, B company, C title, D location, tags and notes; a
-- word of the location stands in it a second time, behind an @. The member in front of the key is what a search walks:
-- see engines/postgres/full-text.ts.
create table connection_search (
  member_id     bigint not null,
  connection_id bigint not null,
  terms         tsvector not null,
  primary key (member_id, connection_id),
  foreign key (member_id, connection_id) references connections (member_id, connection_id) on delete cascade
);

-- The second wall. A private row is seen and written only by a transaction that acts for its member; every connection
-- acts for nobody until it is told otherwise, and only until the end of that transaction. 0 is no member's number: it
-- stands for the service itself, whose few statements across members are serviceStatement in the sources.
create function acting_member() returns bigint language sql stable parallel safe
  return nullif(current_setting('weft.member_id', true), '')::bigint;

do $$
declare private text;
begin
  foreach private in array array[
    'credit_accounts', 'credit_ledger', 'networks', 'connections', 'connection_keys', 'connection_tags', 'notes',
    'connection_search', 'activity', 'uploads', 'upload_chunks', 'jobs', 'import_changes', 'api_tokens'
  ] loop
    execute format('alter table %I enable row level security', private);
    -- The role that owns the tables is the one that Weft works as: without force it would pass.
    execute format('alter table %I force row level security', private);
    -- In a sub-select it is evaluated once a statement, not once a row.
    execute format('create policy own_rows on %I using (member_id = (select acting_member()))', private);
  end loop;
end $$;

-- Whoever shows a token is nobody yet: it is looked up by its hash.
create policy sign_in on api_tokens for select using ((select acting_member()) is null);
create policy service_numbers on networks for insert with check ((select acting_member()) = 0);
create policy service_finds on uploads for select using ((select acting_member()) = 0);
create policy service_finds on jobs for select using ((select acting_member()) = 0);
create policy service_claims on jobs for update using ((select acting_member()) = 0);
