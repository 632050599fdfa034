/** `/user/search`: people, pages and actions by what is typed. The command palette of the scripts shows the same. */

import { phrase, t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { listViews } from '../../connections/people/saved-views.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { suggestionDetail } from './suggestion-detail.ts'
import { MAX_DOCS_QUERY_LENGTH } from '../../discovery/docs/docs-search.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { pageRoute, type PageRequest } from '../../forms/page-route.ts'
import { sidebarPages } from '../../html/sidebar.ts'
import {
  ACCOUNT_PATH,
  connectionPath,
  CONNECTIONS_PATH,
  CUSTOM_FIELDS_PATH,
  TAG_CADENCES_PATH,
  DOCS_PATH,
  DUPLICATES_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  INTRODUCTIONS_PATH,
  LOG_PATH,
  logContactPath,
  NEW_CONNECTION_PATH,
  NOTIFICATIONS_PATH,
  SEARCH_PATH,
  SHARE_PATH,
} from '../../html/site-map.ts'
import { face } from '../../html/face.ts'
import { timesOf } from '../../ui/time.ts'
import { listReconnects } from '../../connections/cadence/reconnects.ts'
import { findListed, readListed } from '../../connections/people/find-people.ts'
import type { PeopleFilters, PeopleSort } from '../../connections/people/people-query.ts'
import { countBy } from '../../connections/overview/network-summary.ts'
import { listTags } from '../../connections/tags/tags.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { findLive } from '../person/find-live.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import type { MemberDatabase } from '../../db/database.ts'
import { searchPage, type SearchLink } from './search.page.ts'
import { recentPeople } from '../person/recent-people.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { Route } from '../../http/route.ts'

/** As many as fit into the palette without scrolling. */
const MAX_PEOPLE = 8

const Typed = Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })) })

export function searchRoute(deps: PersonDeps): Route {
  return pageRoute(deps, {
    path: SEARCH_PATH,
    async handle(request) {
      const { search, db, browser } = request
      const sent = new URLSearchParams(search)
      const isLogging = sent.get('then') === 'log'
      const { q = '' } = readTyped(Typed, { q: (sent.get('q') ?? '').trim() })
      const count = Number(sent.get('selected'))
      const selected = isLogging || !Number.isSafeInteger(count) ? 0 : count
      const person =
        isLogging || selected > 0 ? undefined : await findLive(db, sent.get('person') ?? '')
      const recent = q === '' ? await recentPeople(deps.publicUrl, request) : []
      const [people, weaker] =
        q === ''
          ? [{ title: t('Recent people'), links: recent.map((one) => personLink(one, isLogging)) }]
          : await peopleGroups(db, q, isLogging)
      const others = isLogging ? [] : await otherGroups({ db, browser, q })
      const commands = isLogging ? [] : await commandsFor(db, q)
      const subject: readonly Group[] = [
        { title: t('Actions'), links: commands },
        ...(person
          ? [{ title: person.name, links: matching(actionsFor(person.connectionId), q) }]
          : []),
        ...(selected > 0
          ? [{ title: selectedText(selected), links: matching(actionsForSelected(selected), q) }]
          : []),
      ]
      const [due, ...lately] =
        isLogging && q === '' ? await peopleToLog(request, recent.length) : []
      const last = weaker && commands.length === 0 ? [weaker] : []
      const groups = [...subject, ...(due ? [due] : []), people, ...lately, ...others, ...last]
      return searchPage({
        browser,
        query: q,
        isLogging,
        docs: isLogging ? [] : docsFor(q),
        selected,
        person,
        groups: withoutRepeated(groups, person !== undefined || selected > 0),
      })
    },
  })
}

type Group = Parameters<typeof searchPage>[0]['groups'][number]

/** Each page once, and no action that is above for the person or the selection. */
function withoutRepeated(groups: readonly Group[], hasSubject: boolean): readonly Group[] {
  const known = new Set(hasSubject ? [LOG_PATH] : [])
  return groups.map(({ title, links }) => ({
    title,
    links: links.filter(({ path }) => {
      const isNew = !known.has(path)
      known.add(path)
      return isNew
    }),
  }))
}

type Named = Parameters<typeof suggestionDetail>[0] & {
  readonly connectionId: number
  readonly photo?: string | null | undefined
  readonly details?: { readonly photo?: string | undefined }
}

