/** Encrypts addresses and secrets for their member. */

import { seal, unseal, type SealKey } from '../base/seal.ts'

/** Supplies the server's secret. */
export type SealSecret = () => string

/** A value that is sealed for one of them cannot be unsealed for another. */
type Purpose = 'endpoint' | 'calendar'

/** Returns the value encrypted for this member. */
export function sealFor(
  secret: string,
  memberId: number,
  value: string,
  purpose: Purpose = 'endpoint',
): string {
  return seal(keyOf(secret, memberId, purpose), value)
}

/** Undefined if it was sealed with another secret, for example before a move. */
export function unsealFor(
  secret: string,
  memberId: number,
  sealed: string,
  purpose: Purpose = 'endpoint',
): string | undefined {
  const value = unseal(keyOf(secret, memberId, purpose), sealed)
  return typeof value === 'string' ? value : undefined
}

function keyOf(secret: string, memberId: number, purpose: Purpose): SealKey {
  return { secret, purpose: `weft ${purpose} of member ${memberId}` }
}
