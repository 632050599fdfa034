/** The words of each action: the verb before the names of people, and titles of things with names of their own. */

import { phrase, t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { countOf } from '../../ui/numbers.ts'
import { contactVerb } from './contact-verbs.ts'
import { recordedIn } from './change-subjects.ts'
import type { ActivityAction, UNDO_ACTION } from '../../tools/activity-action.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

/** The verb phrase that comes before the names. */
export function verbOf(
  { action, before, after }: ListedChange,
  isWith: boolean,
  count = 1,
): string {
  if (action === 'follow_up.set' || action === 'follow_ups.set')
    return t(
      before === null
        ? '{count, plural, one {Added a follow-up with} other {Added # follow-ups with}}'
        : '{count, plural, one {Changed a follow-up with} other {Changed # follow-ups with}}',
      { count },
    )
  if (action === 'interaction.set' || action === 'interaction.delete')
    return contactVerb({ before, after }, count)
  if (action === 'connections.merge') {
    const merged = recordedIn(after).connections ?? recordedIn(before).connections ?? []
    return t('Merged {value} into', {
      value: countOf(Math.max(merged.length - 1, 1), 'person'),
    })
  }
  if (action === 'custom_field.set' && before === null) return t('Added the custom field')
  const verb = Object.entries(VERBS).find(([name]) => name === action)?.[1]
  return verb === undefined
    ? `${action.replaceAll(/[._]/g, ' ')}${isWith ? ':' : ''}`
    : t(verb, { count })
}

export function withoutObject(verb: string): string {
  return verb.replace(/(?: with| about| of| into|:)$/, '')
}

/** As `Imported Connections.csv` or `Created the API token laptop`; undefined for other changes and without a name. */
export function namedThing({ action, after }: ListedChange): Html | undefined {
  const verb = Object.entries(NAMED_THINGS).find(([of]) => of === action)?.[1]
  const { name, filename } = recordedIn(after)
  const named = action === 'connections.import' ? filename : name
  return verb !== undefined && typeof named === 'string' && named !== ''
    ? html`${t(verb)} <bdi>${named}</bdi>`
    : undefined
}

const NAMED_THINGS: Readonly<Partial<Record<ActivityAction, string>>> = {
  'connections.import': phrase('Imported'),
  'connections.sync': phrase('Synced from the device'),
  'account.passkey_added': phrase('Added the passkey'),
  'account.passkey_removed': phrase('Removed the passkey'),
  'account.token_created': phrase('Created the API token'),
  'account.token_revoked': phrase('Revoked the API token'),
  'account.device_created': phrase('Added the device'),
  'account.device_revoked': phrase('Revoked the device'),
  'account.device_paused': phrase('Paused the device'),
  'account.device_confirmed': phrase('Confirmed the changes of the device'),
  'account.agent_connected': phrase('Connected the agent'),
  'account.agent_disconnected': phrase('Disconnected the agent'),
  'account.agent_limits_changed': phrase('Changed the limits of the agent'),
  'account.cloud_agent_removed': phrase('Removed the cloud agent'),
}

/** Actions that `verbOf` does not describe itself. A new action does not type-check without its words. */
const VERBS: Readonly<
  Record<
    Exclude<
      ActivityAction,
      | 'follow_up.set'
      | 'follow_ups.set'
      | 'interaction.set'
      | 'interaction.delete'
      | 'connections.merge'
      | typeof UNDO_ACTION
    >,
    string
  >
> = {
  'cadence.set': phrase('Changed the cadence of'),
  'cadence.tag': phrase('Changed the cadence of a tag'),
  'connection.add': phrase('Added'),
  'connections.add': phrase('Added'),
  'connection.update': phrase('Changed'),
  'connections.update': phrase('Changed'),
  'connections.delete': phrase('Deleted'),
  'connections.restore': phrase('Restored'),
  'connections.import': phrase('Imported a file'),
  'connections.tag': phrase('Changed the tags of'),
  'connections.not_duplicates': phrase('Marked as different people:'),
  'connections.split': phrase('Split'),
  'connections.sync': phrase('Synced from a device'),
  'custom_field.set': phrase('Changed the custom field'),
  'custom_field.move': phrase('Moved the custom field'),
  'custom_field.delete': phrase('Deleted the custom field'),
  'interactions.sync': phrase('Synced meetings with'),
  'note.add': phrase('{count, plural, one {Added a note about} other {Added # notes about}}'),
  'note.update': phrase(
    '{count, plural, one {Changed a note about} other {Changed # notes about}}',
  ),
  'notes.add': phrase('{count, plural, one {Added a note about} other {Added # notes about}}'),
  'note.delete': phrase(
    '{count, plural, one {Deleted a note about} other {Deleted # notes about}}',
  ),
  'follow_up.complete': phrase(
    '{count, plural, one {Completed a follow-up with} other {Completed # follow-ups with}}',
  ),
  'follow_up.delete': phrase(
    '{count, plural, one {Deleted a follow-up with} other {Deleted # follow-ups with}}',
  ),
  'profile.update': phrase('Changed your profile'),
  'view.delete': phrase('Deleted the view'),
  'view.save': phrase('Saved the view'),
  'account.session_started': phrase('Signed in'),
  'account.session_ended': phrase('Signed out'),
  'account.password_changed': phrase('Changed your password'),
  'account.password_reset': phrase('Reset your password'),
  'account.email_changed': phrase('Changed the email address'),
  'account.passkey_added': phrase('Added a passkey'),
  'account.passkey_removed': phrase('Removed a passkey'),
  'account.token_created': phrase('Created an API token'),
  'account.token_revoked': phrase('Revoked an API token'),
  'account.device_created': phrase('Added a device'),
  'account.device_revoked': phrase('Revoked a device'),
  'account.device_paused': phrase('Paused a device'),
  'account.device_confirmed': phrase('Confirmed the changes of a device'),
  'account.device_fields_changed': phrase('Changed whether contacts apps have your custom fields'),
  'account.agent_connected': phrase('Connected an agent'),
  'account.agent_disconnected': phrase('Disconnected an agent'),
  'account.agent_limits_changed': phrase('Changed what an agent may do'),
  'account.cloud_agent_removed': phrase('Removed a cloud agent'),
  'account.identity_linked': phrase('Connected your account to an identity provider'),
  'account.access_revoked': phrase('Revoked access to your account'),
  'account.disable': phrase('Your account was disabled'),
  'account.enable': phrase('Your account was enabled'),
  'account.promote': phrase('You were made an admin'),
  'account.demote': phrase('You are no longer an admin'),
  'account.reset_link': phrase('A password reset link was created for you'),
}