function personLink(person: Named, isLogging: boolean, typed = ''): SearchLink {
  const { name, connectionId, details, photo } = person
  return {
    label: name,
    face: face({ name, photo: details ? details.photo : photo }),
    detail: suggestionDetail(person, typed),
    path: (isLogging ? logContactPath : connectionPath)(publicConnectionId(connectionId)),
  }
}

/** Those who match, and those who match less. */
async function peopleGroups(
  db: MemberDatabase,
  q: string,
  isLogging: boolean,
): Promise<readonly [Group, ...Group[]]> {
  const found = await suggestConnections(db, q, MAX_PEOPLE)
  const weaker = found.filter((one) => 'isWeaker' in one)
  const people = found.filter((one) => !weaker.includes(one))
  const all = found.length === 0 || isLogging ? [] : [allResults(q)]
  const linkOf = (one: (typeof found)[number]) => personLink(one, isLogging, q)
  if (weaker.length === 0) return [{ title: t('People'), links: [...people.map(linkOf), ...all] }]
  return [
    { title: t('People'), links: people.map(linkOf) },
    { title: t('Weaker matches'), links: [...weaker.map(linkOf), ...all] },
  ]
}

/** The people that the member may have talked to: those who are due, then those contacted last, or else added last. */
async function peopleToLog({ db, browser, now }: PageRequest, recent: number): Promise<Group[]> {
  const { today } = timesOf(browser, now)
  const listed = async (title: string, sort: PeopleSort, filters: PeopleFilters) => {
    const asked = { query: '', mode: 'keyword', sort, isReversed: false, filters } as const
    const found = await findListed(db, asked, undefined)
    const { rows } = await readListed(db, found, found.ids.slice(0, MAX_PEOPLE))
    return { title, links: rows.map(({ listed: one }) => personLink(one, true)) }
  }
  const reconnects = await listReconnects(db, today, MAX_PEOPLE)
  const due = {
    title: t('Due'),
    links: reconnects.map(({ connection }) => personLink(connection, true)),
  }
  if (due.links.length + recent >= MAX_PEOPLE) return [due]
  const last = await listed(t('Contacted last'), 'contact', { contacted: 'ever' })
  if (due.links.length + last.links.length + recent >= MAX_PEOPLE / 2) return [due, last]
  return [due, last, await listed(t('Added last'), 'added', {})]
}

/** People that an action is for: `log mia`. */
const MAX_COMMANDED = 3

async function commandsFor(db: MemberDatabase, q: string): Promise<readonly SearchLink[]> {
  const [, verb = '', name = ''] = /^(\S{2,})\s+(\S.*)$/.exec(q) ?? []
  const at = verb === '' ? -1 : actionsFor(0).findIndex((one) => matching([one], verb).length > 0)
  if (at < 0) return []
  const words = wordsOf(name)
  const isNamed = (one: Named) =>
    words.every((begun) => wordsOf(one.name).some((word) => word.startsWith(begun)))
  const people = (await suggestConnections(db, name, MAX_COMMANDED)).filter(isNamed)
  return people.flatMap((one) => {
    const action = actionsFor(one.connectionId)[at]
    if (!action) return []
    const label = `${t(action.label)}: ${one.name}`
    return { label, face: face(one), detail: suggestionDetail(one, ''), path: action.path }
  })
}

function allResults(q: string): SearchLink {
  const label = t('All results for “{q}”', { q })
  return { label, path: listPath({ q }), icon: 'search', isEcho: true }
}

/** What can be done with the person whose page or row the palette was opened from. */
function actionsFor(connectionId: number): readonly SearchLink[] {
  const id = publicConnectionId(connectionId)
  const path = connectionPath(id)
  return [
    {
      label: phrase('Log contact'),
      key: 'c',
      also: phrase('call met meeting message talked'),
      path: logContactPath(id),
      icon: 'edit',
    },
    {
      label: phrase('Write a note'),
      key: 'n',
      also: phrase('remember comment'),
      path: `${path}#write`,
      icon: 'note',
    },
    {
      label: phrase('Plan a follow-up'),
      also: phrase('remind reminder task to-do'),
      path: `${path}?edit=follow-up#plan`,
      icon: 'bell',
    },
    {
      label: phrase('Add a tag'),
      key: 't',
      also: phrase('label group'),
      path: `${path}#tags`,
      icon: 'tag',
    },
    {
      label: phrase('Set the cadence'),
      also: phrase('rhythm keep in touch frequency'),
      path: `${path}#cadence-panel`,
      icon: 'later',
    },
    {
      label: phrase('Edit the person'),
      key: 'e',
      also: phrase('change rename photo email phone'),
      path: connectionPath(id, 'edit'),
      icon: 'edit',
    },
    {
      label: phrase('Find duplicates'),
      also: phrase('merge same twice'),
      path: DUPLICATES_PATH,
      icon: 'tidy',
    },
  ]
}

