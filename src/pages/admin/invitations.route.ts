/** `/admin/invites`: single-use links for joining. */

import { findLink, listLinks, revokeLink, revokeLinksOfEmail } from '../../access/one-time-link.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { submissionOf, submitOnce } from '../../guards/form-submission.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireAdmin } from '../../members/role.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { joinAddress } from '../../sign-in/session/link-address.ts'
import {
  checkInvitation,
  createInvitation,
  isInvitationOpen,
  queueInvitation,
  DEFAULT_DAYS,
  type Invitation,
} from '../../sign-in/session/admin-links.ts'
import { dropQueuedEmail, listEmails, type QueuedEmail } from '../../outbox/outbox.ts'
import { noticesOf } from '../ui/notices.ts'
import { timesOf } from '../ui/time.ts'
import { invitesPage, type InvitationsView } from './invitations.page.ts'
import { MAX_ADMIN_FORM_BYTES, type AdminDeps } from './admin-deps.ts'
import { ADMIN_INVITATIONS_PATH, REVOKE_INVITATION_PATH } from '../../html/site-map.ts'
import type { Database, Transaction } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

const NOTICES = noticesOf(ADMIN_INVITATIONS_PATH, {
  queued: 'Invitation created. The link is on its way.',
  revoked: 'Invitation withdrawn. Its link no longer works.',
})

export function inviteRoutes(deps: AdminDeps): Route[] {
  return [showRoute(deps), inviteRoute(deps), revokeRoute(deps)]
}

/** A new invitation with its link, which the next page shows once. */
function madeResults(publicUrl: string) {
  return resultCookies<NonNullable<InvitationsView['made']>>(publicUrl, ADMIN_INVITATIONS_PATH)
}

function showRoute(deps: AdminDeps): Route {
  const results = madeResults(deps.publicUrl)
  return defineRoute({
    method: 'GET',
    path: ADMIN_INVITATIONS_PATH,
    operationId: 'showInvites',
    summary: 'List unused invitations',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    async handle({ search, browser, header }) {
      const made = results.read(header('cookie'), browser.member)
      return made
        ? results.shownOnce(await show(deps, browser, { made }))
        : show(deps, browser, { notice: NOTICES.read(search) })
    },
  })
}

/** Redirects to a page that shows the link. Reloading that page hides the link and creates no second invitation. */
function inviteRoute(deps: AdminDeps): Route {
  const results = madeResults(deps.publicUrl)
  const { database, clock, log, publicUrl, signUp, sendsEmail } = deps
  return defineRoute({
    method: 'POST',
    path: ADMIN_INVITATIONS_PATH,
    operationId: 'invite',
    summary: 'Create an invitation link for one person',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ADMIN_FORM_BYTES },
    answers: {
      303: {
        description: 'Created; redirects to the page, which shows a link that is not sent once',
      },
      409: { description: 'Sign-up is closed', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const field = (name: string) => body.get(name)?.trim() ?? ''
      const email = sendsEmail ? field('email') : ''
      const typed = { note: field('note'), days: field('days'), email }
      const invitation = { note: typed.note, days: readDays(typed.days), email }
      try {
        checkInvitation(invitation, signUp)
      } catch (error) {
        return show(deps, browser, { invalid: { typed, errors: fieldErrors(error) } })
      }
      const now = clock.now()
      const { memberId } = browser.member
      const submission = submissionOf({ browser, body, form: ADMIN_INVITATIONS_PATH, now })
      const { secret } = await database.write(async (tx) => {
        await requireAdmin(tx, memberId)
        const invite = async (): Promise<Invited> =>
          email === ''
            ? createInvitation(tx, invitation, now)
            : { emailId: await queueInvitation(tx, invitation, now) }
        return submitOnce(tx.member(memberId), submission, invite, (earlier) =>
          isOpen(tx, earlier, now),
        )
      })
      log.info({ admin: browser.member.username, action: 'invite' }, 'an admin acted')
      if (secret === undefined) return seeOther(NOTICES.pathTo('queued'))
      const made = { ...invitation, address: joinAddress(publicUrl, secret) }
      return results.redirect(ADMIN_INVITATIONS_PATH, browser.member, made)
    },
  })
}

/** What a submission created: a link, or an email that will contain one. */
interface Invited {
  readonly secret?: string
  readonly emailId?: string
}

async function isOpen(
  tx: Transaction,
  { secret, emailId }: Invited,
  now: number,
): Promise<boolean> {
  if (secret !== undefined) return (await findLink(tx, secret, ['invite'], now)) !== undefined
  return emailId !== undefined && isInvitationOpen(tx, emailId, now)
}

function revokeRoute({ database, clock, log }: AdminDeps): Route {
  return defineRoute({
    method: 'POST',
    path: REVOKE_INVITATION_PATH,
    operationId: 'revokeInvite',
    summary: 'Withdraw an invitation',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ADMIN_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'Invitation not found or already used', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      // An invitation that waits to be sent has no link yet, and is named by its email.
      const linkId = body.get('link_id') ?? ''
      const now = clock.now()
      const { memberId } = browser.member
      const submission = submissionOf({ browser, body, form: REVOKE_INVITATION_PATH, now })
      const revoke = async (tx: Transaction) => {
        if (await revokeLink(tx, 'invite', linkId)) return { isRevoked: true }
        if (!(await dropQueuedEmail(tx, linkId, 'invitation', now))) return undefined
        await revokeLinksOfEmail(tx, linkId)
        return { isRevoked: true }
      }
      const revoked = await database.write(async (tx) => {
        await requireAdmin(tx, memberId)
        return submitOnce(tx.member(memberId), submission, () => revoke(tx))
      })
      if (!revoked) return gonePage()
      const entry = { admin: browser.member.username, action: 'revoke_invite', link: linkId }
      log.info(entry, 'an admin acted')
      return seeOther(NOTICES.pathTo('revoked'))
    },
  })
}

async function show(
  { database, clock, signUp, sendsEmail }: AdminDeps,
  browser: SignedInRequest,
  state: Pick<InvitationsView, 'notice' | 'made' | 'invalid'>,
): Promise<Answer> {
  const now = clock.now()
  const links = await listLinks(database, 'invite', now)
  const emails = sendsEmail ? await listUnsent(database) : []
  const times = timesOf(browser, now)
  return invitesPage({ browser, times, signUp, sendsEmail, links, emails, ...state })
}

/** An admin rarely has more than a few. */
const MAX_UNSENT_LISTED = 100

async function listUnsent(database: Database): Promise<QueuedEmail[]> {
  const filter = { kind: 'invitation', limit: MAX_UNSENT_LISTED } as const
  const states = ['queued', 'failed'] as const
  const found = await Promise.all(states.map((state) => listEmails(database, { ...filter, state })))
  return found.flat()
}

/** Empty means the default. Text that is not a number becomes NaN, which validation rejects. */
function readDays(text: string): Invitation['days'] {
  if (text === '') return DEFAULT_DAYS
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}

function gonePage(): Answer {
  return messagePage({
    status: 404,
    title: 'Invitation not found',
    text: 'It may have been used, withdrawn or expired. No changes were made.',
    action: { href: ADMIN_INVITATIONS_PATH, label: 'Back to invitations' },
  })
}
