-- Clients that no member has allowed are removed a day after they registered, but not while someone is signing in to
-- decide about one: when its authorization was last asked for, in milliseconds.
alter table oauth_clients add column requested_at integer;

-- A passkey also confirms who is at the browser, and a confirmation is kept here until it creates an API token.
-- Challenges are valid for five minutes: none is worth keeping.
drop table passkey_challenges;
create table passkey_challenges (
  challenge_hash text primary key,
  purpose        text not null check (purpose in ('sign_in', 'add', 'confirm', 'create_token')),
  bound_to       text not null,
  expires_at     integer not null
) strict, without rowid;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