interface OtherGroups extends Pick<PageRequest, 'db' | 'browser'> {
  readonly q: string
}

/** Places, actions, pages and the parts of the account. */
async function otherGroups({ db, browser, q }: OtherGroups): Promise<readonly Group[]> {
  const views = (await listViews(db)).map(({ name, query }) => ({
    label: t(name),
    path: `${CONNECTIONS_PATH}?${query}`,
    icon: 'view' as const,
  }))
  const entries = sidebarPages(browser.member).map(asLink)
  const pages = [...(q === '' ? entries.slice(0, MAX_PAGES) : entries), ...views]
  return [
    { title: t('Go to'), links: q === '' ? [] : await placesFor(db, q) },
    { title: t('Actions'), links: matching(q === '' ? ACTIONS.slice(0, MAX_FIRST) : ACTIONS, q) },
    { title: t('Pages'), links: matching(pages, q) },
    { title: t('Account'), links: q === '' ? [] : matching(SETTINGS, q) },
  ]
}

function asLink(page: ReturnType<typeof sidebarPages>[number]): SearchLink {
  return page.name === 'account' ? { ...page, also: phrase('settings preferences options') } : page
}

function selectedText(count: number): string {
  return t('{count, plural, one {# selected person} other {# selected people}}', { count })
}

/** What can be done with the selection of the list. The links are parts of its bar, which scripts open. */
function actionsForSelected(count: number): readonly SearchLink[] {
  const merge: SearchLink = {
    label: phrase('Merge'),
    also: phrase('merge same twice'),
    path: '#bulk-merge',
    icon: 'tidy',
  }
  return [
    {
      label: phrase('Log contact'),
      also: phrase('call met meeting message talked'),
      path: '#bulk-log',
      icon: 'edit',
    },
    {
      label: phrase('Plan a follow-up'),
      also: phrase('remind reminder task to-do'),
      path: '#bulk-plan',
      icon: 'bell',
    },
    {
      label: phrase('Add a tag'),
      also: phrase('label group'),
      path: '#bulk-tagging',
      icon: 'tag',
    },
    {
      label: phrase('Set the cadence'),
      also: phrase('rhythm keep in touch frequency'),
      path: '#bulk-cadence',
      icon: 'later',
    },
    ...(count === 2 ? [merge] : []),
  ]
}

/** Tags, companies and places with a word that begins with each word that was typed. */
async function placesFor(db: MemberDatabase, q: string): Promise<readonly SearchLink[]> {
  const network = await readNetworkState(db)
  const [{ entries: tags }, companies, places] = await Promise.all([
    listTags(db, { limit: MAX_READ, network }),
    countBy(db, network, 'company'),
    countBy(db, network, 'location'),
  ])
  const found = (links: readonly SearchLink[]) => matchingAsTheyAre(links, q).slice(0, MAX_PLACES)
  return [
    ...found(
      tags.map(({ tag, count }) => ({
        label: tag,
        detail: peopleText(count),
        path: listPath({ tag }),
        icon: 'tag' as const,
      })),
    ),
    ...found(
      companies.counts.slice(0, MAX_READ).map(({ value, count }) => ({
        label: value,
        detail: peopleText(count),
        path: listPath({ company: value }),
        icon: 'work' as const,
      })),
    ),
    ...found(
      places.counts.slice(0, MAX_READ).map(({ value, count }) => ({
        label: value,
        detail: peopleText(count),
        path: listPath({ place: value }),
        icon: 'pin' as const,
      })),
    ),
  ]
}

