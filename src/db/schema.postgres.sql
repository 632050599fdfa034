CREATE OR REPLACE FUNCTION public.acting_member()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('weft.member_id'::text, true), ''::text))::bigint;

create table activity (
  member_id bigint not null,
  activity_id bigint not null,
  at bigint not null,
  action text collate "C" not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  credential_id text collate "C",
  actor text collate "C" not null,
  before text collate "C",
  after text collate "C",
  constraint activity_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint activity_pkey PRIMARY KEY (member_id, activity_id)
);

alter table activity enable row level security, force row level security;

create policy own_rows on activity for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table api_tokens (
  token_id text collate "C" not null,
  member_id bigint not null,
  name text collate "C" not null,
  secret_hash text collate "C" not null,
  hint text collate "C" not null,
  holder text collate "C" not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint,
  constraint api_tokens_holder_check CHECK ((holder = ANY (ARRAY['ai_client'::text, 'cloud_agent'::text]))),
  constraint api_tokens_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint api_tokens_pkey PRIMARY KEY (token_id),
  constraint api_tokens_secret_hash_key UNIQUE (secret_hash)
);

CREATE UNIQUE INDEX api_tokens_by_member_and_name ON public.api_tokens USING btree (member_id, name) WHERE (revoked_at IS NULL);

alter table api_tokens enable row level security, force row level security;

create policy own_rows on api_tokens for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy sign_in on api_tokens for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table connection_keys (
  member_id bigint not null,
  key text collate "C" not null,
  connection_id bigint not null,
  constraint connection_keys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connection_keys_pkey PRIMARY KEY (member_id, key, connection_id)
);

alter table connection_keys enable row level security, force row level security;

create policy own_rows on connection_keys for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table connection_search (
  member_id bigint not null,
  connection_id bigint not null,
  terms tsvector not null,
  constraint connection_search_member_id_connection_id_fkey FOREIGN KEY (member_id, connection_id) REFERENCES connections(member_id, connection_id) ON DELETE CASCADE,
  constraint connection_search_pkey PRIMARY KEY (member_id, connection_id)
);

alter table connection_search enable row level security, force row level security;

create policy own_rows on connection_search for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table connection_tags (
  member_id bigint not null,
  tag_key text collate "C" not null,
  connection_id bigint not null,
  tag text collate "C" not null,
  constraint connection_tags_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connection_tags_pkey PRIMARY KEY (member_id, tag_key, connection_id)
);

CREATE INDEX connection_tags_by_connection ON public.connection_tags USING btree (member_id, connection_id);

alter table connection_tags enable row level security, force row level security;

create policy own_rows on connection_tags for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table connections (
  member_id bigint not null,
  connection_id bigint not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  given_name text collate "C",
  family_name text collate "C",
  company text collate "C",
  title text collate "C",
  location text collate "C",
  emails text collate "C" not null default '[]'::text,
  phones text collate "C" not null default '[]'::text,
  profile_url text collate "C",
  links text collate "C" not null default '[]'::text,
  birthday text collate "C",
  connected_on text collate "C",
  source text collate "C" not null,
  field_sources text collate "C" not null default '{}'::text,
  import_job_id bigint,
  version bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint connections_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connections_pkey PRIMARY KEY (member_id, connection_id)
);

CREATE INDEX connections_by_day ON public.connections USING btree (member_id, COALESCE(connected_on, ''::text), connection_id);

CREATE INDEX connections_by_name ON public.connections USING btree (member_id, name_key, connection_id);

alter table connections enable row level security, force row level security;

create policy own_rows on connections for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table credit_accounts (
  member_id bigint not null,
  period_start bigint not null,
  quota bigint not null,
  remaining bigint not null,
  last_entry bigint not null,
  constraint credit_accounts_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint credit_accounts_pkey PRIMARY KEY (member_id),
  constraint credit_accounts_remaining_check CHECK ((remaining >= 0))
);

alter table credit_accounts enable row level security, force row level security;

create policy own_rows on credit_accounts for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table credit_ledger (
  member_id bigint not null,
  entry_id bigint not null,
  at bigint not null,
  kind text collate "C" not null,
  delta bigint not null,
  balance_after bigint not null,
  reason text collate "C" not null,
  credential_id text collate "C",
  constraint credit_ledger_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'charge'::text, 'refund'::text, 'adjust'::text, 'expire'::text]))),
  constraint credit_ledger_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint credit_ledger_pkey PRIMARY KEY (member_id, entry_id)
);

alter table credit_ledger enable row level security, force row level security;

