-- Attempts to sign in, counted in fixed windows by address, by typed name and by member. key_hash is a SHA-256: neither
-- names nor addresses are stored. A row is worthless once ends_at (milliseconds) has passed.
create table sign_in_windows (
  key_hash text collate "C" primary key,
  used     bigint not null,
  ends_at  bigint not null
);
create index sign_in_windows_by_end on sign_in_windows (ends_at);

-- An account at an identity provider, between its sign-in there and the confirmation that it belongs to this member.
-- bound_to is the hash of what the browser is known by.
create table pending_identities (
  secret_hash text collate "C" primary key,
  bound_to    text collate "C" not null,
  issuer      text collate "C" not null,
  subject     text collate "C" not null,
  member_id   bigint not null references members (member_id) on delete cascade,
  expires_at  bigint not null
);
create index pending_identities_by_member on pending_identities (member_id);
create index pending_identities_by_expiry on pending_identities (expires_at);
