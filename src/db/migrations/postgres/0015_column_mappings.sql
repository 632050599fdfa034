-- What the columns of a member's files mean, as the member or an agent said, by a fingerprint of the header.
create table column_mappings (
  member_id   bigint not null references members (member_id) on delete cascade,
  fingerprint text collate "C" not null,
  mapping     text collate "C" not null,
  updated_at  bigint not null,
  primary key (member_id, fingerprint)
);
create index column_mappings_by_age on column_mappings (member_id, updated_at);

alter table column_mappings enable row level security;
alter table column_mappings force row level security;
create policy own_rows on column_mappings using (member_id = (select acting_member()));
