/** The people that the palette offers: matches of the typed text, and people for an action. */

import { countOf } from '../../ui/numbers.ts'
import { t } from '../../languages/message.ts'
import { tokenize } from '../../base/tokenize.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { closestFirst, type Closeness } from '../../connections/editing/closest-first.ts'
import { listReconnects } from '../../connections/cadence/reconnects.ts'
import { birthdaysOf, findListed, readListed } from '../../connections/people/find-people.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { isCompleteMatch, type SearchMatch } from '../../connections/search/show.ts'
import { guessedText } from '../../connections/search/weaker-match.ts'
import { dateText } from '../../dates/format-date.ts'
import { face } from '../../html/face.ts'
import { connectionPath } from '../../html/site-map.ts'
import { timesOf } from '../../ui/time.ts'
import { openedIds } from '../person/recent-people.ts'
import { namesakeDetails } from '../../connections/people/namesake-details.ts'
import { suggestionDetail } from './suggestion-detail.ts'
import type {
  PeopleFilters,
  PeopleQuery,
  PeopleSort,
} from '../../connections/people/people-query.ts'
import type { PageRow } from '../../connections/search/index/page-rows.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { ListDeps } from '../connections/list.route.ts'
import type { PersonAction } from './palette-actions.ts'
import type { PaletteLink, PaletteView } from './palette.page.ts'

type Group = PaletteView['groups'][number]

/** People who fit into the palette without scrolling, and those who are compared by how close they are. */
const [MAX_PEOPLE, MAX_COMPARED] = [8, 30]

type Named = Parameters<typeof suggestionDetail>[0] & {
  readonly connectionId: number
  readonly photo?: string | null | undefined
  readonly details?: { readonly photo?: string | undefined }
}

export function suggestionLink(person: Named, action?: PersonAction, typed = ''): PaletteLink {
  const { name, connectionId, details, photo } = person
  return {
    label: name,
    face: face({ name, photo: details ? details.photo : photo }),
    detail: suggestionDetail(person, typed),
    path: (action?.path ?? connectionPath)(publicConnectionId(connectionId)),
  }
}

/** Those who match, and those who match less, as the list of people finds them. Of people with a name, the closest come first. */
export async function peopleGroups(
  { embedder, publicUrl }: ListDeps,
  request: PageRequest,
  { action, q }: { readonly action?: PersonAction; readonly q: string },
): Promise<readonly [Group, ...Group[]]> {
  const { db, browser, now, signal } = request
  const { timeZone } = timesOf(browser, now)
  // A remote model is not asked for each word that is begun.
  const mode = embedder.model.isLocal ? 'auto' : 'keyword'
  const query = { ...asked(q), mode } as const
  const found = await findListed(db, query, { embedder, now, timeZone, signal })
  const { rows, matches } = await readListed(db, found, found.ids.slice(0, MAX_COMPARED))
  const people = rows.map((row, at) => ({ row, match: matches[at] }))
  const complete = people.filter(({ match }) => isCompleteMatch(match))
  const closest = await namedFirst(db, complete, { q, near: closenessOf(publicUrl, request) })
  const weaker = people.filter(({ match }) => !isCompleteMatch(match))
  const isByDay = birthdaysOf(found.answer) !== undefined
  const details = namesakeDetails(rows.map(({ listed }) => listed))
  const telling = new Map(rows.map(({ listed }, at) => [listed.connectionId, details[at]]))
  const linkOf = ({ row: { listed, tags, birthday }, match }: FoundPerson): PaletteLink => {
    const guessed = match?.weaker && guessedText(match.weaker)
    const reasons = { weaker: guessed, tags: tags.map(({ tag }) => tag), snippet: match?.snippet }
    const link = suggestionLink({ ...listed, ...reasons }, action, q)
    const [day] = isByDay ? (/-\d\d-\d\d$/.exec(birthday ?? '') ?? []) : []
    if (day !== undefined) return { ...link, detail: dateText(`-${day}`) }
    const more = telling.get(listed.connectionId) ?? ''
    const isMore = more !== '' && more.startsWith(String(link.detail ?? ''))
    return isMore ? { ...link, detail: more } : link
  }
  const links = closest.slice(0, MAX_PEOPLE).map(linkOf)
  const others = weaker.slice(0, MAX_PEOPLE - links.length).map(linkOf)
  const all = people.length === 0 || action ? [] : [allResults(q, found.total)]
  if (others.length === 0) return [{ title: t('People'), links: [...links, ...all] }]
  return [
    { title: t('People'), links },
    { title: t('Weaker matches'), links: [...others, ...all] },
  ]
}

