-- Which public profiles changed, for search indexes in the memory of nodes: see members/directory-changes.ts. The triggers
-- also serve nodes of earlier versions.
create table directory_version (
  row_id  integer primary key check (row_id = 1),
  version integer not null
) strict;
insert into directory_version values (1, 0);

-- A ring: version v is in slot v % 1024.
create table directory_changes (
  slot      integer primary key,
  version   integer not null,
  member_id integer not null
) strict;

create trigger profiles_added after insert on members
when new.is_public = 1 and new.disabled_at is null
begin
  update directory_version set version = version + 1;
  insert into directory_changes (slot, version, member_id)
    select version % 1024, version, new.member_id from directory_version where true
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end;

create trigger profiles_changed after update on members
when ((old.is_public = 1 and old.disabled_at is null) or (new.is_public = 1 and new.disabled_at is null))
  and (old.username, old.name, old.headline, old.about, old.location, old.organization, old.title, old.skills,
      old.links = '[]', old.avatar_url is null, old.is_public, old.disabled_at is null)
    is not (new.username, new.name, new.headline, new.about, new.location, new.organization, new.title, new.skills,
      new.links = '[]', new.avatar_url is null, new.is_public, new.disabled_at is null)
begin
  update directory_version set version = version + 1;
  insert into directory_changes (slot, version, member_id)
    select version % 1024, version, new.member_id from directory_version where true
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end;

create trigger profiles_removed after delete on members
when old.is_public = 1 and old.disabled_at is null
begin
  update directory_version set version = version + 1;
  insert into directory_changes (slot, version, member_id)
    select version % 1024, version, old.member_id from directory_version where true
    on conflict (slot) do update set version = excluded.version, member_id = excluded.member_id;
end;
