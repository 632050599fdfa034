-- The version of the matching keys of the network's connections. They are renewed in the background while it is lower
-- than that of the code.
alter table networks add column key_version bigint not null default 0;
