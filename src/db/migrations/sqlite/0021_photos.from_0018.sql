-- Photos of connections, which refer to them in their details by photo_id: the SHA-256 of the bytes in base64url.
-- unused_since is when a photo was stored or last taken off a connection; null once a purge has found it in use.
create table photos (
  member_id    integer not null references members (member_id) on delete cascade,
  photo_id     text not null,
  media_type   text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  bytes        integer not null,
  created_at   integer not null,
  unused_since integer,
  data         blob not null,
  primary key (member_id, photo_id)
) strict;
create index photos_by_unused_since on photos (member_id, unused_since) where unused_since is not null;
