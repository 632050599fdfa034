/** What the page shows after an action. */

import { phrase, t } from '../../languages/message.ts'
import { noticesOf } from '../../ui/notices.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import { notFoundPage } from '../../html/message.page.ts'
import type { Answer } from '../../http/response.ts'

const SENTENCES = {
  disconnected: phrase('App disconnected. It no longer has access to your network.'),
  limits_saved: phrase('Limits saved. They apply from its next call.'),
  token_revoked: phrase('Token revoked. Programs that use it no longer have access.'),
  agent_removed: phrase('Cloud agent removed and its tokens revoked.'),
} as const

export type NoticeName = keyof typeof SENTENCES

export const NOTICES = noticesOf<NoticeName>(INTEGRATIONS_PATH, SENTENCES)

/** The page for an app, token or agent that no longer exists. */
export function gonePage(title: string): Answer {
  return notFoundPage(title, t('It may have been removed already. No changes were made.'), {
    href: INTEGRATIONS_PATH,
    label: t('Back to agents & tokens'),
  })
}
