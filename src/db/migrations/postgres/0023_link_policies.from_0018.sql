-- Found by a secret, a name or a due time before their member is known. A transaction that acts for a member reaches only
-- that member's rows.
alter table emails enable row level security;
alter table emails force row level security;
create policy own_rows on emails using (member_id = (select acting_member()));
create policy without_member on emails using (coalesce((select acting_member()), 0) = 0);

alter table one_time_links enable row level security;
alter table one_time_links force row level security;
create policy own_rows on one_time_links using (member_id = (select acting_member()));
create policy without_member on one_time_links using (coalesce((select acting_member()), 0) = 0);

alter table pending_identities enable row level security;
alter table pending_identities force row level security;
create policy own_rows on pending_identities using (member_id = (select acting_member()));
create policy without_member on pending_identities using (coalesce((select acting_member()), 0) = 0);

alter table former_usernames enable row level security;
alter table former_usernames force row level security;
create policy own_rows on former_usernames using (member_id = (select acting_member()));
create policy without_member on former_usernames using (coalesce((select acting_member()), 0) = 0);
