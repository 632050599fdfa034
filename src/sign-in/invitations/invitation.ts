/** Invitations, which admins create on the pages or with `weft`. */

import { createLink, hasLinkOfEmail } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'
import { isEmailAddress } from '../../members/member-fields.ts'
import { findEmail, queueEmail } from '../../outbox/outbox.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import type { SignUp } from '../session/admission.ts'

export const MAX_INVITATION_NOTE_LENGTH = 200
/** The default and the maximum lifetime of an invitation. */
export const DEFAULT_DAYS = 7
export const MAX_DAYS = 90

export interface Invitation {
  /** For admins: who the invitation is for. */
  readonly note?: string | undefined
  readonly days: number
  /** Weft sends the link to this address. */
  readonly email?: string | undefined
}

/**
 * @throws {RequestError} `conflict` when sign-up is closed.
 * @throws {RequestError} `invalid_request` when the note, the number of days or the email is not valid.
 */
export function checkInvitation({ note = '', days, email = '' }: Invitation, signUp: SignUp): void {
  if (signUp === 'closed')
    throw new RequestError('conflict', 'Sign-up is closed, so invitations do not work.', {
      hint: 'Set WEFT_SIGN_UP to invite to use invitations.',
    })
  const errors = [
    ...(note.length > MAX_INVITATION_NOTE_LENGTH || /\p{C}/u.test(note)
      ? [
          {
            pointer: '/note',
            detail: `must have at most ${MAX_INVITATION_NOTE_LENGTH} visible characters`,
          },
        ]
      : []),
    ...(isNumberOfDays(days)
      ? []
      : [{ pointer: '/days', detail: `must be a whole number from 1 to ${MAX_DAYS}` }]),
    ...(email === '' || isEmailAddress(email.trim())
      ? []
      : [{ pointer: '/email', detail: 'must be an email address such as ada@example.com' }]),
  ]
  const [first] = errors
  if (first === undefined) return
  const message = `The field ${first.pointer.slice(1)} ${first.detail}.`
  throw new RequestError('invalid_request', message, { errors })
}

/** Whether an invitation may be valid for this long. */
export function isNumberOfDays(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS
}

/** Call `checkInvitation` first. The secret is returned once and never stored. */
export function createInvitation(
  tx: Transaction,
  { note, days }: Invitation,
  now: number,
): Promise<{ readonly secret: string }> {
  const noted = note === undefined || note === '' ? {} : { note }
  return createLink(tx, { purpose: 'invite', lifetime: days * DAY, ...noted }, now)
}

/** Call `checkInvitation` first. The link is created when the email is sent. Returns the ID of the email. */
export async function queueInvitation(
  tx: Transaction,
  { note = '', days, email }: Invitation & { readonly email: string },
  now: number,
): Promise<string> {
  const details = { note, days }
  return queueEmail(tx, { kind: 'invitation', recipient: email.toLowerCase(), details }, now)
}

/** Whether an invitation will be sent, or was sent and can still be accepted. */
export async function isInvitationOpen(
  reader: Reader,
  emailId: string,
  now: number,
): Promise<boolean> {
  const email = await findEmail(reader, emailId)
  if (email?.state === 'queued') return true
  return email?.state === 'sent' && hasLinkOfEmail(reader, emailId, now)
}
