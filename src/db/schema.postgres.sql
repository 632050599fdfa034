CREATE OR REPLACE FUNCTION public.acting_member()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('weft.member_id'::text, true), ''::text))::bigint;

CREATE OR REPLACE FUNCTION public.add_to_directory_head()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  last bigint;
begin
  select e.position into last from directory_head_end e for key share;
  insert into directory_head (position, member_id, username, name_key, terms)
    select a.position, a.member_id, a.username, a.name_key, a.terms from added a where a.position <= last;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.directory_keys(terms tsvector)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array_to_tsvector(array_agg(distinct key))
  from unnest(tsvector_to_array(terms)) term
  cross join lateral (select case when starts_with(term, '=') then 1 else 0 end) m (mark)
  cross join lateral (
    select term
    union all
    select left(term, mark + length) || '~' from generate_series(1, least(char_length(term) - mark, 6)) length
  ) k (key)
$function$;

CREATE OR REPLACE FUNCTION public.record_added_profiles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform record_directory_changes(array(
    select member_id from added where is_public = 1 and disabled_at is null));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_changed_profile()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform record_directory_changes(array[coalesce(new.member_id, old.member_id)]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_directory_changes(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  many bigint := cardinality(ids);
  last bigint;
begin
  if many = 0 then return; end if;
  update directory_version set version = version + many returning version into last;
  insert into directory_changes (slot, version, member_id)
    select (last - many + nth) % 1024, last - many + nth, id from unnest(ids) with ordinality u (id, nth)
    where nth > many - 1024
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end $function$;

create table access_tokens (
  token_hash text collate "C" not null,
  member_id bigint not null,
  grant_id text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  constraint access_tokens_member_id_grant_id_fkey FOREIGN KEY (member_id, grant_id) REFERENCES grants(member_id, grant_id) ON DELETE CASCADE,
  constraint access_tokens_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX access_tokens_by_expiry ON public.access_tokens USING btree (expires_at);

CREATE INDEX access_tokens_by_grant ON public.access_tokens USING btree (member_id, grant_id);

alter table access_tokens enable row level security, force row level security;

create policy own_rows on access_tokens for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on access_tokens for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on access_tokens for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on access_tokens for select using ((( SELECT acting_member() AS acting_member) IS NULL));

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
  undoes bigint,
  constraint activity_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint activity_pkey PRIMARY KEY (member_id, activity_id)
);

CREATE INDEX activity_that_undoes ON public.activity USING btree (member_id, activity_id) WHERE (undoes IS NOT NULL);

alter table activity enable row level security, force row level security;

create policy own_rows on activity for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table activity_connections (
  member_id bigint not null,
  connection_id bigint not null,
  activity_id bigint not null,
  constraint activity_connections_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint activity_connections_pkey PRIMARY KEY (member_id, connection_id, activity_id)
);

CREATE INDEX activity_connections_by_activity ON public.activity_connections USING btree (member_id, activity_id);

alter table activity_connections enable row level security, force row level security;

create policy own_rows on activity_connections for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table agent_limits (
  member_id bigint not null,
  credential_id text collate "C" not null,
  client_id text collate "C",
  read_only bigint not null,
  tool_groups text collate "C",
  withholds_text bigint not null,
  monthly_credits bigint,
  spent bigint not null default 0,
  spent_in bigint,
  ends_at bigint,
  changed_at bigint not null,
  constraint agent_limits_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint agent_limits_monthly_credits_check CHECK ((monthly_credits >= 0)),
  constraint agent_limits_pkey PRIMARY KEY (member_id, credential_id),
  constraint agent_limits_read_only_check CHECK ((read_only = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
  constraint agent_limits_withholds_text_check CHECK ((withholds_text = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);

CREATE INDEX agent_limits_by_change ON public.agent_limits USING btree (changed_at);

CREATE INDEX agent_limits_by_client ON public.agent_limits USING btree (member_id, client_id, changed_at) WHERE (client_id IS NOT NULL);

alter table agent_limits enable row level security, force row level security;

create policy own_rows on agent_limits for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on agent_limits for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on agent_limits for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on agent_limits for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table anonymous_idempotency_records (
  scope text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text collate "C" not null,
  answer text collate "C" not null,
  expires_at bigint not null,
  constraint anonymous_idempotency_records_pkey PRIMARY KEY (scope, key_hash)
);

CREATE INDEX anonymous_idempotency_records_by_expiry ON public.anonymous_idempotency_records USING btree (expires_at);

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
  agent_id text collate "C",
  constraint api_tokens_holder_check CHECK ((holder = ANY (ARRAY['ai_client'::text, 'cloud_agent'::text]))),
  constraint api_tokens_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint api_tokens_pkey PRIMARY KEY (token_id),
  constraint api_tokens_secret_hash_key UNIQUE (secret_hash)
);

CREATE INDEX api_tokens_by_expiry ON public.api_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE UNIQUE INDEX api_tokens_by_member_and_name ON public.api_tokens USING btree (member_id, name) WHERE (revoked_at IS NULL);

CREATE INDEX api_tokens_by_revocation ON public.api_tokens USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

alter table api_tokens enable row level security, force row level security;

create policy own_rows on api_tokens for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on api_tokens for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on api_tokens for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on api_tokens for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table authorization_codes (
  code_hash text collate "C" not null,
  member_id bigint not null,
  grant_id text collate "C" not null,
  client_id text collate "C" not null,
  redirect_uri text collate "C" not null,
  code_challenge text collate "C" not null,
  expires_at bigint not null,
  redeemed_at bigint,
  constraint authorization_codes_member_id_grant_id_fkey FOREIGN KEY (member_id, grant_id) REFERENCES grants(member_id, grant_id) ON DELETE CASCADE,
  constraint authorization_codes_pkey PRIMARY KEY (code_hash)
);

CREATE INDEX authorization_codes_by_grant ON public.authorization_codes USING btree (member_id, grant_id);

alter table authorization_codes enable row level security, force row level security;

create policy own_rows on authorization_codes for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy sign_in on authorization_codes for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table awaited_group_members (
  member_id bigint not null,
  key text collate "C" not null,
  tag text collate "C" not null,
  job_id bigint not null,
  is_undone bigint not null default 0,
  constraint awaited_group_members_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint awaited_group_members_pkey PRIMARY KEY (member_id, key, tag)
);

alter table awaited_group_members enable row level security, force row level security;

create policy own_rows on awaited_group_members for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table browser_sessions (
  session_hash text collate "C" not null,
  member_id bigint not null,
  user_agent text collate "C",
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  constraint browser_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint browser_sessions_pkey PRIMARY KEY (session_hash)
);

CREATE INDEX browser_sessions_by_expiry ON public.browser_sessions USING btree (expires_at);

CREATE INDEX browser_sessions_by_member ON public.browser_sessions USING btree (member_id);

alter table browser_sessions enable row level security, force row level security;

create policy own_rows on browser_sessions for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on browser_sessions for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on browser_sessions for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on browser_sessions for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table cloud_agents (
  member_id bigint not null,
  agent_id text collate "C" not null,
  name text collate "C" not null,
  created_at bigint not null,
  removed_at bigint,
  constraint cloud_agents_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint cloud_agents_pkey PRIMARY KEY (member_id, agent_id)
);

CREATE UNIQUE INDEX cloud_agents_by_name ON public.cloud_agents USING btree (member_id, name) WHERE (removed_at IS NULL);

CREATE INDEX cloud_agents_by_removal ON public.cloud_agents USING btree (removed_at) WHERE (removed_at IS NOT NULL);

alter table cloud_agents enable row level security, force row level security;

create policy own_rows on cloud_agents for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on cloud_agents for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on cloud_agents for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on cloud_agents for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table column_mappings (
  member_id bigint not null,
  fingerprint text collate "C" not null,
  mapping text collate "C" not null,
  updated_at bigint not null,
  constraint column_mappings_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint column_mappings_pkey PRIMARY KEY (member_id, fingerprint)
);

CREATE INDEX column_mappings_by_age ON public.column_mappings USING btree (member_id, updated_at);

alter table column_mappings enable row level security, force row level security;

create policy own_rows on column_mappings for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table connection_attempts (
  member_id bigint not null,
  client_hash text collate "C" not null,
  client_name text collate "C",
  redirect_host text collate "C",
  steps text collate "C" not null,
  suspicions text collate "C" not null,
  started_at bigint not null,
  updated_at bigint not null,
  constraint connection_attempts_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connection_attempts_pkey PRIMARY KEY (member_id, client_hash)
);

CREATE INDEX connection_attempts_by_update ON public.connection_attempts USING btree (updated_at);

alter table connection_attempts enable row level security, force row level security;

create policy own_rows on connection_attempts for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on connection_attempts for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on connection_attempts for delete using ((( SELECT acting_member() AS acting_member) = 0));

create table connection_exports (
  member_id bigint not null,
  export_id text collate "C" not null,
  credential_id text collate "C" not null,
  format text collate "C" not null,
  connection_ids text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  constraint connection_exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'vcard'::text]))),
  constraint connection_exports_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connection_exports_pkey PRIMARY KEY (member_id, export_id)
);

CREATE INDEX connection_exports_by_expiry ON public.connection_exports USING btree (expires_at);

alter table connection_exports enable row level security, force row level security;

create policy own_rows on connection_exports for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on connection_exports for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on connection_exports for delete using ((( SELECT acting_member() AS acting_member) = 0));

create table connection_key_runs (
  member_id bigint not null,
  slot bigint not null,
  keys bytea not null,
  constraint connection_key_runs_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connection_key_runs_pkey PRIMARY KEY (member_id, slot)
);

alter table connection_key_runs enable row level security, force row level security;

create policy own_rows on connection_key_runs for all using ((member_id = ( SELECT acting_member() AS acting_member)));

alter table connection_key_runs alter column keys set storage external;

create table connection_keys (
  member_id bigint not null,
  key text collate "C" not null,
  connection_id bigint not null,
  constraint connection_keys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connection_keys_pkey PRIMARY KEY (member_id, key, connection_id)
);

alter table connection_keys enable row level security, force row level security;

create policy own_rows on connection_keys for all using ((member_id = ( SELECT acting_member() AS acting_member)));

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
  merged_into bigint,
  details text collate "C" not null default '{}'::text,
  job_ended_on text collate "C",
  constraint connections_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint connections_pkey PRIMARY KEY (member_id, connection_id)
);

