-- The index that searches use from this version on, instead of directory_entries_by_terms.
drop index concurrently if exists directory_entries_by_keys;
create index concurrently directory_entries_by_keys on directory_entries using gin (directory_keys(terms)) with (fastupdate = off);
