/** Who can join: anyone, people with an invitation, or no one. The first member always joins by the first link. */

import { t } from '../../languages/message.ts'
import { DEMO_MEMBER } from '../../connections/demo/demo-member.ts'
import { statement } from '../../db/statement.ts'
import { messagePage } from '../../html/message.page.ts'
import { SIGN_IN_PATH } from '../../html/site-map.ts'
import type { LinkPurpose, OneTimeLink } from '../../access/one-time-link.ts'
import type { Reader } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

export type SignUp = 'open' | 'invite' | 'closed'

/** A person with a link was invited. Anyone else is unknown, and learns nothing about other members. */
type Admission = 'by link' | 'unknown'

export const JOIN_PURPOSES: readonly LinkPurpose[] = ['first', 'invite']

/** `link` is valid, or undefined. Returns undefined if the person cannot join. */
export async function admissionOf(
  reader: Reader,
  link: OneTimeLink | undefined,
  signUp: SignUp,
): Promise<Admission | undefined> {
  if (link?.purpose === 'invite' && signUp !== 'closed') return 'by link'
  if (link?.purpose === 'first' && !(await hasMembers(reader))) return 'by link'
  return signUp === 'open' ? 'unknown' : undefined
}

/** The member who joins by the first link becomes an admin. */
export function isFirstMember(link: OneTimeLink | undefined, admission: Admission): boolean {
  return admission === 'by link' && link?.purpose === 'first'
}

/** Whether anyone has joined. The demo account does not count. */
export async function hasMembers(reader: Reader): Promise<boolean> {
  return (await reader.get(ANY_MEMBER, { demo: DEMO_MEMBER.username })) !== undefined
}

/** `secret` is the secret of the link as received, valid or not; empty without one. */
export function notAdmittedPage(secret: string, signUp: SignUp): Answer {
  if (secret !== '' && signUp !== 'closed')
    return messagePage({
      status: 403,
      title: t('This invitation is no longer valid'),
      text: t('It was used, revoked, or has expired.'),
      hint: t('If you have already joined, sign in. Otherwise ask for a new invitation.'),
      action: { href: SIGN_IN_PATH, label: t('Sign in') },
    })
  return messagePage({
    status: 403,
    title: signUp === 'closed' ? t('Sign-up is closed') : t('Sign-up is by invitation only'),
    text:
      signUp === 'closed'
        ? t('This service is not accepting new members.')
        : t('Ask your administrator for an invitation.'),
    action: { href: SIGN_IN_PATH, label: t('Sign in') },
  })
}

/** Uses the primary key and reads at most two rows. */
const ANY_MEMBER = statement<{ demo: string }, { member_id: number }>(
  'select member_id from members where username <> :demo limit 1',
)