CREATE INDEX connections_by_day ON public.connections USING btree (member_id, COALESCE(connected_on, ''::text), connection_id);

CREATE INDEX connections_by_job_end ON public.connections USING btree (member_id, job_ended_on, connection_id) WHERE (job_ended_on IS NOT NULL);

CREATE INDEX connections_by_name ON public.connections USING btree (member_id, name_key, connection_id);

alter table connections enable row level security, force row level security;

create policy own_rows on connections for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table credential_names (
  member_id bigint not null,
  credential_id text collate "C" not null,
  name text collate "C" not null,
  named_at bigint not null default 0,
  constraint credential_names_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint credential_names_pkey PRIMARY KEY (member_id, credential_id)
);

CREATE INDEX credential_names_by_time ON public.credential_names USING btree (named_at);

alter table credential_names enable row level security, force row level security;

create policy own_rows on credential_names for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on credential_names for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on credential_names for delete using ((( SELECT acting_member() AS acting_member) = 0));

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

create table credit_periods (
  member_id bigint not null,
  period_start bigint not null,
  quota bigint not null,
  remaining bigint not null,
  constraint credit_periods_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint credit_periods_pkey PRIMARY KEY (member_id, period_start),
  constraint credit_periods_remaining_check CHECK ((remaining >= 0))
);

