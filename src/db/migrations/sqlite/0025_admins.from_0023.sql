-- Every start and every admin action looks for the admins.
create index members_by_admin_role on members (member_id) where role = 'admin';
