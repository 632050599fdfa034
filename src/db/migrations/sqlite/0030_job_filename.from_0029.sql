-- Of the file that an import reads.
alter table jobs add column filename text;
