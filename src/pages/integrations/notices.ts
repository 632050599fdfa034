/** What the page says first, after something was done; its address names the notice and cannot say anything else. */

import { INTEGRATIONS_PATH } from './paths.ts'

const NOTICES = {
  disconnected: 'The app is disconnected. It can reach nothing of yours any more.',
  token_revoked: 'The token is revoked. Whatever still uses it is refused.',
  agent_removed: 'The cloud agent is removed, and its tokens are revoked.',
} as const

export type NoticeName = keyof typeof NOTICES

export function noticePath(name: NoticeName): string {
  return `${INTEGRATIONS_PATH}?notice=${name}`
}

/** Of the page's query string. */
export function noticeOf(search: string): string | undefined {
  const asked = new URLSearchParams(search).get('notice')
  return Object.entries(NOTICES).find(([name]) => name === asked)?.[1]
}
