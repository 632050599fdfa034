-- The time zone of the member's last browser, in which agents read dates such as "tomorrow". Null is UTC.
alter table members add column time_zone text collate "C";
