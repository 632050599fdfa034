/** `GET /admin/attempts`: attempts of agents to connect for which no member is known, as this node has seen them. */

import { html } from '../../html/html.ts'
import { errorPage } from '../../html/message.page.ts'
import { ADMIN_ATTEMPTS_PATH } from '../../html/site-map.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { attemptList } from '../ui/connection-attempts.ts'
import { timesOf } from '../ui/time.ts'
import { adminPage } from './admin-layout.ts'
import type { AdminDeps } from './admin-deps.ts'

/** Bots send requests without a token all the time. */
const MAX_LISTED = 50

export function attemptsRoute({ attempts: recorder, clock }: AdminDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ADMIN_ATTEMPTS_PATH,
    operationId: 'showConnectionAttempts',
    summary: 'Show attempts of agents to connect that no member is known for',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    handle({ browser }) {
      const now = clock.now()
      const attempts = recorder.unassigned().slice(0, MAX_LISTED)
      const body = html`<section class="panel" aria-labelledby="attempts">
        <h2 id="attempts">Before sign-in</h2>
        <p class="quiet">
          Apps that sent a request to this server in the last 30 minutes, but that no member has
          opened the authorization page for. Members see their own attempts under Agents &amp;
          tokens.
        </p>
        ${
          attempts.length === 0
            ? html`<p class="empty">No attempts in the last 30 minutes.</p>`
            : attemptList({ attempts, now }, timesOf(browser, now))
        }
      </section>`
      return Promise.resolve(
        adminPage({ browser, title: 'Connection attempts', tab: 'Connection attempts', body }),
      )
    },
  })
}
