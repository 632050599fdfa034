/** What the admin page of a member shows. */

import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { DEMO_MEMBER } from '../../connections/demo/demo-member.ts'
import { creditBalance, type CreditBalance } from '../../credits/account.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { findEntry, type MemberListEntry } from './member-list.ts'
import type { Html } from '../../html/html.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { AdminDeps } from './admin-deps.ts'

/** A form that was rejected, with its errors and what was typed, by field. */
interface InvalidForm {
  readonly errors: Readonly<Record<string, string>>
  readonly typed: Readonly<Record<string, string>>
}

export interface MemberView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly oidc: OidcSettings | null
  readonly member: MemberListEntry
  readonly balance: CreditBalance
  readonly invalid?: InvalidForm
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  /** The reset URL that was just created. */
  readonly resetLink?: string
}

/** @throws {RequestError} `not_found` when no member has this username. */
export async function readMemberView(
  { database, oidc, quota }: AdminDeps,
  { browser, now }: Pick<PageRequest, 'browser' | 'now'>,
  username: string,
): Promise<MemberView> {
  const member = await findEntry(database, username, now)
  if (!member) throw new RequestError('not_found', t('No member has this username.'))
  const balance = await creditBalance(database.member(member.memberId), quota, now)
  return { browser, times: timesOf(browser, now), oidc, member, balance }
}

/** Admins cannot act on their own account, to prevent lockouts, nor on the demo account, which cannot sign in. */
export function isProtected({ browser, member }: Pick<MemberView, 'browser' | 'member'>): boolean {
  return member.memberId === browser.member.memberId || member.username === DEMO_MEMBER.username
}

/** @throws {RequestError} `conflict` when it is the admin's own account or the demo account. */
export function assertNotProtected(view: Pick<MemberView, 'browser' | 'member'>): void {
  if (isProtected(view))
    throw new RequestError(
      'conflict',
      view.member.memberId === view.browser.member.memberId
        ? t('You cannot do this to your own account. Ask another admin, or use the command line.')
        : t('The demo account cannot be changed.'),
    )
}
