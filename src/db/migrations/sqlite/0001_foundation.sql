-- Times are milliseconds since 1970 in UTC; days are YYYY-MM-DD; lists and objects are JSON text.
-- Every private table's key begins with member_id.

create table members (
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
) strict;

-- The order of the directory: a better rank has a smaller position, so a page is a walk, not a sort.
create table directory_entries (
  position  integer primary key,
  member_id integer not null unique references members (member_id) on delete cascade,
  username  text not null,
  name_key  text not null
) strict;
create index directory_entries_by_name on directory_entries (name_key, position);

-- Terms of names stand in it twice, bare and marked with = (see engines/sqlite/full-text.ts).
create virtual table directory_search using fts5 (
  terms,
  content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6', tokenize = "ascii tokenchars '='"
);

-- The longer terms of directory_search: what a beginning longer than its prefixes is written out to.
create table directory_words (
  word text primary key
) strict, without rowid;

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
  revoked_at   integer
) strict;
create unique index api_tokens_by_member_and_name on api_tokens (member_id, name) where revoked_at is null;

create table credit_accounts (
  member_id    integer primary key references members (member_id) on delete cascade,
  period_start integer not null,
  quota        integer not null,
  remaining    integer not null check (remaining >= 0),
  last_entry   integer not null
) strict;

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

-- One row a member: what the next connection, note and activity entry are numbered.
create table networks (
  member_id       integer primary key references members (member_id) on delete cascade,
  last_connection integer not null default 0,
  last_note       integer not null default 0,
  last_activity   integer not null default 0
) strict;

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
  primary key (member_id, connection_id)
) strict, without rowid;
create index connections_by_name on connections (member_id, name_key, connection_id);
create index connections_by_day on connections (member_id, coalesce(connected_on, ''), connection_id);

-- By what an import recognises a connection: hashes of e-mail address, profile URL, name and company, contact (keys.ts).
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

-- Each term carries its member in front (see engines/sqlite/full-text.ts); prefix 8 is six for the member and two letters.
create virtual table connection_search using fts5 (
  name, company, title, location, tags, notes,
  content = '', contentless_delete = 1, detail = column, prefix = '8', tokenize = 'ascii'
);
-- Two segments are enough for the merge command to join them: see tidyConnections.
insert into connection_search (connection_search, rank) values ('usermerge', 2);

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
  primary key (member_id, activity_id)
) strict, without rowid;

create table uploads (
  member_id    integer not null references members (member_id) on delete cascade,
  upload_id    text not null,
  filename     text,
  content_type text,
  bytes        integer not null default 0,
  created_at   integer not null,
  completed_at integer,
  expires_at   integer not null,
  primary key (member_id, upload_id)
) strict, without rowid;
create index uploads_by_expiry on uploads (expires_at);

create table upload_chunks (
  member_id integer not null,
  upload_id text not null,
  chunk     integer not null,
  data      blob not null,
  primary key (member_id, upload_id, chunk),
  foreign key (member_id, upload_id) references uploads (member_id, upload_id) on delete cascade
) strict;

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
  finished_at         integer
) strict;
create unique index jobs_one_active_per_kind on jobs (member_id, kind) where state in ('queued', 'running');
create index jobs_active on jobs (state, created_at) where state in ('queued', 'running');
create index jobs_by_member on jobs (member_id, created_at, job_id);

-- What an import changed, row by row, so that it can be taken back whole. before is null for a created connection.
create table import_changes (
  member_id     integer not null references members (member_id) on delete cascade,
  job_id        integer not null,
  connection_id integer not null,
  before        text,
  primary key (member_id, job_id, connection_id)
) strict, without rowid;
