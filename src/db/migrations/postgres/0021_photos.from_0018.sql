-- Photos of connections, which refer to them in their details by photo_id: the SHA-256 of the bytes in base64url.
-- unused_since is when a photo was stored or last taken off a connection; null once a purge has found it in use.
create table photos (
  member_id    bigint not null references members (member_id) on delete cascade,
  photo_id     text collate "C" not null,
  media_type   text collate "C" not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  bytes        bigint not null,
  created_at   bigint not null,
  unused_since bigint,
  data         bytea not null,
  primary key (member_id, photo_id)
);
create index photos_by_unused_since on photos (member_id, unused_since) where unused_since is not null;

alter table photos enable row level security;
alter table photos force row level security;
create policy own_rows on photos using (member_id = (select acting_member()));