alter table credit_periods enable row level security, force row level security;

create policy own_rows on credit_periods for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table custom_fields (
  member_id bigint not null,
  field_id bigint not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  kind text collate "C" not null,
  choices text collate "C" not null default '[]'::text,
  created_at bigint not null,
  deleted_at bigint,
  "position" bigint,
  constraint custom_fields_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'choice'::text, 'url'::text]))),
  constraint custom_fields_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint custom_fields_pkey PRIMARY KEY (member_id, field_id)
);

CREATE UNIQUE INDEX custom_fields_by_name ON public.custom_fields USING btree (member_id, name_key) WHERE (deleted_at IS NULL);

alter table custom_fields enable row level security, force row level security;

create policy own_rows on custom_fields for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table demo_deletion (
  deletion_id bigint not null,
  deleted_at bigint not null,
  constraint demo_deletion_deletion_id_check CHECK ((deletion_id = 1)),
  constraint demo_deletion_pkey PRIMARY KEY (deletion_id)
);

create table directory_changes (
  slot bigint not null,
  version bigint not null,
  member_id bigint not null,
  constraint directory_changes_pkey PRIMARY KEY (slot)
);

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

CREATE INDEX directory_entries_by_keys ON public.directory_entries USING gin (directory_keys(terms)) WITH (fastupdate=off);

