/**
 * `/user/palette`: people, pages and actions by what is typed, for the command palette. Without scripts, `/user/search` leads
 * to the list of people, or asks for the person of an action.
 */

import { countOf } from '../../ui/numbers.ts'
import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { listViews } from '../../connections/people/saved-views.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-lengths.ts'
import { MAX_DOCS_QUERY_LENGTH } from '../../discovery/docs/docs-search.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { pageRoute, type PageRequest } from '../../forms/page-route.ts'
import {
  CONNECTIONS_PATH,
  DOCS_PATH,
  PALETTE_PATH,
  SEARCH_PATH,
  thenPath,
} from '../../html/site-map.ts'
import { timesOf } from '../../ui/time.ts'
import { countBy } from '../../connections/overview/network-summary.ts'
import { listTags } from '../../connections/tags/tags.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { findLive } from '../person/find-live.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import type { MemberDatabase } from '../../db/database.ts'
import { isCommand, matching, matchingAsTheyAre } from './matching-links.ts'
import {
  ACTIONS,
  actionsFor,
  actionsForSelected,
  newPersonLinks,
  personAction,
  type PersonAction,
  undoLinks,
} from './palette-actions.ts'
import { pageLinks, SETTING_PAGES } from './palette-pages.ts'
import {
  allResults,
  closenessOf,
  likelyPeople,
  peopleGroups,
  suggestionLink,
} from './people-groups.ts'
import { commandsFor } from './person-commands.ts'
import { sentenceLinks } from './sentence-links.ts'
import { askPage, paletteAnswer, type PaletteLink, type PaletteView } from './palette.page.ts'
import { recentPeople } from '../person/recent-people.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { ListDeps } from '../connections/list.route.ts'
import { seeOther } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'

const Typed = Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })) })

export function paletteRoutes(deps: ListDeps): Route[] {
  return [
    pageRoute(deps, {
      path: SEARCH_PATH,
      async handle(request) {
        const sent = new URLSearchParams(request.search)
        const action = personAction(sent.get('then') ?? '')
        if (!action) return seeOther(listPath({ q: sent.get('q') ?? '' }))
        return askPage({ ...(await askedView(deps, request)), action })
      },
    }),
    pageRoute(deps, {
      path: PALETTE_PATH,
      handle: async (request) => paletteAnswer(await askedView(deps, request)),
    }),
  ]
}

async function askedView(deps: ListDeps, request: PageRequest): Promise<PaletteView> {
  const { search, db, browser } = request
  const sent = new URLSearchParams(search)
  const action = personAction(sent.get('then') ?? '')
  const { q = '' } = readTyped(Typed, { q: (sent.get('q') ?? '').trim() })
  const count = Number(sent.get('selected'))
  const selected = action || !Number.isSafeInteger(count) ? 0 : count
  const person = action || selected > 0 ? undefined : await findLive(db, sent.get('person') ?? '')
  const subject = subjectGroups({ person, selected, q })
  const isTold = subject.some(({ links }) => links.length > 0)
  const places = action
    ? await groupsToAsk(deps, request, { action, q })
    : await groupsOf(deps, request, { q, person, isTold })
  // A sentence that is understood is no question to the docs.
  const isRead = [...subject, ...places].flatMap(({ links }) => links)[0]?.isEcho === true
  return {
    browser,
    query: q,
    action,
    docs: action || isRead ? [] : docsFor(q),
    selected,
    person,
    groups: withoutRepeated([...subject, ...places], person !== undefined || selected > 0),
  }
}

type Group = PaletteView['groups'][number]

interface Subject {
  readonly person: Connection | undefined
  /** How many people of the list are selected. */
  readonly selected: number
  readonly q: string
}

/** What can be done with the person or the selection that the palette was opened for. */
function subjectGroups({ person, selected, q }: Subject): readonly Group[] {
  if (person) return [{ title: person.name, links: actionsFor(person, q) }]
  return selected > 0
    ? [{ title: selectedText(selected), links: actionsForSelected(selected, q) }]
    : []
}

interface Ask {
  readonly action: PersonAction
  readonly q: string
}

/** The people that an action can be for. */
async function groupsToAsk(
  deps: ListDeps,
  request: PageRequest,
  { action, q }: Ask,
): Promise<readonly Group[]> {
  if (q !== '') return peopleGroups(deps, request, { action, q })
  const recent = await recentPeople(deps.publicUrl, request)
  const people = {
    title: t('Recent people'),
    links: recent.map((one) => suggestionLink(one, action)),
  }
  const [due, ...lately] = await likelyPeople(request, action, recent.length)
  return [...(due ? [due] : []), people, ...lately]
}

interface Typing extends Omit<Subject, 'selected'> {
  /** Whether it is an action for the person or the selection. */
  readonly isTold: boolean
}

