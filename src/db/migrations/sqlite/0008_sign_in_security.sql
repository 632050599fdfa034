-- Attempts to sign in, counted in fixed windows by address, by typed name and by member. key_hash is a SHA-256: neither
-- names nor addresses are stored. A row is worthless once ends_at (milliseconds) has passed.
create table sign_in_windows (
  key_hash text primary key,
  used     integer not null,
  ends_at  integer not null
) strict, without rowid;
create index sign_in_windows_by_end on sign_in_windows (ends_at);

-- An account at an identity provider, between its sign-in there and the confirmation that it belongs to this member.
-- bound_to is the hash of what the browser is known by.
create table pending_identities (
  secret_hash text primary key,
  bound_to    text not null,
  issuer      text not null,
  subject     text not null,
  member_id   integer not null references members (member_id) on delete cascade,
  expires_at  integer not null
) strict, without rowid;
create index pending_identities_by_member on pending_identities (member_id);
create index pending_identities_by_expiry on pending_identities (expires_at);
