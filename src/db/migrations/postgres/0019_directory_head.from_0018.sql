-- The first entries of the directory once more, in a table that is small enough to collect and sort all matches in it: see
-- engines/postgres/full-text.ts. The trigger also serves nodes of earlier versions; a deleted entry cascades.
create table directory_head (
  position  bigint primary key references directory_entries (position) on delete cascade,
  member_id bigint not null,
  username  text collate "C" not null,
  name_key  text collate "C" not null,
  terms     tsvector not null
);

-- Every term, and its beginnings of up to six characters with a ~ at the end: keys that GIN finds and intersects without
-- collecting all entries of a prefix. Names' terms begin with a mark.
create function directory_keys(terms tsvector) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array_agg(distinct key))
  from unnest(tsvector_to_array(terms)) term
  cross join lateral (select case when starts_with(term, '=') then 1 else 0 end) m (mark)
  cross join lateral (
    select term
    union all
    select left(term, mark + length) || '~' from generate_series(1, least(char_length(term) - mark, 6)) length
  ) k (key)
$$;
create index directory_head_by_keys on directory_head using gin (directory_keys(terms)) with (fastupdate = off);

-- One row: directory_head has all entries up to this position. A writer holds a share of its lock until it commits, so
-- that a sweep that moves the end misses no entry.
create table directory_head_end (
  end_id   bigint primary key check (end_id = 1),
  position bigint not null
);

create function add_to_directory_head() returns trigger language plpgsql as $$
declare
  last bigint;
begin
  select e.position into last from directory_head_end e for key share;
  insert into directory_head (position, member_id, username, name_key, terms)
    select a.position, a.member_id, a.username, a.name_key, a.terms from added a where a.position <= last;
  return null;
end $$;
create trigger entries_added after insert on directory_entries
  referencing new table as added for each statement execute function add_to_directory_head();

-- All entries of a new directory; none of one that has entries, until the sweep has copied some.
insert into directory_head_end
  values (1, case when exists (select from directory_entries) then -1 else 9007199254740991 end);