/** People, actions and pages. What was typed as a command comes first, without people who hardly match. */
async function groupsOf(
  deps: ListDeps,
  request: PageRequest,
  { q, person, isTold }: Typing,
): Promise<readonly Group[]> {
  const { db, browser, now } = request
  const others = await otherGroups({ db, browser, q })
  if (q === '') {
    const recent = await recentPeople(deps.publicUrl, request)
    const opened = recent.filter((one) => one.connectionId !== person?.connectionId)
    return [
      { title: t('Recent people'), links: opened.map((one) => suggestionLink(one)) },
      ...others,
    ]
  }
  const actions = [...(await undoLinks(db, deps, q)), ...matching(ACTIONS, q)]
  const near = closenessOf(deps.publicUrl, request)
  const sentence = await sentenceLinks(db, q, timesOf(browser, now), { subject: person, near })
  const pages = others.slice(1).flatMap(({ links }) => links)
  const commands = [
    ...(sentence.asksForList ? [allResults(q)] : []),
    ...[...actions, ...pages].filter((one) => isCommand(one, q)),
    ...(sentence.links.length > 0 ? sentence.links : await commandsFor(db, q, near)),
  ]
  const rest = actions.filter((one) => !commands.includes(one))
  // Who a sentence names stands in what it does.
  if (sentence.links.length > 0)
    return [{ title: t('Actions'), links: [...commands, ...rest, allResults(q)] }, ...others]
  const further = [...newPersonLinks(q), ...sentence.further, ...rest]
  const [people, weaker] = await peopleGroups(deps, request, { q })
  const groups =
    people.links.length === 0
      ? [{ title: t('Actions'), links: [...commands, ...further] }]
      : [{ title: t('Actions'), links: commands }, people, { title: t('Actions'), links: further }]
  const isAct = isTold || commands.length + further.length + pages.length > 0
  return [...groups, ...others, ...(weaker && !isAct ? [weaker] : [])]
}

/** Each link once, and no action that asks for a person if there is one or a selection. */
function withoutRepeated(groups: readonly Group[], hasSubject: boolean): readonly Group[] {
  const known = new Set<string>()
  return groups.map(({ title, links }) => ({
    title,
    links: links.filter(({ path, fields }) => {
      const place = path + JSON.stringify(fields)
      const isNew = !known.has(place) && !(hasSubject && path.startsWith(thenPath('')))
      known.add(place)
      return isNew
    }),
  }))
}

interface OtherGroups extends Pick<PageRequest, 'db' | 'browser'> {
  readonly q: string
}

/** Places, pages and the parts of the account, and the first actions if nothing is typed. */
async function otherGroups({ db, browser, q }: OtherGroups): Promise<readonly Group[]> {
  const views = (await listViews(db)).map(({ name, query }) => ({
    label: t(name),
    path: `${CONNECTIONS_PATH}?${query}`,
    icon: 'view' as const,
  }))
  const entries = pageLinks(browser.member)
  const pages = [...(q === '' ? entries.slice(0, MAX_PAGES) : entries), ...views]
  return [
    { title: t('Go to'), links: q === '' ? [] : await placesFor(db, q) },
    { title: t('Actions'), links: q === '' ? matching(ACTIONS.slice(0, MAX_FIRST), q) : [] },
    { title: t('Pages'), links: matching(pages, q) },
    { title: t('Settings'), links: q === '' ? [] : matching(SETTING_PAGES, q) },
  ]
}

function selectedText(count: number): string {
  return t('{count, plural, one {# selected person} other {# selected people}}', { count })
}

/** Tags, companies and places with a word that begins with each word that was typed. */
async function placesFor(db: MemberDatabase, q: string): Promise<readonly PaletteLink[]> {
  const network = await readNetworkState(db)
  const [{ entries: tags }, companies, places] = await Promise.all([
    listTags(db, { limit: MAX_READ, network }),
    countBy(db, network, 'company'),
    countBy(db, network, 'location'),
  ])
  const found = (links: readonly PaletteLink[]) => matchingAsTheyAre(links, q).slice(0, MAX_PLACES)
  return [
    ...found(
      tags.map(({ tag, count }) => ({
        label: tag,
        detail: countOf(count, 'person'),
        path: listPath({ tag }),
        icon: 'tag' as const,
      })),
    ),
    ...found(
      companies.counts.slice(0, MAX_READ).map(({ value, count }) => ({
        label: value,
        detail: countOf(count, 'person'),
        path: listPath({ company: value }),
        icon: 'work' as const,
      })),
    ),
    ...found(
      places.counts.slice(0, MAX_READ).map(({ value, count }) => ({
        label: value,
        detail: countOf(count, 'person'),
        path: listPath({ place: value }),
        icon: 'pin' as const,
      })),
    ),
  ]
}

/** The search of the docs, which takes shorter texts. */
function docsFor(q: string): readonly PaletteLink[] {
  if (q === '' || q.length > MAX_DOCS_QUERY_LENGTH) return []
  const path = `${DOCS_PATH}?${new URLSearchParams({ q }).toString()}`
  return [{ label: t('Docs about “{q}”', { q }), path, icon: 'help', isEcho: true }]
}

/** Tags, companies and places that are compared, the most frequent first, and how many of each are shown. */
const [MAX_READ, MAX_PLACES] = [500, 4]

/** Actions and pages that are offered before anything is typed. */
const [MAX_FIRST, MAX_PAGES] = [4, 6]
