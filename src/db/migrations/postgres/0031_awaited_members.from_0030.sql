-- Members of groups whose cards no one in the network has yet: a later import gives them the tag of the group. Undoing the
-- import that brought the group hides them.
create table awaited_group_members (
  member_id bigint not null references members (member_id) on delete cascade,
  key       text collate "C" not null,
  tag       text collate "C" not null,
  job_id    bigint not null,
  is_undone bigint not null default 0,
  primary key (member_id, key, tag)
);
alter table awaited_group_members enable row level security;
alter table awaited_group_members force row level security;
create policy own_rows on awaited_group_members using (member_id = (select acting_member()));
