/** Filters and sorts the people of a search by their last contact and by when the next is due. */

import { contactTimesOf, type ContactTimes } from '../last-contact/read-contact-times.ts'
import type { IndexHit } from '../../search/index/select-people.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ContactFilter } from './contact-arguments.ts'
import type { ModeAnswer } from './answer-with-meaning.ts'

export const MAX_COMPARED = 100_000

/** The people of an answer who pass, as a ranking. People who match only partly stay behind the others. */
export async function filterByContact(
  reader: MemberReader,
  answer: ModeAnswer,
  { lastContactBefore, dueBy, sort }: ContactFilter,
): Promise<ModeAnswer> {
  const ids = answer.hits.map(({ connectionId }) => connectionId)
  const times = await contactTimesOf(reader, ids)
  const dateOf = (hit: IndexHit, by: ContactFilter['sort']) =>
    contactDate(times.get(hit.connectionId), by) ?? LAST
  const found = answer.hits.filter(
    (hit) =>
      (dueBy === undefined || dateOf(hit, 'due') <= dueBy) &&
      (lastContactBefore === undefined ||
        times.get(hit.connectionId)?.lastContactOn == null ||
        dateOf(hit, 'last_contact') < lastContactBefore),
  )
  const hits = sort
    ? found.toSorted(
        (one, other) =>
          Number(other.share === 1) - Number(one.share === 1) ||
          compare(dateOf(one, sort), dateOf(other, sort)),
      )
    : found
  return { ...answer, hits, total: hits.length, isRanked: true }
}

const LAST = '9999-99-99'

function contactDate(
  times: ContactTimes | undefined,
  by: ContactFilter['sort'],
): string | null | undefined {
  if (by === 'due') return times?.isMuted === true ? null : times?.dueOn
  return times?.lastContactOn
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
