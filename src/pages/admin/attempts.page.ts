/** `GET /admin/attempts`: attempts of agents to connect for which no member is known, as this node has seen them. */

import { t } from '../../languages/message.ts'
import { attemptList } from '../agents/connection-attempts.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { ADMIN_ATTEMPTS_PATH } from '../../html/site-map.ts'
import { timesOf } from '../../ui/time.ts'
import { adminPage } from './admin-layout.ts'
import { panel, emptyNote } from '../../ui/sections.ts'
import { html } from '../../html/html.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

/** Bots send requests without a token all the time. */
const MAX_LISTED = 50

export function attemptsRoute(deps: AdminDeps): Route {
  return pageRoute(deps, {
    path: ADMIN_ATTEMPTS_PATH,
    async handle({ browser, now }) {
      const attempts = deps.attempts.unassigned().slice(0, MAX_LISTED)
      const none = emptyNote(t('No attempts in the last 30 minutes.'))
      const list = attemptList({ attempts, now }, timesOf(browser, now))
      const text = html`<p class="quiet">
          Apps that sent a request to this server in the last 30 minutes, but that no member has
          opened the authorization page for. Members see their own attempts under Agents &amp;
          tokens.
        </p>
        ${attempts.length === 0 ? none : list}`
      const body = panel('attempts', t('Before sign-in'), text)
      return adminPage({
        browser,
        title: t('Connection attempts'),
        tab: 'Connection attempts',
        body,
      })
    },
  })
}
