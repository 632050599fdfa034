-- What members do on their pages: passkeys, archives to take away, the history of a connection. And who runs the service.

alter table members add column role text not null default 'member' check (role in ('member', 'operator'));

-- Public keys that a member signs in with (WebAuthn). user_handle is the same for all of a member's: what the browser
-- knows the account by; it says nothing of who it is.
create table passkeys (
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
create index passkeys_by_member on passkeys (member_id, created_at);

-- What a passkey is asked to sign, each once; bound_to is the hash of what the browser that asked is known by.
create table passkey_challenges (
  challenge_hash text primary key,
  purpose        text not null check (purpose in ('sign_in', 'add')),
  bound_to       text not null,
  expires_at     integer not null
) strict, without rowid;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Whom a change concerned; an import tells it row by row in import_changes.
create table activity_connections (
  member_id     integer not null references members (member_id) on delete cascade,
  connection_id integer not null,
  activity_id   integer not null,
  primary key (member_id, connection_id, activity_id)
) strict, without rowid;
insert into activity_connections (member_id, connection_id, activity_id)
  select member_id, cast(substr(subject_id, 3) as integer), activity_id from activity where subject_kind = 'connection';
insert into activity_connections (member_id, connection_id, activity_id)
  select activity.member_id, notes.connection_id, activity.activity_id from activity
  join notes on notes.member_id = activity.member_id and notes.note_id = cast(substr(activity.subject_id, 3) as integer)
  where activity.subject_kind = 'note';
insert into activity_connections (member_id, connection_id, activity_id)
  select activity.member_id, follow_ups.connection_id, activity.activity_id from activity
  join follow_ups on follow_ups.member_id = activity.member_id
    and follow_ups.follow_up_id = cast(substr(activity.subject_id, 3) as integer)
  where activity.subject_kind = 'follow_up';
-- Changes to several at once, and merges, list them.
insert or ignore into activity_connections (member_id, connection_id, activity_id)
  select activity.member_id, cast(substr(json_extract(one.value, '$.connection_id'), 3) as integer), activity.activity_id
  from activity, json_each(coalesce(activity.after, activity.before), '$.connections') as one
  where activity.subject_kind in ('connection', 'connections') and one.type = 'object';

-- What credentials were called: the ledger and the activity name them when they are long gone.
create table credential_names (
  member_id     integer not null references members (member_id) on delete cascade,
  credential_id text not null,
  name          text not null,
  primary key (member_id, credential_id)
) strict, without rowid;
insert into credential_names (member_id, credential_id, name) select member_id, grant_id, client_name from grants;

-- Archives of all that a member has, made by export_data.
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

create table export_chunks (
  member_id integer not null,
  export_id text not null,
  chunk     integer not null,
  data      blob not null,
  primary key (member_id, export_id, chunk),
  foreign key (member_id, export_id) references exports (member_id, export_id) on delete cascade
) strict;

-- No connection of this member that is still there was deleted before it: when there is something to purge.
alter table networks add column oldest_deletion integer;
update networks set oldest_deletion = (
  select min(deleted_at) from connections where connections.member_id = networks.member_id
);
create index networks_by_deletion on networks (oldest_deletion) where oldest_deletion is not null;
