-- Search indexes hardly shrink, but decompressing one takes longer than everything else that reads it. Stored ones stay as they
-- are until they are replaced.
alter table search_snapshots alter column data set storage external;
