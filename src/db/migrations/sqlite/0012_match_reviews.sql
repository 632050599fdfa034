-- Pairs of connections that may be one person: those that an import queued (open), and those that the member said are
-- two people (different). The lower ID is first. score is in tenths; reasons is a JSON array.
create table match_reviews (
  member_id  integer not null references members (member_id) on delete cascade,
  first_id   integer not null,
  second_id  integer not null,
  state      text not null check (state in ('open', 'different')),
  score      integer not null,
  reasons    text not null,
  job_id     integer,
  created_at integer not null,
  primary key (member_id, first_id, second_id)
) strict, without rowid;
create index match_reviews_by_state on match_reviews (member_id, state, first_id, second_id);
create index match_reviews_by_second on match_reviews (member_id, second_id);
