/**
 * `/user/account/verify-email`: confirms the email with the link that was sent to it, and sends that link.
 *
 * The member must be signed in: the link proves who reads the mailbox, the session who owns the account. Otherwise people
 * could be talked into confirming an account that someone else created with their address.
 */

import { requireLiveSession } from '../../access/browser-session.ts'
import {
  findLink,
  takeLink,
  type LinkPurpose,
  type OneTimeLink,
} from '../../access/one-time-link.ts'
import { submissionOf, submitOnce } from '../../guards/form-submission.ts'
import { cardPage } from '../../html/card-layout.ts'
import { formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { errorPage, messagePage } from '../../html/message.page.ts'
import { ACCOUNT_PATH, SEND_VERIFICATION_PATH, VERIFY_EMAIL_PATH } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireMember } from '../../members/member.ts'
import { isEmailVerified, verifyEmail } from '../../members/verified-email.ts'
import { LINK } from '../../sign-in/session/link-address.ts'
import { ACCOUNT_NOTICES } from './account-notices.ts'
import { MAX_ACCOUNT_FORM_BYTES, type AccountDeps } from './account-deps.ts'
import { queueVerification } from './queue-verification.ts'
import type { Transaction } from '../../db/database.ts'

const PURPOSES: readonly LinkPurpose[] = ['verify']

export function verifyEmailRoutes(deps: AccountDeps): Route[] {
  return [showRoute(deps), verifyRoute(deps), sendRoute(deps)]
}

function showRoute({ database, clock }: AccountDeps): Route {
  return defineRoute({
    method: 'GET',
    path: VERIFY_EMAIL_PATH,
    operationId: 'showVerifyEmail',
    summary: 'The page to confirm an email address',
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      403: { description: 'The link is no longer valid', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ search, browser }) {
      const secret = new URLSearchParams(search).get(LINK) ?? ''
      const link = await findLink(database, secret, PURPOSES, clock.now())
      if (link?.memberId !== browser.member.memberId) return invalidLinkPage(link)
      const body = html`<form method="post" action="${VERIFY_EMAIL_PATH}">
        ${formTokenField(browser.formToken)} ${formKeyField()} ${hiddenField(LINK, secret)}
        <p>
          Confirm that <strong><bdi>${link.email}</bdi></strong> is the address of your account
          <strong>${browser.member.username}</strong>.
        </p>
        <button>Confirm email address</button>
      </form>`
      return cardPage({ title: 'Confirm your email address', body })
    },
  })
}

function verifyRoute({ database, clock }: AccountDeps): Route {
  return defineRoute({
    method: 'POST',
    path: VERIFY_EMAIL_PATH,
    operationId: 'verifyEmail',
    summary: 'Confirm an email address',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'Confirmed; to the account page' },
      403: { description: 'The link is no longer valid', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const { memberId, sessionId } = browser.member
      const now = clock.now()
      const secret = body.get(LINK) ?? ''
      const submission = submissionOf({ browser, body, form: VERIFY_EMAIL_PATH, now })
      const verify = async (tx: Transaction) => {
        const link = await findLink(tx, secret, PURPOSES, now)
        if (link?.memberId !== memberId || link.email === null) return undefined
        if (!(await takeLink(tx, secret, PURPOSES, now))) return undefined
        await verifyEmail(tx, memberId, link.email)
        return (await isEmailVerified(tx, memberId)) ? { isVerified: true } : undefined
      }
      const verified = await database.write(async (tx) => {
        const own = tx.member(memberId)
        await requireLiveSession(own, sessionId, now)
        return submitOnce(own, submission, () => verify(tx))
      })
      return verified
        ? seeOther(ACCOUNT_NOTICES.pathTo('email_verified'))
        : invalidLinkPage(undefined)
    },
  })
}

function sendRoute({ database, clock }: AccountDeps): Route {
  return defineRoute({
    method: 'POST',
    path: SEND_VERIFICATION_PATH,
    operationId: 'sendEmailVerification',
    summary: 'Send a link to confirm the email address',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: { 303: { description: 'Queued; back to the page' } },
    onError: errorPage,
    async handle({ browser }) {
      const { memberId } = browser.member
      const now = clock.now()
      const isQueued = await database.write(async (tx) => {
        const { email } = await requireMember(tx, memberId)
        return email !== null && queueVerification(tx, memberId, email, now)
      })
      return seeOther(
        ACCOUNT_NOTICES.pathTo(isQueued ? 'verification_sent' : 'verification_limited'),
      )
    },
  })
}

function invalidLinkPage(link: OneTimeLink | undefined): Answer {
  return messagePage({
    status: 403,
    title: link ? 'This link belongs to another account' : 'This link is no longer valid',
    text: link
      ? 'Sign in to the account that you received the email for, and open the link again.'
      : 'It was already used or has expired, or your email address has changed.',
    action: { href: ACCOUNT_PATH, label: 'Go to your account' },
  })
}
