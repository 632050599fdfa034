-- Searching by meaning.

-- How often the vectors below were changed: whoever keeps them in memory sees by it that they are no longer the same.
alter table networks add column embeddings_version bigint not null default 0;

-- What a connection said when it was embedded, by its fingerprint, and the vectors that this model made of it
-- (meaning/packed-vectors.ts). They go with the connection.
create table embeddings (
  member_id     bigint not null,
  connection_id bigint not null,
  model         text collate "C" not null,
  fingerprint   text collate "C" not null,
  vectors       bytea not null,
  primary key (member_id, connection_id),
  foreign key (member_id, connection_id) references connections (member_id, connection_id) on delete cascade
);

alter table embeddings enable row level security;
alter table embeddings force row level security;
create policy own_rows on embeddings using (member_id = (select acting_member()));
