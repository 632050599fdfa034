/**
 * `/user/account/verify-email`: confirms the email with the link that was sent to it, and sends that link.
 *
 * The member must be signed in: the link proves who reads the mailbox, the session who owns the account. Otherwise people
 * could be talked into confirming an account that someone else created with their address.
 */

import { t } from '../../languages/message.ts'
import {
  findLink,
  LINK,
  type LinkPurpose,
  type OneTimeLink,
  takeLink,
} from '../../access/one-time-link.ts'
import { ACCOUNT_PATH, SEND_VERIFICATION_PATH, VERIFY_EMAIL_PATH } from '../../html/site-map.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { countRecentEmails, queueEmail } from '../../outbox/outbox.ts'
import { html } from '../../html/html.ts'
import { requireMember } from '../../members/member.ts'
import { type AccountDeps, ACCOUNT_NOTICES } from './account-view.ts'
import { verifyEmail, isEmailVerified } from '../../members/verified-email.ts'
import { cardPage } from '../../html/card-layout.ts'
import { HOUR } from '../../base/clock.ts'
import { messagePage } from '../../html/message.page.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import { submitOnce } from '../../forms/submission.ts'
import type { Transaction } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'

const PURPOSES: readonly LinkPurpose[] = ['verify']

export function verifyEmailRoutes(deps: AccountDeps): Route[] {
  return [showRoute(deps), verifyRoute(deps), sendRoute(deps)]
}

function showRoute(deps: AccountDeps): Route {
  return pageRoute(deps, {
    path: VERIFY_EMAIL_PATH,
    async handle({ search, browser, now }) {
      const secret = new URLSearchParams(search).get(LINK) ?? ''
      const link = await findLink(deps.database, secret, PURPOSES, now)
      if (link?.memberId !== browser.member.memberId) return invalidLinkPage(link)
      const body = html`<form method="post" action="${VERIFY_EMAIL_PATH}">
        ${formKeyField()} ${hiddenField(LINK, secret)}
        <p>
          Confirm that <strong><bdi>${link.email}</bdi></strong> is the address of your account
          <strong>${browser.member.username}</strong>.
        </p>
        <button>Confirm email address</button>
      </form>`
      return cardPage({ title: t('Confirm your email address'), body })
    },
  })
}

function verifyRoute(deps: AccountDeps): Route {
  return formRoute(deps, {
    path: VERIFY_EMAIL_PATH,
    async handle({ body, browser, now, submission }) {
      const { memberId, sessionId } = browser.member
      const secret = body.get(LINK) ?? ''
      const verify = async (tx: Transaction) => {
        const link = await findLink(tx, secret, PURPOSES, now)
        if (link?.memberId !== memberId || link.email === null) return undefined
        if (!(await takeLink(tx, secret, PURPOSES, now))) return undefined
        await verifyEmail(tx, memberId, link.email)
        return (await isEmailVerified(tx, memberId)) ? { isVerified: true } : undefined
      }
      const verified = await deps.database.write(async (tx) => {
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

function sendRoute(deps: AccountDeps): Route {
  return formRoute(deps, {
    path: SEND_VERIFICATION_PATH,
    async handle({ browser, now }) {
      const { memberId } = browser.member
      const isQueued = await deps.database.write(async (tx) => {
        const { email } = await requireMember(tx, memberId)
        return email !== null && queueVerification(tx, memberId, email, now)
      })
      const notice = isQueued ? 'verification_sent' : 'verification_limited'
      return seeOther(ACCOUNT_NOTICES.pathTo(notice))
    },
  })
}

function invalidLinkPage(link: OneTimeLink | undefined): Answer {
  return messagePage({
    status: 403,
    title: link ? t('This link belongs to another account') : t('This link is no longer valid'),
    text: link
      ? t('Sign in to the account that you received the email for, and open the link again.')
      : t('It was already used or has expired, or your email address has changed.'),
    action: { href: ACCOUNT_PATH, label: t('Go to your account') },
  })
}

/** Per member, so that no one can flood an address by entering it as theirs. */
const MAX_PER_HOUR = 3

/** Queues the email with the link. False if the member was sent too many in the last hour. */
export async function queueVerification(
  tx: Transaction,
  memberId: number,
  recipient: string,
  now: number,
): Promise<boolean> {
  const kind = 'email_verification'
  if ((await countRecentEmails(tx, memberId, kind, now - HOUR)) >= MAX_PER_HOUR) return false
  await queueEmail(tx, { kind, memberId, recipient }, now)
  return true
}