interface FoundPerson {
  readonly row: PageRow
  readonly match: SearchMatch | undefined
}

/** People with the most of the words in their name first, and the closest first among them. Others keep their order. */
async function namedFirst(
  db: MemberDatabase,
  people: readonly FoundPerson[],
  { q, near }: { readonly q: string; readonly near: Closeness },
): Promise<readonly FoundPerson[]> {
  const typed = tokenize(q)
  // A whole word counts more than the beginning of one.
  const shareOf = ({ row }: FoundPerson) => {
    const words = tokenize(row.listed.name)
    const has = (begun: string) => words.some((word) => word.startsWith(begun))
    return typed.filter(has).length + typed.filter((word) => words.includes(word)).length
  }
  const groups = [...Map.groupBy(people, shareOf)].toSorted(([one], [other]) => other - one)
  const sorted = await Promise.all(
    groups.map(async ([share, some]) => {
      if (share === 0) return some
      const byPerson = new Map(some.map((one) => [one.row.listed, one]))
      const closest = await closestFirst(db, [...byPerson.keys()], near)
      return closest.flatMap((one) => byPerson.get(one) ?? [])
    }),
  )
  return sorted.flat()
}

/** What tells who of several people with one name is meant. */
export function closenessOf(publicUrl: string, request: PageRequest): Closeness {
  const { today } = timesOf(request.browser, request.now)
  return { today, opened: openedIds(publicUrl, request) }
}

/** What the list of people is asked for. */
function asked(
  query: string,
  sort: PeopleSort = 'relevance',
  filters: PeopleFilters = {},
): PeopleQuery {
  return { query, mode: 'auto', sort, isReversed: false, filters }
}

/** The people that an action may be for: those who are due, then those contacted last, or else added last. */
export async function likelyPeople(
  { db, browser, now }: PageRequest,
  action: PersonAction,
  recent: number,
): Promise<Group[]> {
  const { today } = timesOf(browser, now)
  const listed = async (title: string, sort: PeopleSort, filters: PeopleFilters) => {
    const found = await findListed(db, asked('', sort, filters), undefined)
    const { rows } = await readListed(db, found, found.ids.slice(0, MAX_PEOPLE))
    return { title, links: rows.map(({ listed: one }) => suggestionLink(one, action)) }
  }
  const reconnects = await listReconnects(db, today, MAX_PEOPLE)
  const due = {
    title: t('Due'),
    links: reconnects.map(({ connection }) => suggestionLink(connection, action)),
  }
  if (due.links.length + recent >= MAX_PEOPLE) return [due]
  const last = await listed(t('Contacted last'), 'contact', { contacted: 'ever' })
  if (due.links.length + last.links.length + recent >= MAX_PEOPLE / 2) return [due, last]
  return [due, last, await listed(t('Added last'), 'added', {})]
}

/** Leads to the list of the people that are found. */
export function allResults(q: string, total = 0): PaletteLink {
  const label = t('All results for “{q}”', { q })
  const detail = total > MAX_PEOPLE ? countOf(total, 'person') : ''
  return { label, detail, path: listPath({ q }), icon: 'search', isEcho: true }
}
