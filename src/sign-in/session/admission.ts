/** Who may join: anyone, those with an invitation, or nobody; and whoever set the service up, before anyone else. */

import { DEMO_MEMBER } from '../../connections/demo/member.ts'
import { statement } from '../../db/statement.ts'
import { messagePage } from '../../html/message.page.ts'
import type { LinkPurpose, OneTimeLink } from '../../access/one-time-link.ts'
import type { Reader } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

export type SignUp = 'open' | 'invite' | 'closed'

/** By a link somebody was let in by name; anyone else comes unknown, and is told nothing of others. */
export type Admission = 'by link' | 'unknown'

export const JOIN_PURPOSES: readonly LinkPurpose[] = ['first', 'invite']

/** `link` is a live one, or none. Undefined: may not join. */
export async function admissionOf(
  reader: Reader,
  link: OneTimeLink | undefined,
  signUp: SignUp,
): Promise<Admission | undefined> {
  if (link?.purpose === 'invite' && signUp !== 'closed') return 'by link'
  if (link?.purpose === 'first' && !(await hasMembers(reader))) return 'by link'
  return signUp === 'open' ? 'unknown' : undefined
}

/** Whoever joins by the first link set the service up, and runs it. */
export function isFirstMember(link: OneTimeLink | undefined, admission: Admission): boolean {
  return admission === 'by link' && link?.purpose === 'first'
}

/** Whether anyone has joined; the demo account is the service's own. */
export async function hasMembers(reader: Reader): Promise<boolean> {
  return (await reader.get(ANYBODY, { demo: DEMO_MEMBER.username })) !== undefined
}

/** `secret` is what came as a link, alive or not. */
export function notAdmittedPage(secret: string, signUp: SignUp): Answer {
  if (secret !== '' && signUp !== 'closed')
    return messagePage({
      status: 403,
      title: 'This invitation does not work any more',
      text: 'It was used, it was withdrawn, or its time is over.',
      hint: 'If you have joined already, sign in. Otherwise ask whoever invited you for a new one.',
      action: { href: '/sign-in', label: 'Sign in' },
    })
  return messagePage({
    status: 403,
    title: signUp === 'closed' ? 'Nobody can join at the moment' : 'Joining is by invitation',
    text:
      signUp === 'closed'
        ? 'This service takes no new members.'
        : 'Whoever runs this service can send you a link to join.',
    action: { href: '/sign-in', label: 'Sign in' },
  })
}

/** By the primary key; found at the first or second row. */
const ANYBODY = statement<{ demo: string }, { member_id: number }>(
  'select member_id from members where username <> :demo limit 1',
)
