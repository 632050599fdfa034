-- The role 'operator' becomes 'admin'.
alter table members drop constraint members_role_check;
update members set role = 'admin' where role = 'operator';
alter table members add constraint members_role_check check (role in ('member', 'admin'));
