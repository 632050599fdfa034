-- Every start and every admin action looks for the admins.
drop index concurrently if exists members_by_admin_role;
create index concurrently members_by_admin_role on members (member_id) where role = 'admin';