CREATE INDEX directory_entries_by_name ON public.directory_entries USING btree (name_key, "position");

CREATE INDEX directory_entries_by_terms ON public.directory_entries USING gin (terms) WITH (fastupdate=off);

CREATE TRIGGER entries_added AFTER INSERT ON public.directory_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_directory_head();

create table directory_head (
  "position" bigint not null,
  member_id bigint not null,
  username text collate "C" not null,
  name_key text collate "C" not null,
  terms tsvector not null,
  constraint directory_head_pkey PRIMARY KEY ("position"),
  constraint directory_head_position_fkey FOREIGN KEY ("position") REFERENCES directory_entries("position") ON DELETE CASCADE
);

CREATE INDEX directory_head_by_keys ON public.directory_head USING gin (directory_keys(terms)) WITH (fastupdate=off);

create table directory_head_end (
  end_id bigint not null,
  "position" bigint not null,
  constraint directory_head_end_end_id_check CHECK ((end_id = 1)),
  constraint directory_head_end_pkey PRIMARY KEY (end_id)
);

create table directory_version (
  row_id bigint not null,
  version bigint not null,
  constraint directory_version_pkey PRIMARY KEY (row_id),
  constraint directory_version_row_id_check CHECK ((row_id = 1))
);

create table emails (
  email_id text collate "C" not null,
  kind text collate "C" not null,
  member_id bigint,
  recipient text collate "C",
  details text collate "C" not null,
  state text collate "C" not null,
  attempts bigint not null,
  error text collate "C",
  worker text collate "C",
  created_at bigint not null,
  due_at bigint not null,
  expires_at bigint not null,
  lease_until bigint not null,
  ended_at bigint,
  purge_at bigint not null,
  constraint emails_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint emails_pkey PRIMARY KEY (email_id),
  constraint emails_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
);

CREATE INDEX emails_by_member ON public.emails USING btree (member_id, created_at);

CREATE INDEX emails_by_purge ON public.emails USING btree (purge_at);

CREATE INDEX emails_queued ON public.emails USING btree (due_at) WHERE (state = 'queued'::text);

alter table emails enable row level security, force row level security;

create policy own_rows on emails for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy without_member on emails for all using ((COALESCE(( SELECT acting_member() AS acting_member), (0)::bigint) = 0));

create table embeddings (
  member_id bigint not null,
  connection_id bigint not null,
  model text collate "C" not null,
  fingerprint text collate "C" not null,
  vectors bytea not null,
  constraint embeddings_member_id_connection_id_fkey FOREIGN KEY (member_id, connection_id) REFERENCES connections(member_id, connection_id) ON DELETE CASCADE,
  constraint embeddings_pkey PRIMARY KEY (member_id, connection_id)
);

alter table embeddings enable row level security, force row level security;

