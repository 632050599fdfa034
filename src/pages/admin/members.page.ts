/** The page "Members": a search form and its results. */

import { DEMO_MEMBER } from '../../connections/demo/member.ts'
import { MAX_EMAIL_LENGTH } from '../../base/limits.ts'
import { html, type Html } from '../../html/html.ts'
import { pager } from '../ui/pager.ts'
import { initialsBadge } from '../ui/initials.ts'
import { adminPage } from './admin-layout.ts'
import {
  ADMIN_INVITATIONS_PATH,
  adminMemberPath,
  ADMIN_MEMBERS_PATH,
  adminMembersPath,
} from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'
import type { MemberListEntry, MemberListPage } from './member-list.ts'

interface MembersView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly query: string
  readonly isFirst: boolean
  readonly page: MemberListPage
}

/** A query can be a whole email address. */
export const MAX_MEMBER_QUERY_LENGTH = MAX_EMAIL_LENGTH

export function membersPage({ browser, times, query, isFirst, page }: MembersView): Answer {
  const { members, next } = page
  return adminPage({
    browser,
    title: 'Members',
    tab: 'Members',
    body: html`${searchForm(query)}
      <section class="panel" aria-label="Members">
        ${
          members.length === 0
            ? emptyState(query)
            : html`<ul class="items people">
                ${members.map((one) => line(one, times))}
              </ul>`
        }
      </section>
      ${pager({
        isFirst,
        first: adminMembersPath(query),
        next: next === undefined ? undefined : adminMembersPath(query, next),
      })}
      <p class="quiet">${ADMIN_PRIVACY_NOTE}</p>`,
  })
}

/** A fragment that every page about members ends with. */
export const ADMIN_PRIVACY_NOTE = html`Admins can see accounts but not their data. Only the member
can see their connections and notes.`

function searchForm(query: string): Html {
  return html`<form class="search" action="${ADMIN_MEMBERS_PATH}" role="search">
    <label class="unseen" for="q">Search members</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${query}"
      placeholder="Name, username or email"
      maxlength="${MAX_MEMBER_QUERY_LENGTH}"
    />
    <button>Search</button>
    ${query === '' ? '' : html`<p><a href="${ADMIN_MEMBERS_PATH}">Clear search</a></p>`}
  </form>`
}

function emptyState(query: string): Html {
  if (query === '') return html`<p class="empty">No more results.</p>`
  return html`<div class="empty">
    <p>No results. Try part of a name, username or email.</p>
    <a class="button plain" href="${ADMIN_INVITATIONS_PATH}">Invite someone</a>
  </div>`
}

function line(entry: MemberListEntry, times: Times): Html {
  const { username, name, email, joinedAt } = entry
  return html`<li>
    ${initialsBadge(name)}
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
  return seenAt === undefined ? 'not signed in' : times.ago(seenAt)
}
