/** What the page says first, after something was done. */

import { noticesOf } from '../ui/notices.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'

const SENTENCES = {
  disconnected: 'The app is disconnected. It can reach nothing of yours any more.',
  token_revoked: 'The token is revoked. Whatever still uses it is refused.',
  agent_removed: 'The cloud agent is removed, and its tokens are revoked.',
} as const

export type NoticeName = keyof typeof SENTENCES

export const NOTICES = noticesOf<NoticeName>(INTEGRATIONS_PATH, SENTENCES)
