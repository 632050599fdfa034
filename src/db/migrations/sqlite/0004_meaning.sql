-- Searching by meaning.

-- How often the vectors below were changed: whoever keeps them in memory sees by it that they are no longer the same.
alter table networks add column embeddings_version integer not null default 0;

-- What a connection said when it was embedded, by its fingerprint, and the vectors that this model made of it
-- (meaning/packed-vectors.ts). They go with the connection.
create table embeddings (
  member_id     integer not null,
  connection_id integer not null,
  model         text not null,
  fingerprint   text not null,
  vectors       blob not null,
  primary key (member_id, connection_id),
  foreign key (member_id, connection_id) references connections (member_id, connection_id) on delete cascade
) strict, without rowid;
