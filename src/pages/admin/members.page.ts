/** `GET /admin/members`: lists members, searched by name, username and email. */

import { t, phrase } from '../../languages/message.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { noticesOf } from '../../ui/notices.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { faceAt } from '../../html/face.ts'
import {
  adminMembersPath,
  ADMIN_INVITATIONS_PATH,
  ADMIN_MEMBERS_PATH,
  adminMemberPath,
} from '../../html/site-map.ts'
import { readTyped } from '../../forms/field-errors.ts'
import * as Type from '../../base/type.ts'
import { type MemberListEntry, readMemberList } from './member-list.ts'
import { html, type Html } from '../../html/html.ts'
import { DEMO_MEMBER } from '../../connections/demo/demo-member.ts'
import { pager } from '../../ui/pager.ts'
import { MAX_EMAIL_LENGTH } from '../../base/limits.ts'
import { adminPage } from './admin-layout.ts'
import { itemList, emptyNote, buttonLink } from '../../ui/sections.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

const PAGE_SIZE = 50

/** A query can be a whole email address. */
const MAX_QUERY_LENGTH = MAX_EMAIL_LENGTH

const NOTICES = noticesOf(ADMIN_MEMBERS_PATH, {
  deleted: phrase('Account deleted, with all its data.'),
})

const Question = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })),
  cursor: Type.Optional(Type.String()),
})

export function membersRoute(deps: AdminDeps): Route {
  return pageRoute(deps, {
    path: ADMIN_MEMBERS_PATH,
    async handle({ search, browser, now }) {
      const sent = Object.fromEntries(new URLSearchParams(search))
      const { q = '', cursor } = readTyped(Question, sent)
      const query = q.trim()
      const asked = { query, cursor, limit: PAGE_SIZE }
      const { members, next } = await readMemberList(deps.database, asked, now)
      const times = timesOf(browser, now)
      const items = members.map((one) => line(one, times))
      return adminPage({
        browser,
        title: t('Members'),
        tab: 'Members',
        notice: NOTICES.read(search),
        body: html`${searchForm(query)}
          <section class="panel" aria-label="Members">
            ${itemList(items, emptyState(query), 'items people')}
          </section>
          ${pager({ path: adminMembersPath(query), cursor, next })}
          <p class="quiet">${adminPrivacyNote()}</p>`,
      })
    },
  })
}

/** A fragment that every page about members ends with. */
export function adminPrivacyNote(): Html {
  return html`Admins can see accounts but not their data. Only the member can see their people and
  notes.`
}

function searchForm(query: string): Html {
  return html`<form
    class="search"
    action="${ADMIN_MEMBERS_PATH}"
    role="search"
    aria-label="Members"
  >
    <label class="unseen" for="q">Search members</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${query}"
      placeholder="Name, username or email"
      maxlength="${MAX_QUERY_LENGTH}"
    />
    <button>Search</button>
    ${query === '' ? '' : html`<p><a href="${ADMIN_MEMBERS_PATH}">Clear search</a></p>`}
  </form>`
}

function emptyState(query: string): Html {
  if (query === '') return emptyNote(t('No more results.'))
  return emptyNote(
    t('No results. Try part of a name, username or email.'),
    buttonLink(ADMIN_INVITATIONS_PATH, t('Invite someone')),
  )
}

function line(entry: MemberListEntry, times: Times): Html {
  const { username, name, email, joinedAt } = entry
  return html`<li>
    ${faceAt(name, undefined)}
    <div>
      <h2>
        <a href="${adminMemberPath(username)}"><bdi>${name}</bdi></a> <small>@${username}</small>
        ${badges(entry)}
      </h2>
      ${email === null ? '' : html`<p><bdi>${email}</bdi></p>`}
      <small
        >Joined ${times.day(joinedAt)} ·
        ${entry.seenAt === undefined ? '' : 'active '}${seenText(entry, times)}</small
      >
    </div>
  </li>`
}

/** Badges for what is out of the ordinary. */
export function badges({ username, role, disabledAt }: MemberListEntry): Html {
  const admin = role === 'admin' ? html`<span class="badge success">admin</span>` : ''
  const disabled = disabledAt === null ? '' : html`<span class="badge danger">disabled</span>`
  const demo = username === DEMO_MEMBER.username ? html`<span class="badge">demo</span>` : ''
  return html`${admin} ${demo} ${disabled}`
}

/** The last activity is unknown for members without a signed-in browser. */
export function seenText({ seenAt }: MemberListEntry, times: Times): string | Html {
  return seenAt === undefined ? t('not signed in') : times.ago(seenAt)
}
