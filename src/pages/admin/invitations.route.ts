/** `/admin/invites`: links with which people join, one each. */

import { listLinks, revokeLink } from '../../access/one-time-link.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { messagePage, refusePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireOperator } from '../../members/role.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { joinAddress } from '../../sign-in/session/link-address.ts'
import {
  checkInvitation,
  createInvitation,
  USUAL_DAYS,
  type Invitation,
} from '../../sign-in/session/admin-links.ts'
import { noticesOf } from '../ui/notices.ts'
import { timesOf } from '../ui/time.ts'
import { invitesPage, type InvitesShown } from './invitations.page.ts'
import { MOST_FORM_BYTES, type AdminParts } from './admin-deps.ts'
import { INVITES_PATH, REVOKE_INVITE_PATH } from './paths.ts'
import type { SignedInVisit } from '../../http/browser-request.ts'

const NOTICES = noticesOf(INVITES_PATH, {
  revoked: 'The invitation is withdrawn. Its link leads nowhere any more.',
})

export function inviteRoutes(parts: AdminParts): Route[] {
  return [showRoute(parts), inviteRoute(parts), revokeRoute(parts)]
}

/** A new invitation with its link, for the one page that shows it. */
function madeResults(publicUrl: string) {
  return resultCookies<NonNullable<InvitesShown['made']>>(publicUrl, INVITES_PATH)
}

function showRoute(parts: AdminParts): Route {
  const results = madeResults(parts.publicUrl)
  return defineRoute({
    method: 'GET',
    path: INVITES_PATH,
    operationId: 'showInvites',
    summary: 'The invitations that can still be used',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    refuse: refusePage,
    async handle({ search, visit, header }) {
      const made = results.read(header('cookie'), visit.member)
      return made
        ? results.shownOnce(await show(parts, visit, { made }))
        : show(parts, visit, { notice: NOTICES.shown(search) })
    },
  })
}

/** The page it redirects to shows the link; loading that page again hides it, and creates no second invitation. */
function inviteRoute(parts: AdminParts): Route {
  const results = madeResults(parts.publicUrl)
  const { database, clock, log, publicUrl, signUp } = parts
  return defineRoute({
    method: 'POST',
    path: INVITES_PATH,
    operationId: 'invite',
    summary: 'Make a link for one person to join with',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Created; to the page, which shows the link once' },
      409: { description: 'Nobody can join', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const typed = { note: body.get('note')?.trim() ?? '', days: body.get('days')?.trim() ?? '' }
      const invitation = { note: typed.note, days: readDays(typed.days) }
      try {
        checkInvitation(invitation, signUp)
      } catch (error) {
        return show(parts, visit, { refused: { typed, errors: fieldErrors(error) } })
      }
      const now = clock.now()
      const { secret } = await database.write(async (tx) => {
        await requireOperator(tx, visit.member.memberId)
        return createInvitation(tx, invitation, now)
      })
      log.info({ operator: visit.member.username, deed: 'invite' }, 'an operator acted')
      const made = { ...invitation, address: joinAddress(publicUrl, secret) }
      return results.redirect(INVITES_PATH, visit.member, made)
    },
  })
}

function revokeRoute({ database, log }: AdminParts): Route {
  return defineRoute({
    method: 'POST',
    path: REVOKE_INVITE_PATH,
    operationId: 'revokeInvite',
    summary: 'Withdraw an invitation',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'There is no such invitation, or no longer', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const linkId = body.get('link_id') ?? ''
      const isRevoked = await database.write(async (tx) => {
        await requireOperator(tx, visit.member.memberId)
        return revokeLink(tx, 'invite', linkId)
      })
      if (!isRevoked) return gonePage()
      const deed = { operator: visit.member.username, deed: 'revoke_invite', link: linkId }
      log.info(deed, 'an operator acted')
      return seeOther(NOTICES.pathTo('revoked'))
    },
  })
}

async function show(
  { database, clock, signUp }: AdminParts,
  visit: SignedInVisit,
  told: Pick<InvitesShown, 'notice' | 'made' | 'refused'>,
): Promise<Answer> {
  const now = clock.now()
  const links = await listLinks(database, 'invite', now)
  return invitesPage({ visit, times: timesOf(visit, now), signUp, links, ...told })
}

/** Left empty, as usual; what is no number is one that no invitation has. */
function readDays(text: string): Invitation['days'] {
  if (text === '') return USUAL_DAYS
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}

function gonePage(): Answer {
  return messagePage({
    status: 404,
    title: 'There is no such invitation',
    text: 'It may have been used or withdrawn, or its time is over. Nothing was changed.',
    action: { href: INVITES_PATH, label: 'Back to invitations' },
  })
}
