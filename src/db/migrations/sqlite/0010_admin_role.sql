-- The role 'operator' becomes 'admin'. SQLite cannot change a check, so the column is replaced.
alter table members rename column role to former_role;
alter table members add column role text not null default 'member' check (role in ('member', 'admin'));
update members set role = 'admin' where former_role = 'operator';
alter table members drop column former_role;
