/** Encrypts the addresses and secrets of endpoints for their member. */

import { seal, unseal, type SealKey } from '../base/seal.ts'

/** Supplies the server's secret. */
export type SealSecret = () => string

/** Returns the value encrypted for this member. */
export function sealFor(secret: string, memberId: number, value: string): string {
  return seal(keyOf(secret, memberId), value)
}

/** Undefined if it was sealed with another secret, for example before a move. */
export function unsealFor(secret: string, memberId: number, sealed: string): string | undefined {
  const value = unseal(keyOf(secret, memberId), sealed)
  return typeof value === 'string' ? value : undefined
}

function keyOf(secret: string, memberId: number): SealKey {
  return { secret, purpose: `weft endpoint of member ${memberId}` }
}
