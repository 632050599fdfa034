/**
 * The navigation of member pages: a sidebar with six entries, the saved views and the member's menu. On phones, it is a sheet
 * above a bar at the bottom.
 */

import { phrase, t } from '../languages/message.ts'
import { currentLocale } from '../languages/language.ts'
import { faceAt } from './face.ts'
import { brand, icon, type IconName } from './icon.ts'
import { NOTHING, attributes, html, type Html } from './html.ts'
import {
  ACCOUNT_PATH,
  ACTIVITY_PATH,
  ADMIN_PATH,
  CALENDAR_PATH,
  CONNECTIONS_PATH,
  CREDITS_PATH,
  DELETED_CONNECTIONS_PATH,
  CONTACT_DEVICES_PATH,
  DIRECTORY_PATH,
  DOCS_PATH,
  DUPLICATES_PATH,
  ADD_TO_DO_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  JOBS_PATH,
  LOG_PATH,
  NETWORK_PATH,
  NEW_CONNECTION_PATH,
  NOTIFICATIONS_PATH,
  ownPhotoPath,
  PROFILE_PATH,
  SEARCH_PATH,
  SIGN_OUT_PATH,
  USER_PATH,
} from './site-map.ts'
import type { SignedInRequest } from '../http/browser-request.ts'

/** What the sidebar says beside its links. */
export interface Sidebar {
  readonly connections: number
  /** Follow-ups and people to contact, as on the page *Today*. */
  readonly due: number
  /** Groups of possible duplicates; undefined until they are known. */
  readonly duplicates?: number | undefined
  readonly views: readonly SidebarView[]
}

interface SidebarView {
  readonly viewId: number
  readonly name: string
  readonly path: string
  /** How many people it finds; undefined until they are counted. */
  readonly count: number | undefined
}

export const NO_SIDEBAR: Sidebar = { connections: 0, due: 0, views: [] }

const ENTRIES = [
  {
    name: 'home',
    label: phrase('Today'),
    path: USER_PATH,
    icon: 'today',
    count: 'due',
  },
  {
    name: 'connections',
    label: phrase('People'),
    path: CONNECTIONS_PATH,
    icon: 'people',
    count: 'connections',
  },
  { name: 'network', label: phrase('Network'), path: NETWORK_PATH, icon: 'network' },
  {
    name: 'duplicates',
    label: phrase('Tidy up'),
    path: DUPLICATES_PATH,
    icon: 'tidy',
    count: 'duplicates',
  },
  { name: 'activity', label: phrase('Activity'), path: ACTIVITY_PATH, icon: 'activity' },
  { name: 'agents', label: phrase('Agents'), path: INTEGRATIONS_PATH, icon: 'agents' },
] as const satisfies readonly Entry[]

/** Behind the member's name, in groups: what is opened most often comes first. */
const MENU = [
  [
    { name: 'profile', label: phrase('Profile'), path: PROFILE_PATH, icon: 'account' },
    { name: 'import', label: phrase('Import'), path: IMPORT_PATH, icon: 'import' },
    { name: 'calendar', label: phrase('Calendar'), path: CALENDAR_PATH, icon: 'calendar' },
    { name: 'devices', label: phrase('Contacts apps'), path: CONTACT_DEVICES_PATH, icon: 'phone' },
    {
      name: 'notifications',
      label: phrase('Notifications'),
      path: NOTIFICATIONS_PATH,
      icon: 'bell',
    },
    { name: 'directory', label: phrase('Directory'), path: DIRECTORY_PATH, icon: 'globe' },
  ],
  [
    { name: 'account', label: phrase('Account'), path: ACCOUNT_PATH, icon: 'settings' },
    { name: 'credits', label: phrase('Credits'), path: CREDITS_PATH, icon: 'credits' },
    { name: 'jobs', label: phrase('Background jobs'), path: JOBS_PATH, icon: 'jobs' },
    { name: 'deleted', label: phrase('Deleted'), path: DELETED_CONNECTIONS_PATH, icon: 'trash' },
    { name: 'admin', label: phrase('Admin'), path: ADMIN_PATH, icon: 'admin', isForAdmins: true },
    { name: 'help', label: phrase('Help'), path: DOCS_PATH, icon: 'help' },
  ],
] as const satisfies readonly (readonly Entry[])[]

interface Entry {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly icon: IconName
  readonly count?: 'connections' | 'due' | 'duplicates'
  readonly isForAdmins?: true
}

export type PageName =
  | (typeof ENTRIES)[number]['name']
  | (typeof MENU)[number][number]['name']
  | 'search'

/** The pages of the sidebar. */
export function sidebarPages({ role }: Pick<Shown['browser']['member'], 'role'>): readonly Entry[] {
  return [...ENTRIES, ...MENU.flat()].filter((entry) => isShownTo(entry, role))
}

function isShownTo({ isForAdmins }: Entry, role: string): boolean {
  return isForAdmins !== true || role === 'admin'
}

interface Shown {
  readonly browser: Pick<SignedInRequest, 'member'>
  /** Undefined on a page that no entry leads to. */
  readonly current: PageName | undefined
}

