/** Revokes access to an account, when its password changes or when it gets a new owner. */

import { revokeAllApiTokens } from '../../access/api-token.ts'
import { revokeAllDevices } from '../../access/device-password.ts'
import { endAllSessions } from '../../access/browser-session.ts'
import { revokeLinksOfMember } from '../../access/one-time-link.ts'
import { removeAllPasskeys } from '../../access/passkey.ts'
import { removePassword } from '../../access/passwords/password.ts'
import { removeIdentities } from '../../access/provider-identity.ts'
import { revokeAllGrants } from '../../oauth/grant.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { Transaction } from '../../db/database.ts'

/** The kinds of access that a member can revoke when they set a new password. */
export const ACCESS_KINDS = ['agents', 'tokens', 'devices', 'passkeys'] as const
export type AccessKind = (typeof ACCESS_KINDS)[number]

/**
 * Disconnects agents, revokes API tokens and devices or removes passkeys, as selected by `kinds`, and records how many there were.
 * The caller must have locked the member's row.
 */
export async function endAccess(
  tx: Transaction,
  memberId: number,
  kinds: readonly AccessKind[],
  now: number,
): Promise<void> {
  const member = tx.member(memberId)
  const end: Readonly<Record<AccessKind, () => Promise<number>>> = {
    agents: () => revokeAllGrants(member),
    tokens: () => revokeAllApiTokens(member, now),
    devices: () => revokeAllDevices(member, now),
    passkeys: () => removeAllPasskeys(member),
  }
  const ended: Record<string, number> = {}
  for (const kind of kinds) {
    const count = await end[kind]()
    if (count > 0) ended[kind] = count
  }
  if (Object.keys(ended).length > 0)
    await recordSecurityEvent(member, { event: 'access_revoked', details: ended }, now)
}

/** Revokes everything that lets anyone sign in or act as this member. */
export async function endAllAccess(tx: Transaction, memberId: number, now: number): Promise<void> {
  const member = tx.member(memberId)
  await endAllSessions(member)
  await removePassword(member)
  await removeIdentities(member)
  await revokeLinksOfMember(tx, memberId)
  await endAccess(tx, memberId, ACCESS_KINDS, now)
}
