-- Members of groups whose cards no one in the network has yet: a later import gives them the tag of the group. Undoing the
-- import that brought the group hides them.
create table awaited_group_members (
  member_id integer not null references members (member_id) on delete cascade,
  key       text not null,
  tag       text not null,
  job_id    integer not null,
  is_undone integer not null default 0,
  primary key (member_id, key, tag)
) strict, without rowid;