create policy own_rows on embeddings for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table export_chunks (
  member_id bigint not null,
  export_id text collate "C" not null,
  chunk bigint not null,
  data bytea not null,
  constraint export_chunks_member_id_export_id_fkey FOREIGN KEY (member_id, export_id) REFERENCES exports(member_id, export_id) ON DELETE CASCADE,
  constraint export_chunks_pkey PRIMARY KEY (member_id, export_id, chunk)
);

alter table export_chunks enable row level security, force row level security;

create policy own_rows on export_chunks for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table exports (
  member_id bigint not null,
  export_id text collate "C" not null,
  job_id bigint not null,
  filename text collate "C" not null,
  bytes bigint not null default 0,
  created_at bigint not null,
  completed_at bigint,
  expires_at bigint not null,
  constraint exports_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint exports_pkey PRIMARY KEY (member_id, export_id)
);

CREATE INDEX exports_by_expiry ON public.exports USING btree (expires_at);

alter table exports enable row level security, force row level security;

create policy own_rows on exports for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on exports for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on exports for delete using ((( SELECT acting_member() AS acting_member) = 0));

create table follow_ups (
  member_id bigint not null,
  follow_up_id bigint not null,
  connection_id bigint not null,
  text text collate "C" not null,
  due_on text collate "C" not null,
  recurrence text collate "C" not null,
  counts_from text collate "C" not null,
  completed_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint follow_ups_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint follow_ups_pkey PRIMARY KEY (member_id, follow_up_id),
  constraint follow_ups_recurrence_check CHECK ((recurrence = ANY (ARRAY['none'::text, 'weekly'::text, 'monthly'::text, 'quarterly'::text, 'yearly'::text])))
);

CREATE INDEX follow_ups_by_connection ON public.follow_ups USING btree (member_id, connection_id, due_on);

CREATE INDEX follow_ups_by_day ON public.follow_ups USING btree (member_id, due_on, follow_up_id);

alter table follow_ups enable row level security, force row level security;

create policy own_rows on follow_ups for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table former_usernames (
  username text collate "C" not null,
  member_id bigint not null,
  left_at bigint not null,
  constraint former_usernames_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint former_usernames_pkey PRIMARY KEY (username)
);

CREATE INDEX former_usernames_by_member ON public.former_usernames USING btree (member_id);

alter table former_usernames enable row level security, force row level security;

create policy own_rows on former_usernames for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy without_member on former_usernames for all using ((COALESCE(( SELECT acting_member() AS acting_member), (0)::bigint) = 0));

create table grants (
  member_id bigint not null,
  grant_id text collate "C" not null,
  client_id text collate "C" not null,
  client_name text collate "C" not null,
  redirect_host text collate "C" not null,
  scope text collate "C" not null,
  resource text collate "C",
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  constraint grants_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint grants_pkey PRIMARY KEY (member_id, grant_id)
);

CREATE INDEX grants_by_expiry ON public.grants USING btree (expires_at);

alter table grants enable row level security, force row level security;

create policy own_rows on grants for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on grants for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on grants for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on grants for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table idempotency_records (
  member_id bigint not null,
  scope text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text collate "C" not null,
  answer text collate "C" not null,
  expires_at bigint not null,
  constraint idempotency_records_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint idempotency_records_pkey PRIMARY KEY (member_id, scope, key_hash)
);

CREATE INDEX idempotency_records_by_expiry ON public.idempotency_records USING btree (expires_at);

alter table idempotency_records enable row level security, force row level security;

create policy own_rows on idempotency_records for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on idempotency_records for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on idempotency_records for delete using ((( SELECT acting_member() AS acting_member) = 0));

create table identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  member_id bigint not null,
  added_at bigint not null,
  constraint identities_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint identities_pkey PRIMARY KEY (issuer, subject)
);

CREATE INDEX identities_by_member ON public.identities USING btree (member_id);

alter table identities enable row level security, force row level security;

