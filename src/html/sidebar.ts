/** The navigation of member pages: a sidebar with all pages, which is a menu on phones, and a bar at the bottom of phones. */

import { phrase, t } from '../languages/message.ts'
import { currentLocale } from '../languages/language.ts'
import { brand, icon, type IconName } from './icon.ts'
import { formTokenField } from './form.ts'
import { NOTHING, attributes, html, type Html } from './html.ts'
import {
  ACCOUNT_PATH,
  ACTIVITY_PATH,
  ADMIN_PATH,
  BRIEFING_PATH,
  CALENDAR_PATH,
  CONNECTIONS_PATH,
  CREDITS_PATH,
  DELETED_CONNECTIONS_PATH,
  CONTACT_DEVICES_PATH,
  DUPLICATES_PATH,
  FOLLOW_UPS_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  JOBS_PATH,
  NETWORK_PATH,
  NEW_CONNECTION_PATH,
  NOTIFICATIONS_PATH,
  PROFILE_PATH,
  SEARCH_PATH,
  SIGN_OUT_PATH,
  USER_PATH,
} from './site-map.ts'
import type { SignedInRequest } from '../http/browser-request.ts'

/** What the sidebar says beside its links. */
export interface Sidebar {
  readonly connections: number
  /** Due today or overdue. */
  readonly dueFollowUps: number
  readonly views: readonly SidebarView[]
}

interface SidebarView {
  readonly name: string
  readonly path: string
  /** How many people it finds; undefined until they are counted. */
  readonly count: number | undefined
}

export const NO_SIDEBAR: Sidebar = { connections: 0, dueFollowUps: 0, views: [] }

const GROUPS = [
  {
    title: undefined,
    pages: [
      { name: 'home', label: phrase('Home'), path: USER_PATH },
      { name: 'briefing', label: phrase('Briefing'), path: BRIEFING_PATH },
      {
        name: 'connections',
        label: phrase('Connections'),
        path: CONNECTIONS_PATH,
        count: 'connections',
      },
      { name: 'follow-ups', label: 'Follow-ups', path: FOLLOW_UPS_PATH, count: 'dueFollowUps' },
      { name: 'network', label: phrase('Network'), path: NETWORK_PATH },
      { name: 'activity', label: phrase('Activity'), path: ACTIVITY_PATH },
    ],
  },
  {
    title: phrase('Tidy up'),
    pages: [
      { name: 'duplicates', label: phrase('Duplicates'), path: DUPLICATES_PATH },
      { name: 'import', label: phrase('Import'), path: IMPORT_PATH },
      { name: 'jobs', label: phrase('Jobs'), path: JOBS_PATH },
      { name: 'deleted', label: phrase('Deleted'), path: DELETED_CONNECTIONS_PATH },
    ],
  },
  {
    title: phrase('Agents'),
    pages: [
      { name: 'agents', label: phrase('Agents & tokens'), path: INTEGRATIONS_PATH },
      { name: 'credits', label: phrase('Credits'), path: CREDITS_PATH },
    ],
  },
  {
    title: phrase('You'),
    pages: [
      { name: 'profile', label: phrase('Profile'), path: PROFILE_PATH },
      { name: 'devices', label: phrase('Contacts apps'), path: CONTACT_DEVICES_PATH },
      { name: 'calendar', label: phrase('Calendar'), path: CALENDAR_PATH },
      { name: 'notifications', label: phrase('Notifications'), path: NOTIFICATIONS_PATH },
      { name: 'account', label: phrase('Account'), path: ACCOUNT_PATH },
      { name: 'admin', label: phrase('Admin'), path: ADMIN_PATH, isForAdmins: true },
      { name: 'help', label: phrase('Help'), path: '/docs' },
    ],
  },
] as const satisfies readonly Group[]

interface Group {
  readonly title: string | undefined
  readonly pages: readonly Page[]
}

interface Page {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly count?: 'connections' | 'dueFollowUps'
  readonly isForAdmins?: true
}

export type PageName = (typeof GROUPS)[number]['pages'][number]['name'] | 'search'

