-- What members do on their pages: passkeys, archives to take away, the history of a connection. And who runs the service.

alter table members add column role text collate "C" not null default 'member' check (role in ('member', 'operator'));

-- Public keys that a member signs in with (WebAuthn). user_handle is the same for all of a member's: what the browser
-- knows the account by; it says nothing of who it is.
create table passkeys (
  credential_id text collate "C" primary key,
  member_id     bigint not null references members (member_id) on delete cascade,
  user_handle   text collate "C" not null,
  name          text collate "C" not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text collate "C" not null default '[]',
  is_synced     bigint not null,
  created_at    bigint not null,
  last_used_at  bigint
);
create index passkeys_by_member on passkeys (member_id, created_at);

-- What a passkey is asked to sign, each once; bound_to is the hash of what the browser that asked is known by.
create table passkey_challenges (
  challenge_hash text collate "C" primary key,
  purpose        text collate "C" not null check (purpose in ('sign_in', 'add')),
  bound_to       text collate "C" not null,
  expires_at     bigint not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Whom a change concerned; an import tells it row by row in import_changes.
create table activity_connections (
  member_id     bigint not null references members (member_id) on delete cascade,
  connection_id bigint not null,
  activity_id   bigint not null,
  primary key (member_id, connection_id, activity_id)
);

-- What credentials were called: the ledger and the activity name them when they are long gone.
create table credential_names (
  member_id     bigint not null references members (member_id) on delete cascade,
  credential_id text collate "C" not null,
  name          text collate "C" not null,
  primary key (member_id, credential_id)
);

-- Archives of all that a member has, made by export_data.
create table exports (
  member_id    bigint not null references members (member_id) on delete cascade,
  export_id    text collate "C" not null,
  job_id       bigint not null,
  filename     text collate "C" not null,
  bytes        bigint not null default 0,
  created_at   bigint not null,
  completed_at bigint,
  expires_at   bigint not null,
  primary key (member_id, export_id)
);
create index exports_by_expiry on exports (expires_at);

create table export_chunks (
  member_id bigint not null,
  export_id text collate "C" not null,
  chunk     bigint not null,
  data      bytea not null,
  primary key (member_id, export_id, chunk),
  foreign key (member_id, export_id) references exports (member_id, export_id) on delete cascade
);

-- No connection of this member that is still there was deleted before it: when there is something to purge.
alter table networks add column oldest_deletion bigint;
create index networks_by_deletion on networks (oldest_deletion) where oldest_deletion is not null;

-- What is there already is read across members once, so the second wall stands aside for as long as this takes.
alter table activity no force row level security;
alter table notes no force row level security;
alter table follow_ups no force row level security;
alter table grants no force row level security;
alter table connections no force row level security;
alter table networks no force row level security;
insert into activity_connections (member_id, connection_id, activity_id)
  select member_id, substr(subject_id, 3)::bigint, activity_id from activity where subject_kind = 'connection';
insert into activity_connections (member_id, connection_id, activity_id)
  select activity.member_id, notes.connection_id, activity.activity_id from activity
  join notes on notes.member_id = activity.member_id and notes.note_id = substr(activity.subject_id, 3)::bigint
  where activity.subject_kind = 'note';
insert into activity_connections (member_id, connection_id, activity_id)
  select activity.member_id, follow_ups.connection_id, activity.activity_id from activity
  join follow_ups on follow_ups.member_id = activity.member_id
    and follow_ups.follow_up_id = substr(activity.subject_id, 3)::bigint
  where activity.subject_kind = 'follow_up';
-- Changes to several at once, and merges, list them.
insert into activity_connections (member_id, connection_id, activity_id)
  select activity.member_id, substr(one ->> 'connection_id', 3)::bigint, activity.activity_id
  from activity, json_array_elements(coalesce(activity.after, activity.before)::json -> 'connections') as one
  where activity.subject_kind in ('connection', 'connections')
  on conflict do nothing;
insert into credential_names (member_id, credential_id, name) select member_id, grant_id, client_name from grants;
update networks set oldest_deletion = (
  select min(deleted_at) from connections where connections.member_id = networks.member_id
);
alter table activity force row level security;
alter table notes force row level security;
alter table follow_ups force row level security;
alter table grants force row level security;
alter table connections force row level security;
alter table networks force row level security;

do $$
declare private text;
begin
  foreach private in array array[
    'passkeys', 'activity_connections', 'credential_names', 'exports', 'export_chunks'
  ] loop
    execute format('alter table %I enable row level security', private);
    execute format('alter table %I force row level security', private);
    execute format('create policy own_rows on %I using (member_id = (select acting_member()))', private);
  end loop;
end $$;

-- Whoever shows a passkey is nobody yet.
create policy sign_in on passkeys for select using ((select acting_member()) is null);
create policy service_finds on exports for select using ((select acting_member()) = 0);
create policy service_sweeps on exports for delete using ((select acting_member()) = 0);
create policy service_finds on networks for select using ((select acting_member()) = 0);