create policy own_rows on identities for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy sign_in on identities for select using ((( SELECT acting_member() AS acting_member) IS NULL));

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
  charged_period bigint,
  expires_at bigint,
  stalled_attempts bigint not null default 0,
  filename text collate "C",
  constraint jobs_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint jobs_pkey PRIMARY KEY (job_id),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE INDEX jobs_active ON public.jobs USING btree (state, created_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX jobs_by_expiry ON public.jobs USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX jobs_by_member ON public.jobs USING btree (member_id, created_at, job_id);

CREATE UNIQUE INDEX jobs_one_active_per_kind ON public.jobs USING btree (member_id, kind) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

alter table jobs enable row level security, force row level security;

create policy own_rows on jobs for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_claims on jobs for update using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_finds on jobs for select using ((( SELECT acting_member() AS acting_member) = 0));

create table known_browsers (
  member_id bigint not null,
  browser_hash text collate "C" not null,
  seen_at bigint not null,
  constraint known_browsers_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint known_browsers_pkey PRIMARY KEY (member_id, browser_hash)
);

CREATE INDEX known_browsers_by_seen ON public.known_browsers USING btree (seen_at);

alter table known_browsers enable row level security, force row level security;

create policy own_rows on known_browsers for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on known_browsers for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on known_browsers for delete using ((( SELECT acting_member() AS acting_member) = 0));

create table match_reviews (
  member_id bigint not null,
  first_id bigint not null,
  second_id bigint not null,
  state text collate "C" not null,
  score bigint not null,
  reasons text collate "C" not null,
  job_id bigint,
  created_at bigint not null,
  constraint match_reviews_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint match_reviews_pkey PRIMARY KEY (member_id, first_id, second_id),
  constraint match_reviews_state_check CHECK ((state = ANY (ARRAY['open'::text, 'different'::text])))
);

CREATE INDEX match_reviews_by_second ON public.match_reviews USING btree (member_id, second_id);

CREATE INDEX match_reviews_by_state ON public.match_reviews USING btree (member_id, state, first_id, second_id);

alter table match_reviews enable row level security, force row level security;

create policy own_rows on match_reviews for all using ((member_id = ( SELECT acting_member() AS acting_member)));

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
  role text collate "C" not null default 'member'::text,
  time_zone text collate "C",
  verified_email text collate "C",
  constraint members_email_key UNIQUE (email),
  constraint members_pkey PRIMARY KEY (member_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['member'::text, 'admin'::text]))),
  constraint members_username_key UNIQUE (username)
);

CREATE INDEX members_by_admin_role ON public.members USING btree (member_id) WHERE (role = 'admin'::text);

alter table members enable row level security, force row level security;

create policy own_rows on members for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy public_reads on members for select using (true);

create policy without_member on members for all using ((COALESCE(( SELECT acting_member() AS acting_member), (0)::bigint) = 0));

CREATE TRIGGER profiles_added AFTER INSERT ON public.members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_added_profiles();

CREATE CONSTRAINT TRIGGER profiles_changed AFTER UPDATE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((old.is_public = 1) AND (old.disabled_at IS NULL)) OR ((new.is_public = 1) AND (new.disabled_at IS NULL))) AND ((((((((((((old.username IS DISTINCT FROM new.username) OR (old.name IS DISTINCT FROM new.name)) OR (old.headline IS DISTINCT FROM new.headline)) OR (old.about IS DISTINCT FROM new.about)) OR (old.location IS DISTINCT FROM new.location)) OR (old.organization IS DISTINCT FROM new.organization)) OR (old.title IS DISTINCT FROM new.title)) OR (old.skills IS DISTINCT FROM new.skills)) OR ((old.links = '[]'::text) IS DISTINCT FROM (new.links = '[]'::text))) OR ((old.avatar_url IS NULL) IS DISTINCT FROM (new.avatar_url IS NULL))) OR (old.is_public IS DISTINCT FROM new.is_public)) OR ((old.disabled_at IS NULL) IS DISTINCT FROM (new.disabled_at IS NULL))))) EXECUTE FUNCTION record_changed_profile();

