/** `/admin/invites`: single-use links for joining. */

import { phrase } from '../../languages/message.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { noticesOf } from '../../ui/notices.ts'
import {
  type Invitation,
  isInvitationOpen,
  DEFAULT_DAYS,
  checkInvitation,
} from '../../sign-in/invitations/invitation.ts'
import { findLink } from '../../access/one-time-link.ts'
import { actAsAdmin } from './act-as-admin.ts'
import { showInvitations, type CreatedInvitation } from './invitations.page.ts'
import { ADMIN_INVITATIONS_PATH, REVOKE_INVITATION_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { fieldErrors } from '../../forms/field-errors.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { INVITE, REVOKE_INVITATION, type Invited } from '../../acts/invitation-acts.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { Transaction } from '../../db/database.ts'

const NOTICES = noticesOf(ADMIN_INVITATIONS_PATH, {
  queued: phrase('Invitation created. The link is on its way.'),
  revoked: phrase('Invitation withdrawn. Its link no longer works.'),
})

export function inviteRoutes(deps: AdminDeps): Route[] {
  return [showRoute(deps), inviteRoute(deps), revokeRoute(deps)]
}

/** A new invitation with its link, which the next page shows once. */
function madeResults(publicUrl: string) {
  return resultCookies<CreatedInvitation>(publicUrl, ADMIN_INVITATIONS_PATH)
}

function showRoute(deps: AdminDeps): Route {
  const results = madeResults(deps.publicUrl)
  return pageRoute(deps, {
    path: ADMIN_INVITATIONS_PATH,
    handle: (request) =>
      results.show(request, (made) =>
        showInvitations(deps, request, made ? { made } : { notice: NOTICES.read(request.search) }),
      ),
  })
}

/** Redirects to a page that shows the link. Reloading that page hides the link and creates no second invitation. */
function inviteRoute(deps: AdminDeps): Route {
  const { publicUrl, signUp, smtp } = deps
  return formRoute(deps, {
    path: ADMIN_INVITATIONS_PATH,
    async handle(request) {
      const { body, browser, now } = request
      const field = (name: string) => body.get(name)?.trim() ?? ''
      const email = smtp ? field('email') : ''
      const typed = { note: field('note'), days: field('days'), email }
      const invitation = { note: typed.note, days: readDays(typed.days), email }
      try {
        checkInvitation(invitation, signUp)
      } catch (error) {
        return showInvitations(deps, request, { invalid: { typed, errors: fieldErrors(error) } })
      }
      const invited = await actAsAdmin(deps, request, INVITE, invitation, {
        isCurrent: (tx, earlier) => isOpen(tx, earlier, now),
      })
      const address = invited?.result
      if (address === undefined) return seeOther(NOTICES.pathTo('queued'))
      const made = { ...invitation, address }
      return madeResults(publicUrl).redirect(browser.member, made)
    },
  })
}

async function isOpen(
  tx: Transaction,
  { secret, emailId }: Invited,
  now: number,
): Promise<boolean> {
  if (secret !== undefined) return (await findLink(tx, secret, ['invite'], now)) !== undefined
  return emailId !== undefined && isInvitationOpen(tx, emailId, now)
}

function revokeRoute(deps: AdminDeps): Route {
  return formRoute(deps, {
    path: REVOKE_INVITATION_PATH,
    async handle(request) {
      const id = request.body.get('link_id') ?? ''
      await actAsAdmin(deps, request, REVOKE_INVITATION, { id })
      return seeOther(NOTICES.pathTo('revoked'))
    },
  })
}

/** Empty means the default. Text that is not a number becomes NaN, which validation rejects. */
function readDays(text: string): Invitation['days'] {
  if (text === '') return DEFAULT_DAYS
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}
