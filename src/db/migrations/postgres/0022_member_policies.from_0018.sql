-- Profiles are public, and sign-in finds a member by name or email, so everyone reads. A transaction that acts for a member
-- changes only that member's row. Those without a member create, disable and delete members.
alter table members enable row level security;
alter table members force row level security;
create policy own_rows on members using (member_id = (select acting_member()));
create policy public_reads on members for select using (true);
create policy without_member on members using (coalesce((select acting_member()), 0) = 0);
