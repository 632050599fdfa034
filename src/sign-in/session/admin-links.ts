/** The links that an operator hands to people: to join, and to choose a new password. By the pages and by `weft`. */

import { createLink } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { Refusal } from '../../base/request-error.ts'
import type { Transaction } from '../../db/database.ts'
import type { SignUp } from './admission.ts'

export const LONGEST_NOTE = 200
/** How long an invitation can be used: as usual, and at most. */
export const USUAL_DAYS = 7
export const MOST_DAYS = 90
/** Milliseconds. */
export const RESET_LIFETIME = DAY

export interface Invitation {
  /** For operators: whom it is meant for. */
  readonly note?: string | undefined
  readonly days: number
}

/** Refuses `conflict` where nobody may join, and `invalid_request` what cannot be a note or a number of days. */
export function checkInvitation({ note = '', days }: Invitation, signUp: SignUp): void {
  if (signUp === 'closed')
    throw new Refusal('conflict', 'Nobody can join: WEFT_SIGN_UP is closed.', {
      hint: 'Set it to invite.',
    })
  const errors = [
    ...(note.length > LONGEST_NOTE || /\p{C}/u.test(note)
      ? [{ pointer: '/note', detail: `must have at most ${LONGEST_NOTE} visible characters` }]
      : []),
    ...(isNumberOfDays(days)
      ? []
      : [{ pointer: '/days', detail: `must be a whole number from 1 to ${MOST_DAYS}` }]),
  ]
  if (errors.length > 0) throw new Refusal('invalid_request', NOTE_OR_DAYS, { errors })
}

const NOTE_OR_DAYS = `A note has at most ${LONGEST_NOTE} visible characters, and an invitation is good for 1 to ${MOST_DAYS} days.`

export function isNumberOfDays(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS
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
  return createLink(tx, { purpose: 'reset', memberId, lifetime: RESET_LIFETIME }, now)
}
