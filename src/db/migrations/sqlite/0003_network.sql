-- What hangs on a network beside connections and notes, and what undoing and renaming need.

alter table networks add column last_follow_up integer not null default 0;

-- Merged into which connection; set together with deleted_at.
alter table connections add column merged_into integer;

-- Which earlier entry this one takes back.
alter table activity add column undoes integer;
create index activity_that_undoes on activity (member_id, activity_id) where undoes is not null;

-- A recurring one that is done stays as it was, and a new one follows it. It counts from the series' first day: what
-- began on the 31st is due on the 31st again after a month that has none.
create table follow_ups (
  member_id     integer not null references members (member_id) on delete cascade,
  follow_up_id  integer not null,
  connection_id integer not null,
  text          text not null,
  due_on        text not null,
  recurrence    text not null check (recurrence in ('none', 'weekly', 'monthly', 'quarterly', 'yearly')),
  counts_from   text not null,
  completed_at  integer,
  created_at    integer not null,
  updated_at    integer not null,
  deleted_at    integer,
  primary key (member_id, follow_up_id)
) strict, without rowid;
create index follow_ups_by_day on follow_ups (member_id, due_on, follow_up_id);
create index follow_ups_by_connection on follow_ups (member_id, connection_id, due_on);

-- Names that members gave up: whoever follows an old link is led to the new one.
create table former_usernames (
  username  text primary key,
  member_id integer not null references members (member_id) on delete cascade,
  left_at   integer not null
) strict, without rowid;
create index former_usernames_by_member on former_usernames (member_id);
