-- Which public profiles changed, for search indexes in the memory of nodes: see members/directory-changes.ts. The triggers
-- also serve nodes of earlier versions. A writer holds the row of the version until it commits, so that versions become
-- visible in their order; single changes are recorded with the commit, so that others wait no longer than for it.
create table directory_version (
  row_id  bigint primary key check (row_id = 1),
  version bigint not null
);
insert into directory_version values (1, 0);

-- A ring: version v is in slot v % 1024.
create table directory_changes (
  slot      bigint primary key,
  version   bigint not null,
  member_id bigint not null
);

create function record_directory_changes(ids bigint[]) returns void language plpgsql as $$
declare
  many bigint := cardinality(ids);
  last bigint;
begin
  if many = 0 then return; end if;
  update directory_version set version = version + many returning version into last;
  insert into directory_changes (slot, version, member_id)
    select (last - many + nth) % 1024, last - many + nth, id from unnest(ids) with ordinality u (id, nth)
    where nth > many - 1024
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end $$;

create function record_added_profiles() returns trigger language plpgsql as $$
begin
  perform record_directory_changes(array(
    select member_id from added where is_public = 1 and disabled_at is null));
  return null;
end $$;
create trigger profiles_added after insert on members
  referencing new table as added for each statement execute function record_added_profiles();

create function record_changed_profile() returns trigger language plpgsql as $$
begin
  perform record_directory_changes(array[coalesce(new.member_id, old.member_id)]);
  return null;
end $$;
create constraint trigger profiles_changed after update on members deferrable initially deferred for each row
  when (((old.is_public = 1 and old.disabled_at is null) or (new.is_public = 1 and new.disabled_at is null))
    and (old.username, old.name, old.headline, old.about, old.location, old.organization, old.title, old.skills,
        old.links = '[]', old.avatar_url is null, old.is_public, old.disabled_at is null)
      is distinct from (new.username, new.name, new.headline, new.about, new.location, new.organization, new.title,
        new.skills, new.links = '[]', new.avatar_url is null, new.is_public, new.disabled_at is null))
  execute function record_changed_profile();
create constraint trigger profiles_removed after delete on members deferrable initially deferred for each row
  when (old.is_public = 1 and old.disabled_at is null)
  execute function record_changed_profile();
