-- The version of the matching keys when the network began; 0 if that is unknown. Its connections have no keys of earlier
-- versions, which imports then need not look up.
alter table networks add column first_key_version bigint not null default 0;
