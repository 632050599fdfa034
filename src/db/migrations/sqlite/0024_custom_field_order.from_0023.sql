-- The place of a custom field in the member's own order, 1 first. Fields without one come last, in the order of their names.
alter table custom_fields add column position integer;
