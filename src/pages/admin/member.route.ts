/** `/admin/members/:username`: one member, and what an operator can do for them or against them. */

import Type from 'typebox'
import { resultCookies } from '../../access/result-cookie.ts'
import { Refusal } from '../../base/request-error.ts'
import { refusePage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { resetAddress } from '../../sign-in/session/link-address.ts'
import { noticesOf } from '../ui/notices.ts'
import { timesOf } from '../ui/time.ts'
import { DEEDS, doDeed, type Deed } from './admin-actions.ts'
import { memberShown } from './member.page.ts'
import { MOST_FORM_BYTES, type AdminParts } from './admin-deps.ts'
import { memberPath, MEMBERS_PATH } from './paths.ts'
import { findEntry, type RosterEntry } from './member-list.ts'
import type { SignedInVisit } from '../../http/browser-request.ts'

const PATH = `${MEMBERS_PATH}/:username`
const Params = Type.Object({ username: Type.String() })

export function memberRoutes(parts: AdminParts): Route[] {
  return [showRoute(parts), deedRoute(parts)]
}

/** A new link to choose a password, for the one page that shows it. */
function linkResults(publicUrl: string, username: string) {
  return resultCookies<string>(publicUrl, memberPath(username))
}

function showRoute(parts: AdminParts): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    params: Params,
    operationId: 'showMemberToOperator',
    summary: 'A member, as operators see them',
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      404: { description: 'There is no such member', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ params: { username }, search, visit, header }) {
      const member = await requireEntry(parts, username)
      const results = linkResults(parts.publicUrl, username)
      const resetLink = results.read(header('cookie'), visit.member)
      if (resetLink !== undefined)
        return results.shownOnce(memberShown({ ...shared(parts, visit), member, resetLink }))
      return memberShown({
        ...shared(parts, visit),
        member,
        notice: noticesFor(username).shown(search),
      })
    },
  })
}

function deedRoute(parts: AdminParts): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    params: Params,
    operationId: 'changeMember',
    summary: 'Disable or enable a member, change their role, make a link to choose a new password',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page, which shows a link once' },
      400: { description: 'There is no such deed', type: 'text/html' },
      404: { description: 'There is no such member', type: 'text/html' },
      409: { description: 'Not to this member, or not now', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ params: { username }, body, visit }) {
      const member = await requireEntry(parts, username)
      const deed = readDeed(body.get('deed'))
      const secret = await doDeed(parts, { operator: visit.member, member, deed })
      if (secret === undefined) return seeOther(noticesFor(username).pathTo(deed))
      const resetLink = resetAddress(parts.publicUrl, secret)
      const results = linkResults(parts.publicUrl, username)
      return results.redirect(memberPath(username), visit.member, resetLink)
    },
  })
}

function shared(parts: AdminParts, visit: SignedInVisit) {
  return { visit, times: timesOf(visit, parts.clock.now()), oidc: parts.oidc }
}

async function requireEntry(
  { database, clock }: AdminParts,
  username: string,
): Promise<RosterEntry> {
  const member = await findEntry(database, username, clock.now())
  if (!member) throw new Refusal('not_found', 'There is no member of this username.')
  return member
}

function readDeed(text: string | null): Deed {
  const deed = DEEDS.find((one) => one === text)
  if (!deed) throw new Refusal('invalid_request', 'Nothing is done by this form.')
  return deed
}

function noticesFor(username: string) {
  return noticesOf<Deed>(memberPath(username), {
    disable: 'The account is disabled: signed out everywhere, and every token is refused.',
    enable: 'The account is enabled. Tokens work again; browsers have to sign in anew.',
    promote: 'This member is an operator now.',
    demote: 'This member is an operator no more.',
    reset_link: 'The link is made.',
  })
}
