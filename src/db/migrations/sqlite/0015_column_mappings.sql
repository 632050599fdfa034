-- What the columns of a member's files mean, as the member or an agent said, by a fingerprint of the header.
create table column_mappings (
  member_id   integer not null references members (member_id) on delete cascade,
  fingerprint text not null,
  mapping     text not null,
  updated_at  integer not null,
  primary key (member_id, fingerprint)
) strict, without rowid;
create index column_mappings_by_age on column_mappings (member_id, updated_at);
