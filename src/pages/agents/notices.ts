/** The notices that the page shows after an action. */

import { noticesOf } from '../ui/notices.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'

const SENTENCES = {
  disconnected: 'App disconnected. It no longer has access to your network.',
  limits_saved: 'Limits saved. They apply from its next call.',
  token_revoked: 'Token revoked. Programs that use it no longer have access.',
  agent_removed: 'Cloud agent removed and its tokens revoked.',
} as const

export type NoticeName = keyof typeof SENTENCES

export const NOTICES = noticesOf<NoticeName>(INTEGRATIONS_PATH, SENTENCES)