create policy own_rows on credit_ledger for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table directory_entries (
  "position" bigint not null,
  member_id bigint not null,
  username text collate "C" not null,
  name_key text collate "C" not null,
  terms tsvector not null,
  constraint directory_entries_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint directory_entries_member_id_key UNIQUE (member_id),
  constraint directory_entries_pkey PRIMARY KEY ("position")
);

CREATE INDEX directory_entries_by_name ON public.directory_entries USING btree (name_key, "position");

CREATE INDEX directory_entries_by_terms ON public.directory_entries USING gin (terms) WITH (fastupdate=off);

create table import_changes (
  member_id bigint not null,
  job_id bigint not null,
  connection_id bigint not null,
  before text collate "C",
  constraint import_changes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint import_changes_pkey PRIMARY KEY (member_id, job_id, connection_id)
);

alter table import_changes enable row level security, force row level security;

create policy own_rows on import_changes for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table jobs (
  job_id bigint not null,
  member_id bigint not null,
  kind text collate "C" not null,
  state text collate "C" not null,
  input text collate "C" not null,
  credential_id text collate "C",
  credits bigint not null default 0,
  attempts bigint not null default 0,
  progress_done bigint not null default 0,
  progress_total bigint,
  progress_message text collate "C",
  checkpoint text collate "C",
  result text collate "C",
  error text collate "C",
  worker text collate "C",
  lease_until bigint,
  cancel_requested_at bigint,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  constraint jobs_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint jobs_pkey PRIMARY KEY (job_id),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE INDEX jobs_active ON public.jobs USING btree (state, created_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX jobs_by_member ON public.jobs USING btree (member_id, created_at, job_id);

CREATE UNIQUE INDEX jobs_one_active_per_kind ON public.jobs USING btree (member_id, kind) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

alter table jobs enable row level security, force row level security;

create policy own_rows on jobs for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_claims on jobs for update using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_finds on jobs for select using ((( SELECT acting_member() AS acting_member) = 0));

create table members (
  member_id bigint not null,
  username text collate "C" not null,
  name text collate "C" not null,
  email text collate "C",
  headline text collate "C",
  about text collate "C",
  location text collate "C",
  organization text collate "C",
  title text collate "C",
  skills text collate "C" not null default '[]'::text,
  links text collate "C" not null default '[]'::text,
  avatar_url text collate "C",
  is_public bigint not null default 1,
  version bigint not null default 1,
  joined_at bigint not null,
  updated_at bigint not null,
  disabled_at bigint,
  constraint members_email_key UNIQUE (email),
  constraint members_pkey PRIMARY KEY (member_id),
  constraint members_username_key UNIQUE (username)
);

create table networks (
  member_id bigint not null,
  last_connection bigint not null default 0,
  last_note bigint not null default 0,
  last_activity bigint not null default 0,
  constraint networks_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint networks_pkey PRIMARY KEY (member_id)
);

alter table networks enable row level security, force row level security;

create policy own_rows on networks for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_numbers on networks for insert with check ((( SELECT acting_member() AS acting_member) = 0));

create table notes (
  member_id bigint not null,
  note_id bigint not null,
  connection_id bigint not null,
  text text collate "C" not null,
  happened_on text collate "C",
  origin text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint notes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint notes_origin_check CHECK ((origin = ANY (ARRAY['typed'::text, 'import'::text]))),
  constraint notes_pkey PRIMARY KEY (member_id, note_id)
);

CREATE INDEX notes_by_connection ON public.notes USING btree (member_id, connection_id, note_id);

alter table notes enable row level security, force row level security;

create policy own_rows on notes for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table schema_migrations (
  number bigint not null,
  name text collate "C" not null,
  digest text collate "C" not null,
  applied_at bigint not null,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table upload_chunks (
  member_id bigint not null,
  upload_id text collate "C" not null,
  chunk bigint not null,
  data bytea not null,
  constraint upload_chunks_member_id_upload_id_fkey FOREIGN KEY (member_id, upload_id) REFERENCES uploads(member_id, upload_id) ON DELETE CASCADE,
  constraint upload_chunks_pkey PRIMARY KEY (member_id, upload_id, chunk)
);

alter table upload_chunks enable row level security, force row level security;

create policy own_rows on upload_chunks for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table uploads (
  member_id bigint not null,
  upload_id text collate "C" not null,
  filename text collate "C",
  content_type text collate "C",
  bytes bigint not null default 0,
  created_at bigint not null,
  completed_at bigint,
  expires_at bigint not null,
  constraint uploads_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint uploads_pkey PRIMARY KEY (member_id, upload_id)
);

CREATE INDEX uploads_by_expiry ON public.uploads USING btree (expires_at);

alter table uploads enable row level security, force row level security;

create policy own_rows on uploads for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on uploads for select using ((( SELECT acting_member() AS acting_member) = 0));
