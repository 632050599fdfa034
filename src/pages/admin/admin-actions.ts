/** Admin actions on a member. Each is recorded in the member's activity and in the log. */

import { t } from '../../languages/message.ts'
import { findLink } from '../../access/one-time-link.ts'
import { RequestError } from '../../base/request-error.ts'
import { DEMO_MEMBER } from '../../connections/demo/member.ts'
import { readReason, REASON_RULE } from '../../credits/adjustment.ts'
import { disableMember, enableMember } from '../../members/member.ts'
import { changeRole } from '../../members/role.ts'
import { createResetLink } from '../../sign-in/session/admin-links.ts'
import { ACCOUNT_KIND, type AdminAction } from '../../tools/activity-action.ts'
import { recordChange } from '../../tools/activity.ts'
import type { Transaction } from '../../db/database.ts'
import type { SignedIn } from '../../http/browser-request.ts'
import { actAsAdmin } from './act-as-admin.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { MemberListEntry } from './member-list.ts'
import type { FormRequest } from '../../forms/page-route.ts'

interface Done {
  readonly member: MemberListEntry
  readonly action: AdminAction
  /** For the audit log; may be empty. */
  readonly reason: string
}

/**
 * Performs an admin action and returns the secret that it created, if any.
 *
 * @throws {RequestError} `conflict` when it concerns the admin's own account, the demo account, or the last remaining
 *   admin.
 */
export async function performAdminAction(
  deps: AdminDeps,
  request: FormRequest,
  { member, action, reason }: Done,
): Promise<string | undefined> {
  const { browser, now, submission } = request
  const { member: admin } = browser
  assertNotProtected(admin, member)
  if (action === 'reset_link' && deps.oidc)
    throw new RequestError(
      'conflict',
      t('People sign in at {issuer}, so members have no passwords here.', {
        issuer: deps.oidc.issuer,
      }),
    )
  const by = { credentialId: null, actor: `${admin.name}, admin`, now }
  // Only a link is created twice. The others say what is true now, also from a page that was left open.
  const once = action === 'reset_link' ? submission : undefined
  const done = await actAsAdmin<{ readonly secret: string | undefined }>(
    deps,
    { ...request, submission: once },
    {
      entry: { action, member: member.username, reason },
      isCurrent: async (tx, { secret = '' }) =>
        (await findLink(tx, secret, ['reset'], now)) !== undefined,
      async work(tx) {
        const secret = await ACTIONS[action](tx, member.memberId, now)
        await recordChange(tx.member(member.memberId), by, {
          action: `${ACCOUNT_KIND}.${action}`,
          subjectKind: ACCOUNT_KIND,
          subjectId: member.username,
          before: null,
          after: null,
        })
        return { secret: typeof secret === 'string' ? secret : undefined }
      },
    },
  )
  return done?.secret
}

/**
 * Reads the reason of an action, which may be left out.
 *
 * @throws {RequestError} `invalid_request` when it is too long.
 */
export function readOptionalReason(text: string): string {
  const reason = text.trim() === '' ? '' : readReason(text)
  if (reason === undefined)
    throw new RequestError(
      'invalid_request',
      t('Invalid reason. {reasonRule}', { reasonRule: REASON_RULE }),
    )
  return reason
}

/** Admins cannot act on their own account, to prevent lockouts, nor on the demo account, which cannot sign in. */
export function isProtected(admin: SignedIn, member: MemberListEntry): boolean {
  return member.memberId === admin.memberId || member.username === DEMO_MEMBER.username
}

/** @throws {RequestError} `conflict` when it is the admin's own account or the demo account. */
export function assertNotProtected(admin: SignedIn, member: MemberListEntry): void {
  if (isProtected(admin, member))
    throw new RequestError(
      'conflict',
      member.memberId === admin.memberId
        ? t('You cannot do this to your own account. Ask another admin, or use the command line.')
        : t('The demo account cannot be changed.'),
    )
}

type Act = (tx: Transaction, memberId: number, now: number) => Promise<unknown>

const ACTIONS: Readonly<Record<AdminAction, Act>> = {
  disable: disableMember,
  enable: enableMember,
  promote: (tx, memberId) => changeRole(tx, memberId, 'admin'),
  demote: (tx, memberId) => changeRole(tx, memberId, 'member'),
  reset_link: async (tx, memberId, now) => (await createResetLink(tx, memberId, now)).secret,
}
