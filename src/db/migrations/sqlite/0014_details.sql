-- What is known of a person beyond the main fields, as one JSON object (decisions/0033).
alter table connections add column details text not null default '{}';
-- The last day on which a position ended, from the details: for the list of people who changed jobs.
alter table connections add column job_ended_on text;
create index connections_by_job_end on connections (member_id, job_ended_on, connection_id)
  where job_ended_on is not null;

-- The fields that a member, an agent or an import defined. A deleted one hides its values and can be restored.
alter table networks add column last_custom_field integer not null default 0;
create table custom_fields (
  member_id  integer not null references members (member_id) on delete cascade,
  field_id   integer not null,
  name       text not null,
  name_key   text not null,
  kind       text not null check (kind in ('text', 'number', 'date', 'choice', 'url')),
  choices    text not null default '[]',
  created_at integer not null,
  deleted_at integer,
  primary key (member_id, field_id)
) strict, without rowid;
create unique index custom_fields_by_name on custom_fields (member_id, name_key) where deleted_at is null;
