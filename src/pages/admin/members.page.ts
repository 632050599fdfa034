/** The page "Members": a search, whom it finds, and the way to each. */

import { DEMO_MEMBER } from '../../connections/demo/member.ts'
import { html } from '../../html/html.ts'
import { pager } from '../ui/pager.ts'
import { initialsBadge } from '../ui/initials.ts'
import { adminPage } from './admin-layout.ts'
import { INVITES_PATH, memberPath, MEMBERS_PATH, membersPath } from './paths.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInVisit } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'
import type { RosterEntry, RosterPage } from './member-list.ts'

export interface RosterShown {
  readonly visit: SignedInVisit
  readonly times: Times
  readonly query: string
  readonly isFirst: boolean
  readonly page: RosterPage
}

/** Characters. */
export const LONGEST_QUERY = 254

export function rosterPage({ visit, times, query, isFirst, page }: RosterShown): Answer {
  const { members, next } = page
  return adminPage({
    visit,
    title: 'Members',
    tab: 'Members',
    body: html`!${searchForm(query)}
      <section class="panel" aria-label="Members">
        !${
          members.length === 0
            ? nobody(query)
            : html`<ul class="items people">
                !${members.map((one) => line(one, times))}
              </ul>`
        }
      </section>
      !${pager({
        isFirst,
        first: membersPath(query),
        next: next === undefined ? undefined : membersPath(query, next),
      })}
      <p class="quiet">!${BLIND}</p>`,
  })
}

/** A fragment that every page about members ends with. */
export const BLIND = html`Operators see who is a member, never what a member has: connections, notes
and everything about them open to that member alone.`

function searchForm(query: string): string {
  return html`<form class="search" action="${MEMBERS_PATH}" role="search">
    <label class="unseen" for="q">Search members</label>
    <input
      id="q"
      name="q"
      type="search"
      value="${query}"
      placeholder="Name, username or e-mail"
      maxlength="${LONGEST_QUERY}"
    />
    <button>Search</button>
    !${query === '' ? '' : html`<p><a href="${MEMBERS_PATH}">Show everybody</a></p>`}
  </form>`
}

function nobody(query: string): string {
  if (query === '') return html`<p class="empty">Nobody comes after these.</p>`
  return html`<div class="empty">
    <p>No member is called that. Part of a name, a username or an e-mail address is enough.</p>
    <a class="button plain" href="${INVITES_PATH}">Invite somebody</a>
  </div>`
}

function line(entry: RosterEntry, times: Times): string {
  const { username, name, email, joinedAt } = entry
  return html`<li>
    !${initialsBadge(name)}
    <div>
      <h2>
        <a href="${memberPath(username)}"><bdi>${name}</bdi></a> <small>@${username}</small>
        !${badges(entry)}
      </h2>
      !${email === null ? '' : html`<p><bdi>${email}</bdi></p>`}
      <small
        >Joined !${times.day(joinedAt)} ·
        !${entry.seenAt === undefined ? '' : 'seen '}!${seenText(entry, times)}</small
      >
    </div>
  </li>`
}

/** What is not the same for most. */
export function badges({ username, role, disabledAt }: RosterEntry): string {
  const operator = role === 'operator' ? html`<span class="badge success">operator</span>` : ''
  const disabled = disabledAt === null ? '' : html`<span class="badge danger">disabled</span>`
  const demo = username === DEMO_MEMBER.username ? html`<span class="badge">demo</span>` : ''
  return html`!${operator} !${demo} !${disabled}`
}

/** A fragment; whoever has signed out everywhere was seen nobody knows when. */
export function seenText({ seenAt }: RosterEntry, times: Times): string {
  return seenAt === undefined ? 'not signed in' : times.ago(seenAt)
}
