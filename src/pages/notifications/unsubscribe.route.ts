/**
 * `/unsubscribe`: ends reminders by email with the link of such an email. A GET asks. A POST acts at once, without a session,
 * a cookie or a form token, because mailboxes send it for the member (RFC 8058); the secret in the link is the proof.
 */

import { findLink, LINK, type LinkPurpose } from '../../access/one-time-link.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { cardPage } from '../../html/card-layout.ts'
import { html } from '../../html/html.ts'
import { errorPage } from '../../html/message.page.ts'
import { NOTIFICATIONS_PATH, UNSUBSCRIBE_PATH } from '../../html/site-map.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { t } from '../../languages/message.ts'
import { endReminderEmails } from '../../reminders/reminder-settings.ts'
import type { PageDeps } from '../../forms/page-route.ts'
import type { Answer } from '../../http/response.ts'

const PURPOSES: readonly LinkPurpose[] = ['unsubscribe']
/** A form of one field. */
const MAX_BODY_BYTES = 16_384
const HTML = 'text/html'

export function unsubscribeRoutes({ database, clock }: PageDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: UNSUBSCRIBE_PATH,
      operationId: 'askToUnsubscribe',
      summary: 'Asks whether to end reminders by email',
      access: 'public',
      forPeople: true,
      limit: LIMITS.unsubscribe,
      answers: { 200: { description: 'The page that asks', type: HTML } },
      onError: errorPage,
      handle: async ({ search }) => askPage(secretIn(search)),
    }),
    defineRoute({
      method: 'POST',
      path: UNSUBSCRIBE_PATH,
      operationId: 'unsubscribe',
      summary: 'Ends reminders by email (RFC 8058)',
      access: 'public',
      forPeople: true,
      body: { kind: 'stream', maxBytes: MAX_BODY_BYTES },
      limit: LIMITS.unsubscribe,
      // The same for an unknown link, so that no one can try links.
      answers: { 200: { description: 'Reminders by email have ended', type: HTML } },
      onError: errorPage,
      async handle({ search }) {
        const link = await findLink(database, secretIn(search), PURPOSES, clock.now())
        if (link?.memberId != null)
          await database.member(link.memberId).write((tx) => endReminderEmails(tx))
        return endedPage()
      },
    }),
  ]
}

function secretIn(search: string): string {
  return new URLSearchParams(search).get(LINK) ?? ''
}

const UNSTORED = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

function askPage(secret: string): Answer {
  const action = `${UNSUBSCRIBE_PATH}?${new URLSearchParams({ [LINK]: secret }).toString()}`
  const body = html`<form method="post" action="${action}">
    <p>
      Weft will stop sending reminders by email. Security notices still arrive, and your reminders
      stay in Weft.
    </p>
    <button>Unsubscribe</button>
  </form>`
  return cardPage({ title: t('Unsubscribe from reminders'), body, headers: UNSTORED })
}

function endedPage(): Answer {
  const body = html`<p role="status">Reminders by email have ended.</p>
    <a class="button plain" href="${NOTIFICATIONS_PATH}">Open notifications</a>`
  return cardPage({ title: t('Unsubscribed'), body, headers: UNSTORED })
}