/** A popover on small screens; on large ones the style sheet shows it permanently. */
export function sidebar(shown: Shown, counts: Sidebar): Html {
  return html`<nav id="menu" popover aria-label="Your pages">
    <div class="top">
      <a class="brand" href="${USER_PATH}">${brand()}</a>
      <button class="quiet" popovertarget="add-menu" aria-label="Add or log" title="Add or log">
        ${icon('plus')}
      </button>
    </div>
    <a class="open-search" href="${SEARCH_PATH}" aria-keyshortcuts="Control+K Meta+K"
      >${icon('search')} <span>Search or do</span> <kbd class="keys">Ctrl K</kbd></a
    >
    <ul class="entries">
      ${ENTRIES.map((entry) => entryItem(entry, shown, counts))}
    </ul>
    ${savedViews(counts.views)} ${memberMenu(shown)}
  </nav>`
}

function entryItem(entry: Entry, { current }: Pick<Shown, 'current'>, counts?: Sidebar): Html {
  const { name, label, path, icon: sign, count } = entry
  const isHere = name === current
  const number = count === undefined ? undefined : counts?.[count]
  const tone = count === 'due' ? 'due' : undefined
  const text = tone ? dueText(number ?? 0) : numberOf(number ?? 0)
  return html`<li>
    <a href="${path}" ${attributes({ 'aria-current': isHere ? 'page' : undefined })}
      >${icon(sign)} <span>${t(label)}</span>${
        number === undefined || number === 0
          ? NOTHING
          : html` <small ${attributes({ class: tone })}>${text}</small>`
      }</a
    >
  </li>`
}

/** A greater number is not counted, because that would delay each page. */
export const MAX_DUE_SHOWN = 99

function dueText(count: number): string {
  return count > MAX_DUE_SHOWN ? `${numberOf(MAX_DUE_SHOWN)}+` : numberOf(count)
}

function numberOf(count: number): string {
  return count.toLocaleString(currentLocale())
}

function savedViews(views: readonly SidebarView[]): Html {
  if (views.length === 0) return NOTHING
  const links = views.map(
    ({ viewId, name, path, count }) =>
      html`<li>
        <a href="${path}" ${attributes({ class: count === 0 && 'none' })}
          ><span class="dot hue-${(viewId - 1) % HUES}"></span>
          <bdi>${t(name)}</bdi
          >${(count ?? 0) === 0 ? NOTHING : html` <small>${numberOf(count ?? 0)}</small>`}</a
        >
      </li>`,
  )
  return html`<div class="views">
    <p class="title" id="views-title">Views</p>
    <ul aria-labelledby="views-title">
      ${links}
    </ul>
  </div>`
}

/** As many as the style sheet has. A view keeps its own, whatever is shown before it. */
const HUES = 6

/** The pages behind the member's name: a menu above it, and on phones a part of the sheet. */
function memberMenu({ browser, current }: Shown): Html {
  const { member } = browser
  const own = faceAt(member.name, member.photo == null ? undefined : ownPhotoPath(member.photo))
  const handle = html`<small>@${member.username}</small>`
  const groups: readonly (readonly Entry[])[] = MENU
  return html`<button class="self" popovertarget="self">
      ${own} <bdi>${member.name}</bdi> ${icon('up-down')}
    </button>
    <div id="self" popover>
      ${groups.map(
        (group) =>
          html`<ul>
            ${group
              .filter((entry) => isShownTo(entry, member.role))
              .map((entry) => entryItem(entry, { current }))}
          </ul>`,
      )}
      <form method="post" action="${SIGN_OUT_PATH}">
        <button class="quiet">${icon('sign-out')} <span>Sign out</span> ${handle}</button>
      </form>
    </div>`
}

const ADDING: readonly Omit<Entry, 'name'>[] = [
  { label: phrase('Log contact'), path: LOG_PATH, icon: 'edit' },
  { label: phrase('Add person'), path: NEW_CONNECTION_PATH, icon: 'account' },
  { label: phrase('Add follow-up'), path: ADD_TO_DO_PATH, icon: 'bell' },
  { label: phrase('Import contacts'), path: IMPORT_PATH, icon: 'import' },
]

/** What the plus offers, in the sidebar and in the bar of phones. */
export function addMenu(): Html {
  return html`<nav id="add-menu" popover aria-label="Add or log">
    <ul>
      ${ADDING.map(
        ({ label, path, icon: sign }) =>
          html`<li>
            <a href="${path}">${icon(sign)} <span>${t(label)}</span></a>
          </li>`,
      )}
    </ul>
  </nav>`
}

/** The pages that a thumb reaches; hidden on large screens. */
export function bottomBar(current: PageName | undefined, { due }: Sidebar): Html {
  const link = (entry: Entry, number = 0) => {
    const { name, label, path, icon: sign } = entry
    const isHere = name === current
    return html`<a href="${path}" ${attributes({ 'aria-current': isHere ? 'page' : undefined })}
      >${icon(sign)}
      ${t(label)}${number === 0 ? NOTHING : html` <small class="due">${dueText(number)}</small>`}</a
    >`
  }
  const [today, people] = ENTRIES
  return html`<nav class="bottom" aria-label="Main">
    ${link(today, due)} ${link(people)}
    <button popovertarget="add-menu" aria-label="Add or log"><span>${icon('plus')}</span></button>
    ${link({ name: 'search', label: t('Search'), path: SEARCH_PATH, icon: 'search' })}
    <button class="quiet" popovertarget="menu">${icon('more')} More</button>
  </nav>`
}
