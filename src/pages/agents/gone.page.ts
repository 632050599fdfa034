/** The page for an app, token or agent that no longer exists. */

import { messagePage } from '../../html/message.page.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'

export function gonePage(title: string): Answer {
  return messagePage({
    status: 404,
    title,
    text: 'It may have been removed already. No changes were made.',
    action: { href: INTEGRATIONS_PATH, label: 'Back to agents & tokens' },
  })
}
