-- Clients that no member has allowed are removed a day after they registered, but not while someone is signing in to
-- decide about one: when its authorization was last asked for, in milliseconds.
alter table oauth_clients add column requested_at bigint;

-- A passkey also confirms who is at the browser, and a confirmation is kept here until it creates an API token.
alter table passkey_challenges drop constraint passkey_challenges_purpose_check;
alter table passkey_challenges add constraint passkey_challenges_purpose_check
  check (purpose in ('sign_in', 'add', 'confirm', 'create_token'));