CREATE CONSTRAINT TRIGGER profiles_removed AFTER DELETE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.is_public = 1) AND (old.disabled_at IS NULL))) EXECUTE FUNCTION record_changed_profile();

create table networks (
  member_id bigint not null,
  last_connection bigint not null default 0,
  last_note bigint not null default 0,
  last_activity bigint not null default 0,
  last_follow_up bigint not null default 0,
  embeddings_version bigint not null default 0,
  oldest_deletion bigint,
  keyed_day bigint not null default 0,
  keyed_bytes bigint not null default 0,
  search_version bigint not null default 0,
  search_floor bigint not null default 0,
  last_custom_field bigint not null default 0,
  key_version bigint not null default 0,
  first_key_version bigint not null default 0,
  constraint networks_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint networks_pkey PRIMARY KEY (member_id)
);

CREATE INDEX networks_by_deletion ON public.networks USING btree (oldest_deletion) WHERE (oldest_deletion IS NOT NULL);

alter table networks enable row level security, force row level security;

create policy own_rows on networks for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on networks for select using ((( SELECT acting_member() AS acting_member) = 0));

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

create table oauth_clients (
  client_id text collate "C" not null,
  name text collate "C" not null,
  client_uri text collate "C",
  redirect_uris text collate "C" not null,
  created_at bigint not null,
  granted_at bigint,
  requested_at bigint,
  constraint oauth_clients_pkey PRIMARY KEY (client_id)
);

CREATE INDEX oauth_clients_by_grant ON public.oauth_clients USING btree (granted_at) WHERE (granted_at IS NOT NULL);

CREATE INDEX oauth_clients_never_granted ON public.oauth_clients USING btree (created_at) WHERE (granted_at IS NULL);

create table one_time_links (
  link_hash text collate "C" not null,
  purpose text collate "C" not null,
  member_id bigint,
  note text collate "C",
  created_at bigint not null,
  expires_at bigint not null,
  email text collate "C",
  email_id text collate "C",
  constraint one_time_links_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint one_time_links_pkey PRIMARY KEY (link_hash)
);

CREATE INDEX one_time_links_by_expiry ON public.one_time_links USING btree (expires_at);

alter table one_time_links enable row level security, force row level security;

create policy own_rows on one_time_links for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy without_member on one_time_links for all using ((COALESCE(( SELECT acting_member() AS acting_member), (0)::bigint) = 0));

create table passkey_challenges (
  challenge_hash text collate "C" not null,
  purpose text collate "C" not null,
  bound_to text collate "C" not null,
  expires_at bigint not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'add'::text, 'confirm'::text, 'create_token'::text, 'export_data'::text, 'delete_account'::text])))
);

CREATE INDEX passkey_challenges_by_expiry ON public.passkey_challenges USING btree (expires_at);

create table passkeys (
  credential_id text collate "C" not null,
  member_id bigint not null,
  user_handle text collate "C" not null,
  name text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text collate "C" not null default '[]'::text,
  is_synced bigint not null,
  created_at bigint not null,
  last_used_at bigint,
  constraint passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint passkeys_pkey PRIMARY KEY (credential_id)
);

CREATE INDEX passkeys_by_member ON public.passkeys USING btree (member_id, created_at);

alter table passkeys enable row level security, force row level security;

create policy own_rows on passkeys for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy sign_in on passkeys for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table passwords (
  member_id bigint not null,
  hash text collate "C" not null,
  changed_at bigint not null,
  constraint passwords_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint passwords_pkey PRIMARY KEY (member_id)
);

alter table passwords enable row level security, force row level security;

create policy own_rows on passwords for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table pending_identities (
  secret_hash text collate "C" not null,
  bound_to text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  member_id bigint not null,
  expires_at bigint not null,
  constraint pending_identities_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint pending_identities_pkey PRIMARY KEY (secret_hash)
);

CREATE INDEX pending_identities_by_expiry ON public.pending_identities USING btree (expires_at);

