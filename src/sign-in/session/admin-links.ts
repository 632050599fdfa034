/** The links that an admin hands to people: to join, and to choose a new password. By the pages and by `weft`. */

import { createLink } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'
import type { Transaction } from '../../db/database.ts'
import type { SignUp } from './admission.ts'

export const MAX_NOTE_LENGTH = 200
/** How long an invitation can be used: as usual, and at most. */
export const DEFAULT_DAYS = 7
export const MAX_DAYS = 90
/** Milliseconds. */
export const RESET_LINK_LIFETIME_MS = DAY

export interface Invitation {
  /** For admins: whom it is meant for. */
  readonly note?: string | undefined
  readonly days: number
}

/** Refuses `conflict` where nobody may join, and `invalid_request` what cannot be a note or a number of days. */
export function checkInvitation({ note = '', days }: Invitation, signUp: SignUp): void {
  if (signUp === 'closed')
    throw new RequestError('conflict', 'Nobody can join: WEFT_SIGN_UP is closed.', {
      hint: 'Set it to invite.',
    })
  const errors = [
    ...(note.length > MAX_NOTE_LENGTH || /\p{C}/u.test(note)
      ? [{ pointer: '/note', detail: `must have at most ${MAX_NOTE_LENGTH} visible characters` }]
      : []),
    ...(isNumberOfDays(days)
      ? []
      : [{ pointer: '/days', detail: `must be a whole number from 1 to ${MAX_DAYS}` }]),
  ]
  if (errors.length > 0) throw new RequestError('invalid_request', NOTE_OR_DAYS, { errors })
}

const NOTE_OR_DAYS = `A note has at most ${MAX_NOTE_LENGTH} visible characters, and an invitation is good for 1 to ${MAX_DAYS} days.`

export function isNumberOfDays(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS
}

/** Of an invitation that was checked: the secret, which is in this answer and nowhere else, ever. */
export function createInvitation(
  tx: Transaction,
  { note, days }: Invitation,
  now: number,
): Promise<{ readonly secret: string }> {
  const noted = note === undefined || note === '' ? {} : { note }
  return createLink(tx, { purpose: 'invite', lifetime: days * DAY, ...noted }, now)
}

/** The same for a member who forgot their password. */
export function createResetLink(
  tx: Transaction,
  memberId: number,
  now: number,
): Promise<{ readonly secret: string }> {
  return createLink(tx, { purpose: 'reset', memberId, lifetime: RESET_LINK_LIFETIME_MS }, now)
}
