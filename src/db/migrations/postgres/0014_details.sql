-- What is known of a person beyond the main fields, as one JSON object (decisions/0033).
alter table connections add column details text collate "C" not null default '{}';
-- The last day on which a position ended, from the details: for the list of people who changed jobs.
alter table connections add column job_ended_on text collate "C";
create index connections_by_job_end on connections (member_id, job_ended_on, connection_id)
  where job_ended_on is not null;

-- The fields that a member, an agent or an import defined. A deleted one hides its values and can be restored.
alter table networks add column last_custom_field bigint not null default 0;
create table custom_fields (
  member_id  bigint not null references members (member_id) on delete cascade,
  field_id   bigint not null,
  name       text collate "C" not null,
  name_key   text collate "C" not null,
  kind       text collate "C" not null check (kind in ('text', 'number', 'date', 'choice', 'url')),
  choices    text collate "C" not null default '[]',
  created_at bigint not null,
  deleted_at bigint,
  primary key (member_id, field_id)
);
create unique index custom_fields_by_name on custom_fields (member_id, name_key) where deleted_at is null;

alter table custom_fields enable row level security;
alter table custom_fields force row level security;
create policy own_rows on custom_fields using (member_id = (select acting_member()));
