-- Pairs of connections that may be one person: those that an import queued (open), and those that the member said are
-- two people (different). The lower ID is first. score is in tenths; reasons is a JSON array.
create table match_reviews (
  member_id  bigint not null references members (member_id) on delete cascade,
  first_id   bigint not null,
  second_id  bigint not null,
  state      text collate "C" not null check (state in ('open', 'different')),
  score      bigint not null,
  reasons    text collate "C" not null,
  job_id     bigint,
  created_at bigint not null,
  primary key (member_id, first_id, second_id)
);
create index match_reviews_by_state on match_reviews (member_id, state, first_id, second_id);
create index match_reviews_by_second on match_reviews (member_id, second_id);

alter table match_reviews enable row level security;
alter table match_reviews force row level security;
create policy own_rows on match_reviews using (member_id = (select acting_member()));
