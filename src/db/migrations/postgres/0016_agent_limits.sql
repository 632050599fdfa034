-- What a member allows one agent: a grant or an API token. Without a row, or with a row of nulls and zeros, nothing is
-- limited. tool_groups is a comma-separated list; null is all. spent counts the credits of the month spent_in; null has
-- them counted from the ledger. A row outlives its credential, so that a client that connects again is offered the same.
create table agent_limits (
  member_id       bigint not null references members (member_id) on delete cascade,
  credential_id   text collate "C" not null,
  client_id       text collate "C",
  read_only       bigint not null check (read_only in (0, 1)),
  tool_groups     text collate "C",
  withholds_text  bigint not null check (withholds_text in (0, 1)),
  monthly_credits bigint check (monthly_credits >= 0),
  spent           bigint not null default 0,
  spent_in        bigint,
  ends_at         bigint,
  changed_at      bigint not null,
  primary key (member_id, credential_id)
);
create index agent_limits_by_client on agent_limits (member_id, client_id, changed_at) where client_id is not null;
create index agent_limits_by_change on agent_limits (changed_at);

alter table agent_limits enable row level security;
alter table agent_limits force row level security;
create policy own_rows on agent_limits using (member_id = (select acting_member()));
create policy service_finds on agent_limits for select using ((select acting_member()) = 0);
create policy service_sweeps on agent_limits for delete using ((select acting_member()) = 0);
create policy sign_in on agent_limits for select using ((select acting_member()) is null);

-- Selections of connections that an agent exported. The file is written when it is read. connection_ids is a JSON array.
create table connection_exports (
  member_id      bigint not null references members (member_id) on delete cascade,
  export_id      text collate "C" not null,
  credential_id  text collate "C" not null,
  format         text collate "C" not null check (format in ('csv', 'vcard')),
  connection_ids text collate "C" not null,
  created_at     bigint not null,
  expires_at     bigint not null,
  primary key (member_id, export_id)
);
create index connection_exports_by_expiry on connection_exports (expires_at);

alter table connection_exports enable row level security;
alter table connection_exports force row level security;
create policy own_rows on connection_exports using (member_id = (select acting_member()));
create policy service_finds on connection_exports for select using ((select acting_member()) = 0);
create policy service_sweeps on connection_exports for delete using ((select acting_member()) = 0);

-- Confirmations of more actions.
alter table passkey_challenges drop constraint passkey_challenges_purpose_check;
alter table passkey_challenges add constraint passkey_challenges_purpose_check check (purpose in
  ('sign_in', 'add', 'confirm', 'create_token', 'export_data', 'delete_account'));
