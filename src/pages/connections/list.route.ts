/** `GET /user/connections`: the member's connections in a table, with the same search as the tool. */

import { t } from '../../languages/message.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import {
  contactTimesOf,
  type ContactTimes,
} from '../../connections/last-contact/read-contact-times.ts'
import {
  readCustomFields,
  type CustomField,
} from '../../connections/custom-fields/custom-fields.ts'
import { countConnections } from '../../connections/people/count-connections.ts'
import { listViews } from '../../connections/people/saved-views.ts'
import { noteViewCount } from '../../connections/people/view-counts.ts'
import { birthdaysOf, findListed, readListed } from '../../connections/people/find-people.ts'
import { formerPositions } from '../../connections/search/connection-page.ts'
import { findTag, listTags } from '../../connections/tags/tags.ts'
import { pageRoute, type PageRequest } from '../../forms/page-route.ts'
import { CONNECTIONS_PATH } from '../../html/site-map.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { timesOf } from '../../ui/time.ts'
import { connectionListPage } from './list.page.ts'
import { peopleQueryOf, sortOf } from '../../connections/people/list-query.ts'
import { listQuery, readListState, type ListState } from '../../connections/people/list-state.ts'
import { isCompleteMatch } from '../../connections/search/show.ts'
import { unknownNameText } from '../../connections/search/unknown-name.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { FoundPeople } from '../../connections/people/find-people.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { PeopleRows } from './people-table.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { Route } from '../../http/route.ts'

export const PAGE_SIZE = 50

/** The number of tags in the filter. */
const MAX_TAGS = 100

export interface ListDeps extends PersonDeps {
  readonly embedder: Embedder
}

export function listRoute(deps: ListDeps): Route {
  return pageRoute(deps, {
    path: CONNECTIONS_PATH,
    async handle(request) {
      const { search, browser, db, now } = request
      const state = await withTagAsWritten(db, readListState(search))
      const fields = await readCustomFields(db)
      const { found, error, problem } = await findUnlessInvalid(deps, request, { state, fields })
      const { entries: tags } = await listTags(db, { limit: MAX_TAGS })
      const page = Number(state.page || '1')
      const ids = found.ids.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      const people = await rowsOf(db, {
        found,
        ids,
        state,
        from: (page - 1) * PAGE_SIZE,
        today: timesOf(browser, now).today,
      })
      const views = await listViews(db)
      const query = listQuery({ ...state, page: '' })
      if (views.some((view) => view.query === query)) noteViewCount(db, query, found.total)
      return connectionListPage({
        browser,
        state,
        people,
        options: { tags: tags.map(({ tag }) => tag), fields, error },
        total: found.total,
        complete: found.complete,
        unknown: found.answer && unknownNameText(found.answer, people.matches),
        everyone: await countConnections(db),
        letters: lettersOf(found.initials),
        pages: Math.ceil(found.ids.length / PAGE_SIZE),
        problem,
        views,
        noticed: await readNoticed(db, search, deps.undoers),
        search,
      })
    },
  })
}

async function withTagAsWritten(db: MemberDatabase, state: ListState): Promise<ListState> {
  const tagged = state.tag === '' ? undefined : await findTag(db, state.tag)
  return tagged ? { ...state, tag: tagged.tag } : state
}

interface Shown {
  readonly found: FoundPeople
  readonly ids: readonly number[]
  readonly state: ListState
  /** Number of people on earlier pages. */
  readonly from: number
  readonly today: string
}

async function rowsOf(
  db: MemberDatabase,
  { found, ids, state, from, today }: Shown,
): Promise<PeopleRows> {
  const [page, times] = await Promise.all([readListed(db, found, ids), contactTimesOf(db, ids)])
  const days = (dayOf: (of: ContactTimes) => string | null) =>
    new Map([...times].flatMap(([id, of]) => [[id, dayOf(of)] as const].filter(isKnown)))
  return {
    ...page,
    weaker: weakerAfter(page, { found, from }),
    isGrouped: sortOf(state).sort === 'relevance' && found.answer?.mode !== 'semantic',
    contactOf: days(({ lastContactOn }) => lastContactOn),
    dueOf: days(({ dueOn }) => dueOn),
    isByBirthday: birthdaysOf(found.answer) !== undefined,
    formerOf: state.jobs === '' ? undefined : await formerPositions(db, ids),
    today,
  }
}

/** Where the weaker matches begin on a page, and how many there are, in the order of relevance. */
function weakerAfter(
  { matches }: Pick<PeopleRows, 'matches'>,
  { found, from }: Pick<Shown, 'found' | 'from'>,
): PeopleRows['weaker'] {
  const at = matches.findIndex((match) => !isCompleteMatch(match))
  if (at < 0 || from + at !== found.complete) return undefined
  return { at, total: found.total - found.complete }
}

function isKnown(entry: readonly [number, string | null]): entry is readonly [number, string] {
  return entry[1] !== null
}

/** The page on which the names with each first letter begin. Other characters than letters are one group. */
function lettersOf(initials: readonly string[]): ReadonlyMap<string, number> {
  const letters = new Map<string, number>()
  for (const [at, initial] of initials.entries()) {
    const letter = /^\p{L}/u.test(initial) ? initial.toUpperCase() : '#'
    if (!letters.has(letter)) letters.set(letter, Math.floor(at / PAGE_SIZE) + 1)
  }
  return letters
}

interface Search {
  readonly state: ListState
  readonly fields: readonly CustomField[]
}

interface Outcome {
  readonly found: FoundPeople
  /** What is wrong with the value of the filter by a custom field. */
  readonly error?: string | undefined
  readonly problem?: string
}

/** No one, and why, when a custom field does not take the value; by words, and why, when a search by meaning fails. */
async function findUnlessInvalid(
  { embedder }: ListDeps,
  { db, browser, now, signal }: Pick<PageRequest, 'db' | 'browser' | 'now' | 'signal'>,
  { state, fields }: Search,
): Promise<Outcome> {
  const { today, timeZone } = timesOf(browser, now)
  const query = peopleQueryOf(state, { fields, today, now })
  const find = (mode: typeof query.mode) =>
    findListed(db, { ...query, mode }, { embedder, now, timeZone, signal })
  try {
    return { found: await find(query.mode) }
  } catch (error) {
    if (query.mode === 'semantic' && (hasCode(error, 'conflict') || hasCode(error, 'unavailable')))
      return {
        found: await find('auto'),
        problem: t('{message} These results match words.', { message: t(error.message) }),
      }
    const detail = error instanceof RequestError ? error.details.errors?.[0] : undefined
    if (detail?.pointer !== '/custom') throw error
    return { found: NO_ONE, error: detail.detail }
  }
}

const NO_ONE: FoundPeople = {
  ids: [],
  total: 0,
  complete: 0,
  initials: [],
  answer: undefined,
  hits: new Map(),
  version: 0,
}
