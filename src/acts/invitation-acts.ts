/** Invitations, and the account for reviewers. */

import { listLinks, revokeLink, revokeLinksOfEmail } from '../access/one-time-link.ts'
import { DAY, rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { requirePublicUrl, requireSmtp } from '../config/config.ts'
import { phrase, t } from '../languages/message.ts'
import { dropQueuedEmail } from '../outbox/outbox.ts'
import {
  checkInvitation,
  createInvitation,
  DEFAULT_DAYS,
  isNumberOfDays,
  MAX_DAYS,
  queueInvitation,
} from '../sign-in/invitations/invitation.ts'
import { joinAddress } from '../sign-in/session/one-time-link-url.ts'
import { changeAct, listAct } from './act.ts'
import { argument, option, optionOr } from './act-arguments.ts'

const DAYS = {
  read: (text: string) =>
    /^\d{1,3}$/.test(text) && isNumberOfDays(Number(text)) ? Number(text) : undefined,
  rule: `Use a whole number of days from 1 to ${MAX_DAYS}.`,
}

export const INVITE = changeAct({
  name: 'invite create',
  summary:
    'Create a single-use invitation link and print only the link to standard output, or send it',
  action: 'invite',
  label: phrase('Created an invitation'),
  fields: {
    email: option('address', 'send the link to this address instead'),
    note: option('text', 'a reminder of who the link is for'),
    days: optionOr('days', 'number of days that the link is valid', DEFAULT_DAYS, DAYS),
  },
  async prepare({ settings }, { email = '', note, days }) {
    requirePublicUrl(settings)
    checkInvitation({ note, days, email }, settings.signUp)
    if (email !== '') requireSmtp(settings)
  },
  change: async ({ tx, now }, { email = '', note, days }): Promise<Invited> =>
    email === ''
      ? createInvitation(tx, { note, days }, now)
      : { emailId: await queueInvitation(tx, { note, days, email }, now) },
  about: ({ note }) => ({ reason: note }),
  done({ secret }, { settings, now }, { email = '', days }) {
    if (secret === undefined)
      return `Queued the invitation. A running \`weft serve\` sends it to ${email}.`
    return {
      result: joinAddress(requirePublicUrl(settings), secret),
      note: `Copy the link now; you won't see it again. One person can join with it until ${rfc3339(now + days * DAY)}.`,
    }
  },
})

/** A link, or an email that will contain one. */
export interface Invited {
  readonly secret?: string
  readonly emailId?: string
}

export const REVOKE_INVITATION = changeAct({
  name: 'invite revoke',
  summary: 'Revoke an invitation by its ID',
  action: 'revoke_invite',
  label: phrase('Withdrew an invitation'),
  // An invitation that waits to be sent has no link yet, and is named by its email.
  fields: { id: argument('id') },
  async change({ tx, now }, { id }) {
    if (await revokeLink(tx, 'invite', id)) return { id }
    if (!(await dropQueuedEmail(tx, id, 'invitation', now)))
      throw new RequestError(
        'not_found',
        t('Invitation not found. It may have been used, withdrawn or expired.'),
        { hint: t('List the unused invitations.') },
      )
    await revokeLinksOfEmail(tx, id)
    return { id }
  },
  about: ({ id }) => ({ reason: id }),
  done: ({ id }) => `Revoked ${id}.`,
})

export const INVITATION_ACTS = [
  INVITE,
  listAct({
    name: 'invite list',
    summary: 'List unused invitations that have not expired',
    async list({ database, now }) {
      const links = await listLinks(database, 'invite', now)
      return links.map(({ linkId, note, createdAt, expiresAt }) => ({
        id: linkId,
        note,
        created_at: rfc3339(createdAt),
        expires_at: rfc3339(expiresAt),
      }))
    },
    none: () => 'No open invitations. Create one with `weft invite create`.',
  }),
  REVOKE_INVITATION,
]