/** The search of the docs, which takes shorter texts. */
function docsFor(q: string): readonly SearchLink[] {
  if (q === '' || q.length > MAX_DOCS_QUERY_LENGTH) return []
  const path = `${DOCS_PATH}?${new URLSearchParams({ q }).toString()}`
  return [{ label: t('Docs about “{q}”', { q }), path, icon: 'help', isEcho: true }]
}

function peopleText(count: number): string {
  return t('{count, plural, one {# person} other {# people}}', { count })
}

/** Tags, companies and places that are compared, the most frequent first, and how many of each are shown. */
const [MAX_READ, MAX_PLACES] = [500, 4]

/** Actions and pages that are offered before anything is typed. */
const [MAX_FIRST, MAX_PAGES] = [4, 6]

const ACTIONS: readonly SearchLink[] = [
  {
    label: phrase('Log contact'),
    also: phrase('call met meeting message talked'),
    path: LOG_PATH,
    icon: 'edit',
  },
  { label: phrase('Add person'), path: NEW_CONNECTION_PATH, icon: 'plus' },
  { label: phrase('Import contacts'), path: IMPORT_PATH, icon: 'import' },
  { label: phrase('Connect an agent'), path: INTEGRATIONS_PATH, icon: 'agents' },
  {
    label: phrase('Get reminders'),
    also: phrase('notifications email push calendar feed'),
    path: NOTIFICATIONS_PATH,
    icon: 'bell',
  },
  {
    label: phrase('Find introductions'),
    also: phrase('who knows path intro'),
    path: INTRODUCTIONS_PATH,
    icon: 'network',
  },
  {
    label: phrase('Add a passkey'),
    also: phrase('sign in password security'),
    path: `${ACCOUNT_PATH}#passkeys`,
    icon: 'settings',
  },
  { label: phrase('Edit custom fields'), path: CUSTOM_FIELDS_PATH, icon: 'list' },
  {
    label: phrase('Cadences of tags'),
    also: phrase('rhythm keep in touch reminder'),
    path: TAG_CADENCES_PATH,
    icon: 'later',
  },
  { label: phrase('Export your data'), path: `${ACCOUNT_PATH}#export`, icon: 'arrow-down' },
  {
    label: phrase('Save from other pages and apps'),
    also: phrase('share bookmark shortcut'),
    path: SHARE_PATH,
    icon: 'link',
  },
  {
    label: phrase('Turn keyboard shortcuts on or off'),
    path: `${ACCOUNT_PATH}#keys-heading`,
    icon: 'settings',
  },
]

/** The parts of the account, which are found by what is typed. */
const SETTINGS: readonly SearchLink[] = [
  { label: phrase('Email'), path: `${ACCOUNT_PATH}#email-heading`, icon: 'settings' },
  { label: phrase('Password'), path: `${ACCOUNT_PATH}#password-heading`, icon: 'settings' },
  {
    label: phrase('Appearance'),
    also: phrase('theme dark light mode colors'),
    path: `${ACCOUNT_PATH}#appearance`,
    icon: 'settings',
  },
  { label: phrase('Language'), path: `${ACCOUNT_PATH}#language-heading`, icon: 'settings' },
  {
    label: phrase('Where you are signed in'),
    also: phrase('sessions devices sign out'),
    path: `${ACCOUNT_PATH}#sessions`,
    icon: 'settings',
  },
  { label: phrase('Delete account'), path: `${ACCOUNT_PATH}#delete`, icon: 'settings' },
]

/** The links in the language of the page that fit what was typed. Their words in English find them too. */
function matching(links: readonly SearchLink[], query: string): readonly SearchLink[] {
  const shown = links.map((link) => {
    const also = link.also === undefined ? '' : `${t(link.also)} ${link.also}`
    return { ...link, label: t(link.label), also: `${also} ${link.label}` }
  })
  return matchingAsTheyAre(shown, query)
}

/** Each word that was typed begins a word of the link. */
function matchingAsTheyAre(links: readonly SearchLink[], query: string): readonly SearchLink[] {
  const typed = wordsOf(query)
  return links.filter(({ label, also = '' }) => {
    const words = wordsOf(`${label} ${also}`)
    return typed.every((begun) => words.some((word) => word.startsWith(begun)))
  })
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s&]+/)
    .filter((word) => word !== '')
}
