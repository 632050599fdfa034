-- Emails to send, written in the transaction of their cause. details is JSON for the template and never holds a secret:
-- links are created when the email is sent. recipient is null for the member's address at that time. A queued row with a
-- worker is being sent until lease_until. All times are in milliseconds.
create table emails (
  email_id    text collate "C" primary key,
  kind        text collate "C" not null,
  member_id   bigint references members (member_id) on delete cascade,
  recipient   text collate "C",
  details     text collate "C" not null,
  state       text collate "C" not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts    bigint not null,
  error       text collate "C",
  worker      text collate "C",
  created_at  bigint not null,
  due_at      bigint not null,
  expires_at  bigint not null,
  lease_until bigint not null,
  ended_at    bigint,
  purge_at    bigint not null
);
create index emails_queued on emails (due_at) where state = 'queued';
create index emails_by_member on emails (member_id, created_at);
create index emails_by_purge on emails (purge_at);

-- The email that the member has proved to be theirs. It counts only while it equals members.email.
alter table members add column verified_email text collate "C";

-- email is the address that a link was sent to, and email_id the row of emails that it was sent with. A link to verify an
-- email is another purpose, so purpose has no check any more.
alter table one_time_links
  drop constraint one_time_links_purpose_check,
  add column email text collate "C",
  add column email_id text collate "C";

-- Browsers that a member has signed in with, by the hash of a cookie, to notify the member of a new one.
create table known_browsers (
  member_id    bigint not null references members (member_id) on delete cascade,
  browser_hash text collate "C" not null,
  seen_at      bigint not null,
  primary key (member_id, browser_hash)
);
create index known_browsers_by_seen on known_browsers (seen_at);
alter table known_browsers enable row level security;
alter table known_browsers force row level security;
create policy own_rows on known_browsers using (member_id = (select acting_member()));
create policy service_finds on known_browsers for select using ((select acting_member()) = 0);
create policy service_sweeps on known_browsers for delete using ((select acting_member()) = 0);
