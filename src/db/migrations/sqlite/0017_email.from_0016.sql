-- Emails to send, written in the transaction of their cause. details is JSON for the template and never holds a secret:
-- links are created when the email is sent. recipient is null for the member's address at that time. A queued row with a
-- worker is being sent until lease_until. All times are in milliseconds.
create table emails (
  email_id    text primary key,
  kind        text not null,
  member_id   integer references members (member_id) on delete cascade,
  recipient   text,
  details     text not null,
  state       text not null check (state in ('queued', 'sent', 'failed', 'dropped')),
  attempts    integer not null,
  error       text,
  worker      text,
  created_at  integer not null,
  due_at      integer not null,
  expires_at  integer not null,
  lease_until integer not null,
  ended_at    integer,
  purge_at    integer not null
) strict, without rowid;
create index emails_queued on emails (due_at) where state = 'queued';
create index emails_by_member on emails (member_id, created_at);
create index emails_by_purge on emails (purge_at);

-- The email that the member has proved to be theirs. It counts only while it equals members.email.
alter table members add column verified_email text;

-- email is the address that a link was sent to, and email_id the row of emails that it was sent with. A link to verify an
-- email is another purpose, so purpose has no check any more.
alter table one_time_links rename to former_links;
create table one_time_links (
  link_hash  text primary key,
  purpose    text not null,
  member_id  integer references members (member_id) on delete cascade,
  note       text,
  created_at integer not null,
  expires_at integer not null,
  email      text,
  email_id   text
) strict, without rowid;
insert into one_time_links (link_hash, purpose, member_id, note, created_at, expires_at)
  select link_hash, purpose, member_id, note, created_at, expires_at from former_links;
drop table former_links;
create index one_time_links_by_expiry on one_time_links (expires_at);

-- Browsers that a member has signed in with, by the hash of a cookie, to notify the member of a new one.
create table known_browsers (
  member_id    integer not null references members (member_id) on delete cascade,
  browser_hash text not null,
  seen_at      integer not null,
  primary key (member_id, browser_hash)
) strict, without rowid;
create index known_browsers_by_seen on known_browsers (seen_at);