/** The pages of the sidebar. */
export function sidebarPages({ role }: Pick<Shown['browser']['member'], 'role'>): readonly Page[] {
  const groups: readonly Group[] = GROUPS
  return groups
    .flatMap(({ pages }) => pages)
    .filter(({ isForAdmins }) => isForAdmins !== true || role === 'admin')
}

interface Shown {
  readonly browser: Pick<SignedInRequest, 'member' | 'formToken'>
  readonly current: PageName
}

/** A popover on small screens; on large ones the style sheet shows it permanently. */
export function sidebar({ browser, current }: Shown, counts: Sidebar): Html {
  const { member, formToken } = browser
  const groups: readonly Group[] = GROUPS
  return html`<nav id="menu" popover aria-label="Your pages">
    <a class="brand" href="/">${brand()}</a>
    ${searchForm()}
    <div class="groups">
      ${groups.map(({ title, pages }, at) => {
        const shown = group(
          title,
          pages.filter(({ isForAdmins }) => isForAdmins !== true || member.role === 'admin'),
          { current, counts },
        )
        return at === 0 ? html`${shown} ${savedViews(counts.views)}` : shown
      })}
    </div>
    <div class="self">
      <span><bdi>${member.name}</bdi><small>@${member.username}</small></span>
      <form method="post" action="${SIGN_OUT_PATH}">
        ${formTokenField(formToken)}
        <button class="quiet" aria-label="Sign out" title="Sign out">${icon('sign-out')}</button>
      </form>
    </div>
  </nav>`
}

function searchForm(): Html {
  return html`<form class="find" action="${SEARCH_PATH}" role="search" aria-label="Everything">
    <label class="unseen" for="find">Find people, pages and actions</label>
    <input
      id="find"
      name="q"
      type="search"
      placeholder="Search"
      maxlength="512"
      autocomplete="off"
    />
    <button class="quiet" aria-label="Find">${icon('search')}</button>
  </form>`
}

function group(
  title: string | undefined,
  pages: readonly Page[],
  { current, counts }: { readonly current: PageName; readonly counts: Sidebar },
): Html {
  const links = pages.map(({ name, label, path, count }) => {
    const here = name === current ? 'page' : undefined
    const number = count === undefined || counts[count] === 0 ? NOTHING : badge(counts[count])
    return html`<li>
      <a href="${path}" ${attributes({ 'aria-current': here })}
        ><span>${t(label)}</span>${number}</a
      >
    </li>`
  })
  const heading = title === undefined ? NOTHING : html`<p class="title">${t(title)}</p>`
  return html`${heading}
    <ul ${attributes({ 'aria-label': title && t(title) })}>
      ${links}
    </ul>`
}

function savedViews(views: readonly SidebarView[]): Html {
  if (views.length === 0) return NOTHING
  const links = views.map(
    ({ name, path, count }) =>
      html`<li>
        <a href="${path}"
          ><span><bdi>${t(name)}</bdi></span
          >${count === undefined ? NOTHING : badge(count)}</a
        >
      </li>`,
  )
  return html`<p class="title">Saved views</p>
    <ul aria-label="Saved views">
      ${links}
    </ul>`
}

function badge(count: number): Html {
  return html` <small>${count.toLocaleString(currentLocale())}</small>`
}

const BOTTOM: readonly { label: string; icon: IconName; path: string; name?: PageName }[] = [
  { label: phrase('Home'), icon: 'home', path: USER_PATH, name: 'home' },
  {
    label: phrase('Connections'),
    icon: 'connections',
    path: CONNECTIONS_PATH,
    name: 'connections',
  },
  { label: phrase('Add'), icon: 'plus', path: NEW_CONNECTION_PATH },
  { label: phrase('Search'), icon: 'search', path: SEARCH_PATH, name: 'search' },
]

/** The pages that a thumb reaches; hidden on large screens. */
export function bottomBar(current: PageName): Html {
  const links = BOTTOM.map(({ label, icon: sign, path, name }) => {
    const here = name === current ? 'page' : undefined
    return html`<a href="${path}" ${attributes({ 'aria-current': here })}
      >${icon(sign)} ${t(label)}</a
    >`
  })
  return html`<nav class="bottom" aria-label="Main">
    ${links}
    <button class="quiet" popovertarget="menu">${icon('menu')} More</button>
  </nav>`
}
