/** The people whose pages were opened last in this browser. A cookie holds their IDs after that of the member: `7-12-3`. */

import { cookiesFor } from '../../access/cookies.ts'
import { DAY, SECOND } from '../../base/clock.ts'
import { findPresent } from '../../connections/model/connection-store.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { PageRequest } from '../../forms/page-route.ts'

const MAX_RECENT = 6
const COOKIE_SECONDS = (30 * DAY) / SECOND

type Opened = Pick<PageRequest, 'browser' | 'header'>

/** The `Set-Cookie` value after the page of a person was opened. */
export function rememberOpened(publicUrl: string, request: Opened, connectionId: number): string {
  const others = openedIds(publicUrl, request).filter((id) => id !== connectionId)
  const ids = [request.browser.member.memberId, connectionId, ...others].slice(0, MAX_RECENT + 1)
  return cookiesFor(publicUrl).write('weft_recent', ids.join('-'), COOKIE_SECONDS)
}

/** Newest first, without deleted people. */
export async function recentPeople(
  publicUrl: string,
  request: Opened & Pick<PageRequest, 'db'>,
): Promise<Connection[]> {
  const present = await findPresent(request.db, openedIds(publicUrl, request))
  return [...new Set(present.values())].filter(({ deletedAt }) => deletedAt === null)
}

/** IDs of connections, newest first. None if another member opened them. */
export function openedIds(publicUrl: string, { browser, header }: Opened): readonly number[] {
  const kept = cookiesFor(publicUrl).read(header('cookie'), 'weft_recent') ?? ''
  const [memberId, ...ids] = kept.split('-', MAX_RECENT + 1).map(Number)
  return memberId === browser.member.memberId ? ids.filter((id) => Number.isSafeInteger(id)) : []
}