CREATE INDEX pending_identities_by_member ON public.pending_identities USING btree (member_id);

alter table pending_identities enable row level security, force row level security;

create policy own_rows on pending_identities for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy without_member on pending_identities for all using ((COALESCE(( SELECT acting_member() AS acting_member), (0)::bigint) = 0));

create table photos (
  member_id bigint not null,
  photo_id text collate "C" not null,
  media_type text collate "C" not null,
  bytes bigint not null,
  created_at bigint not null,
  unused_since bigint,
  data bytea not null,
  constraint photos_media_type_check CHECK ((media_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text, 'image/gif'::text]))),
  constraint photos_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint photos_pkey PRIMARY KEY (member_id, photo_id)
);

CREATE INDEX photos_by_unused_since ON public.photos USING btree (member_id, unused_since) WHERE (unused_since IS NOT NULL);

alter table photos enable row level security, force row level security;

create policy own_rows on photos for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table refresh_tokens (
  token_hash text collate "C" not null,
  member_id bigint not null,
  grant_id text collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  successor text collate "C",
  constraint refresh_tokens_member_id_grant_id_fkey FOREIGN KEY (member_id, grant_id) REFERENCES grants(member_id, grant_id) ON DELETE CASCADE,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash)
);

CREATE INDEX refresh_tokens_by_expiry ON public.refresh_tokens USING btree (expires_at);

CREATE INDEX refresh_tokens_by_grant ON public.refresh_tokens USING btree (member_id, grant_id);

alter table refresh_tokens enable row level security, force row level security;

create policy own_rows on refresh_tokens for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on refresh_tokens for select using ((( SELECT acting_member() AS acting_member) = 0));

create policy service_sweeps on refresh_tokens for delete using ((( SELECT acting_member() AS acting_member) = 0));

create policy sign_in on refresh_tokens for select using ((( SELECT acting_member() AS acting_member) IS NULL));

create table removed_connection_keys (
  member_id bigint not null,
  key text collate "C" not null,
  connection_id bigint not null,
  constraint removed_connection_keys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint removed_connection_keys_pkey PRIMARY KEY (member_id, key, connection_id)
);

alter table removed_connection_keys enable row level security, force row level security;

create policy own_rows on removed_connection_keys for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table schema_migrations (
  number bigint not null,
  name text collate "C" not null,
  digest text collate "C" not null,
  applied_at bigint not null,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table search_changes (
  member_id bigint not null,
  slot bigint not null,
  version bigint not null,
  first_connection bigint not null,
  last_connection bigint not null,
  constraint search_changes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint search_changes_pkey PRIMARY KEY (member_id, slot)
);

alter table search_changes enable row level security, force row level security;

create policy own_rows on search_changes for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create table search_snapshots (
  member_id bigint not null,
  part bigint not null,
  parts bigint not null,
  version bigint not null,
  data bytea not null,
  constraint search_snapshots_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint search_snapshots_pkey PRIMARY KEY (member_id, part)
);

alter table search_snapshots enable row level security, force row level security;

create policy own_rows on search_snapshots for all using ((member_id = ( SELECT acting_member() AS acting_member)));

alter table search_snapshots alter column data set storage external;

create table sign_in_windows (
  key_hash text collate "C" not null,
  used bigint not null,
  ends_at bigint not null,
  constraint sign_in_windows_pkey PRIMARY KEY (key_hash)
);

CREATE INDEX sign_in_windows_by_end ON public.sign_in_windows USING btree (ends_at);

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
  is_inline bigint not null default 0,
  constraint uploads_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(member_id) ON DELETE CASCADE,
  constraint uploads_pkey PRIMARY KEY (member_id, upload_id)
);

CREATE INDEX uploads_by_expiry ON public.uploads USING btree (expires_at);

alter table uploads enable row level security, force row level security;

create policy own_rows on uploads for all using ((member_id = ( SELECT acting_member() AS acting_member)));

create policy service_finds on uploads for select using ((( SELECT acting_member() AS acting_member) = 0));
