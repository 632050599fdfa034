-- What hangs on a network beside connections and notes, and what undoing and renaming need.

alter table networks add column last_follow_up bigint not null default 0;

-- Merged into which connection; set together with deleted_at.
alter table connections add column merged_into bigint;

-- Which earlier entry this one takes back.
alter table activity add column undoes bigint;
create index activity_that_undoes on activity (member_id, activity_id) where undoes is not null;

-- A recurring one that is done stays as it was, and a new one follows it. It counts from the series' first day: what
-- began on the 31st is due on the 31st again after a month that has none.
create table follow_ups (
  member_id     bigint not null references members (member_id) on delete cascade,
  follow_up_id  bigint not null,
  connection_id bigint not null,
  text          text collate "C" not null,
  due_on        text collate "C" not null,
  recurrence    text collate "C" not null check (recurrence in ('none', 'weekly', 'monthly', 'quarterly', 'yearly')),
  counts_from   text collate "C" not null,
  completed_at  bigint,
  created_at    bigint not null,
  updated_at    bigint not null,
  deleted_at    bigint,
  primary key (member_id, follow_up_id)
);
create index follow_ups_by_day on follow_ups (member_id, due_on, follow_up_id);
create index follow_ups_by_connection on follow_ups (member_id, connection_id, due_on);

-- Names that members gave up: whoever follows an old link is led to the new one.
create table former_usernames (
  username  text collate "C" primary key,
  member_id bigint not null references members (member_id) on delete cascade,
  left_at   bigint not null
);
create index former_usernames_by_member on former_usernames (member_id);

alter table follow_ups enable row level security;
alter table follow_ups force row level security;
create policy own_rows on follow_ups using (member_id = (select acting_member()));
