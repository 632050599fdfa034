/** The paths of all pages and forms. Layouts, pages and redirects must use these names. */

/** Lets browsers install Weft as an app. */
export const MANIFEST_PATH = '/manifest.webmanifest'

export const PRIVACY_PATH = '/privacy'
export const TERMS_PATH = '/terms'

export const ACCOUNT_PATH = '/user/account'
export const ACCOUNT_EMAIL_PATH = `${ACCOUNT_PATH}/email`
export const VERIFY_EMAIL_PATH = `${ACCOUNT_PATH}/verify-email`
export const SEND_VERIFICATION_PATH = `${VERIFY_EMAIL_PATH}/send`

export const ACCOUNT_PASSWORD_PATH = `${ACCOUNT_PATH}/password`
export const END_SESSION_PATH = `${ACCOUNT_PATH}/end-session`
export const END_OTHERS_PATH = `${ACCOUNT_PATH}/end-other-sessions`
export const ACCOUNT_EXPORT_PATH = `${ACCOUNT_PATH}/export`

/** Downloads the archive. */
export function exportFilePath(exportId: string): `${typeof ACCOUNT_EXPORT_PATH}/${string}` {
  return `${ACCOUNT_EXPORT_PATH}/${exportId}`
}

export const ACCOUNT_DELETE_PATH = `${ACCOUNT_PATH}/delete`

/** Paths below it confirm an export or the deletion of the account with a passkey. */
export const ACCOUNT_CONFIRM_PATH = `${ACCOUNT_PATH}/confirm`
export const PASSKEYS_PATH = `${ACCOUNT_PATH}/passkeys`
export const PASSKEY_ADD_PATH = `${PASSKEYS_PATH}/add`
export const PASSKEY_RENAME_PATH = `${PASSKEYS_PATH}/rename`
export const PASSKEY_REMOVE_PATH = `${PASSKEYS_PATH}/remove`

export const JOBS_PATH = '/user/jobs'
export const CANCEL_JOB_PATH = `${JOBS_PATH}/cancel`

/** A job's page. */
export function jobPath(jobId: number): `${typeof JOBS_PATH}/${number}` {
  return `${JOBS_PATH}/${jobId}`
}

/** Turns around the relations of an import that read them backwards. */
export const JOB_RELATIONS_PATH = `${JOBS_PATH}/:job_id/relations`

/** Server-sent events with the job's progress. */
export function jobEventsPath(jobId: number): string {
  return `${jobPath(jobId)}/events`
}

export const CONNECTIONS_PATH = '/user/connections'

/** People whose company or title changed, latest first. */
export const JOB_CHANGES_PATH = `${CONNECTIONS_PATH}?jobs=changed`
export const DUPLICATES_PATH = `${CONNECTIONS_PATH}/duplicates`
export const NEW_CONNECTION_PATH = `${CONNECTIONS_PATH}/new`

export const NETWORK_PATH = '/user/network'

/** With the chart of the people around one connection (a public ID) or company. */
export function networkPath(
  of: { around: string } | { company: string } | { view: string },
): string {
  return `${NETWORK_PATH}?${new URLSearchParams({ ...of }).toString()}`
}

/** Who may know a person, someone at a company, or people with an occupation. */
export const INTRODUCTIONS_PATH = `${NETWORK_PATH}/introductions`

/** The page with the answers for a person, company or title. */
export function introductionsPath(target: string): string {
  return `${INTRODUCTIONS_PATH}?${new URLSearchParams({ to: target }).toString()}`
}

/** Without scripts, the list of people, or the page that asks for the person of an action. */
export const SEARCH_PATH = '/user/search'

/** What the command palette offers for what is typed, and the keyboard shortcuts. */
export const PALETTE_PATH = '/user/palette'

export const LANGUAGE_PATH = `${ACCOUNT_PATH}/language`

/** Turns single keys on or off in this browser. */
export const KEYS_PATH = `${ACCOUNT_PATH}/keys`

/** Receives text that other apps share. */
export const SHARE_PATH = '/user/share'

/** Saves a view of the list. */
export const COLUMNS_PATH = `${CONNECTIONS_PATH}/columns`

export const VIEWS_PATH = '/user/views'
export const RENAME_VIEW_PATH = `${VIEWS_PATH}/rename`
export const DELETE_VIEW_PATH = `${VIEWS_PATH}/delete`

/** Changes all selected people. */
export const BULK_CONNECTIONS_PATH = `${CONNECTIONS_PATH}/bulk`

/** Downloads connections that an agent exported. */
export const CONTACT_FILE_ROUTE = '/user/exports/:export_id'

/** Looks for photos of people without one. */
export const FIND_PHOTOS_PATH = `${CONNECTIONS_PATH}/photos`
export const DELETED_CONNECTIONS_PATH = `${CONNECTIONS_PATH}/deleted`
export const CONNECTION_SUGGESTIONS_PATH = `${CONNECTIONS_PATH}/suggestions`
export const CONNECTION_ROUTE = `${CONNECTIONS_PATH}/:id`

/** The form actions of a connection's page. */
export type ConnectionAction =
  | 'edit'
  | 'field'
  | 'photo'
  | 'remove-photo'
  | 'note'
  | 'tags'
  | 'relation'
  | 'follow-up'
  | 'contact'
  | 'cadence'
  | 'done'
  | 'split'
  | 'delete'

/** `publicId` is an ID such as `c_12`. With `act`, the path of a form. */
export function connectionPath(publicId: string, act?: ConnectionAction): string {
  return `${CONNECTIONS_PATH}/${publicId}${act === undefined ? '' : `/${act}`}`
}

/** The search for a person that an action is for. */
export function thenPath(action: string): string {
  return `${SEARCH_PATH}?then=${action}`
}

/** The search for a person to log a contact with. */
export const LOG_PATH = thenPath('log')

/** The page of a connection with the open form that logs a contact. */
export function logContactPath(publicId: string): string {
  return `${connectionPath(publicId)}?edit=contact#log`
}

/** The notes, follow-ups and interactions of a connection, each with a page to edit it. */
export type EntryKind = 'notes' | 'follow-ups' | 'interactions'

/**
 * The edit page of a note (`n_4`), a follow-up (`f_3`) or an interaction (`i_7`) of a connection; a follow-up may have none,
 * an empty `publicId`. With `act`, the path of the form that deletes or moves it.
 */
export function entryPath(
  publicId: string,
  kind: EntryKind,
  entryId: string,
  act?: 'delete' | 'move',
): string {
  const place = publicId === '' ? USER_PATH : `${CONNECTIONS_PATH}/${publicId}`
  return `${place}/${kind}/${entryId}${act === undefined ? '' : `/${act}`}`
}

/** The photo of a connection, by its ID. */
export function photoPath(photoId: string): string {
  return `/user/photos/${photoId}`
}

/** The photo of a connection in the size of lists. */
export function smallPhotoPath(photoId: string): string {
  return `${photoPath(photoId)}/small`
}

/** The member's own photo in the size of lists, which is stored like those of connections (see `PHOTO_SIDES`). */
export function ownPhotoPath(photo: string): string {
  return photoPath(`${photo}-96`)
}

/** A size of the photo of a public profile, by the ID of the stored size. */
export function publicPhotoPath(username: string, photoId: string): string {
  return `/human/${username}/photo/${photoId}.jpg`
}

/** How often to be in touch with the people who have a tag. */
export const TAG_CADENCES_PATH = '/user/tags'
export const CUSTOM_FIELDS_PATH = '/user/custom-fields'
export const CUSTOM_FIELD_ORDER_PATH = `${CUSTOM_FIELDS_PATH}/order`
export const CUSTOM_FIELD_ROUTE = `${CUSTOM_FIELDS_PATH}/:id`

/** `fieldId` is a public ID. */
export function customFieldPath(fieldId: string, act?: 'delete'): string {
  return `${CUSTOM_FIELDS_PATH}/${fieldId}${act === undefined ? '' : `/${act}`}`
}

export const FOLLOW_UPS_PATH = '/user/follow-ups'
/** Shows what is read from the text of a new one. */
export const FOLLOW_UP_READING_PATH = `${FOLLOW_UPS_PATH}/reading`
/** The browser opens the box of the field. */
export const ADD_TO_DO_PATH = `${FOLLOW_UPS_PATH}#follow_up`
export const NOTIFICATIONS_PATH = '/user/notifications'
export const REMINDERS_PATH = `${NOTIFICATIONS_PATH}/reminders`
export const FEED_PATH = `${NOTIFICATIONS_PATH}/calendar-feed`
export const DEVICES_PATH = `${NOTIFICATIONS_PATH}/devices`
export const TEST_ENDPOINT_PATH = `${NOTIFICATIONS_PATH}/test`
export const REMOVE_ENDPOINT_PATH = `${NOTIFICATIONS_PATH}/remove`
export const WEBHOOKS_PATH = `${NOTIFICATIONS_PATH}/webhooks`

/** A webhook's page with its deliveries. With `act`, the path of a form. */
export function webhookPath(
  endpointId: number | ':endpoint_id',
  act?: 'causes' | 'redeliver' | 'rotate',
): string {
  return `${WEBHOOKS_PATH}/${endpointId}${act === undefined ? '' : `/${act}`}`
}

/** The service worker that shows messages, at the root because its scope is its folder. */
export const PUSH_WORKER_PATH = '/push-worker.js'

/** A member's reminders for calendar apps. */
export const FEED_ROUTE = '/calendar/:token.ics'

/** Ends summaries by email; without signing in, by a link. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'
export const COMPLETE_FOLLOW_UP_PATH = `${FOLLOW_UPS_PATH}/done`

/** Logs a contact on the page *Today*. */
export const LOG_CONTACT_PATH = '/user/log'

/** Saves the cadences that were chosen on the first day, or ends it. */
export const FIRST_DAY_PATH = '/user/first-day'

export const IMPORT_PATH = '/user/import'

/** The rejected rows of an import, by job ID. */
export function rejectedRowsPath(jobId: number | ':job_id'): string {
  return `${JOBS_PATH}/${jobId}/rejected.csv`
}

/** `encoding` is the text encoding that the member named. */
export function importPreviewPath(uploadId: string, encoding?: string): string {
  const path = `${IMPORT_PATH}/${uploadId}`
  return encoding === undefined ? path : `${path}?encoding=${encodeURIComponent(encoding)}`
}

export const ACTIVITY_PATH = '/user/activity'

/** `publicId` limits the list to one connection. */
export function activityPath(publicId?: string): string {
  return publicId === undefined
    ? ACTIVITY_PATH
    : `${ACTIVITY_PATH}?connection=${encodeURIComponent(publicId)}`
}

export const UNDO_PATH = `${ACTIVITY_PATH}/undo`

/** Undoes a change by an agent and all later ones by the same agent. */
export const UNDO_SINCE_PATH = `${ACTIVITY_PATH}/undo-since`

export const ADMIN_PATH = '/admin'
export const ADMIN_MEMBERS_PATH = `${ADMIN_PATH}/members`
export const ADMIN_INVITATIONS_PATH = `${ADMIN_PATH}/invites`
export const REVOKE_INVITATION_PATH = `${ADMIN_INVITATIONS_PATH}/revoke`

/** A member's page for admins. */
export function adminMemberPath(username: string): string {
  return `${ADMIN_MEMBERS_PATH}/${username}`
}

/** The routes of that page and its forms. */
export const ADMIN_MEMBER_PATTERN = `${ADMIN_MEMBERS_PATH}/:username`

/** `query` is the search text; empty for all members. */
export function adminMembersPath(query: string): string {
  return query === '' ? ADMIN_MEMBERS_PATH : `${ADMIN_MEMBERS_PATH}?q=${encodeURIComponent(query)}`
}

/** The page *Today* of a day. */
export const BRIEFING_PATH = '/user/briefing'

export const CONTACT_DEVICES_PATH = '/user/devices'
export const REVOKE_DEVICE_PATH = `${CONTACT_DEVICES_PATH}/revoke`
export const CONFIRM_DEVICE_PATH = `${CONTACT_DEVICES_PATH}/confirm-changes`
export const DEVICE_FIELDS_PATH = `${CONTACT_DEVICES_PATH}/fields`
export const UNDO_DEVICE_PATH = `${CONTACT_DEVICES_PATH}/undo`
export const DEVICE_PROFILE_PATH = `${CONTACT_DEVICES_PATH}/profile`

/** Address books elsewhere. */
export const ADDRESS_BOOKS_PATH = '/user/address-books'
export const PULL_BOOK_PATH = `${ADDRESS_BOOKS_PATH}/pull`
export const REMOVE_BOOK_PATH = `${ADDRESS_BOOKS_PATH}/remove`

export const CALENDAR_PATH = '/user/calendar'
export const SYNC_CALENDAR_PATH = `${CALENDAR_PATH}/sync`
export const DISCONNECT_CALENDAR_PATH = `${CALENDAR_PATH}/disconnect`
export const OWN_EMAILS_PATH = `${CALENDAR_PATH}/addresses`

export const CREDITS_PATH = '/user/credits'

export const INTEGRATIONS_PATH = '/user/integrations/mcp'

export const ADMIN_LOG_PATH = `${ADMIN_PATH}/log`
export const ADMIN_ATTEMPTS_PATH = `${ADMIN_PATH}/attempts`

export const DISCONNECT_AGENT_PATH = `${INTEGRATIONS_PATH}/disconnect`
export const REVOKE_TOKEN_PATH = `${INTEGRATIONS_PATH}/revoke-token`
export const AGENT_LIMITS_PATH = `${INTEGRATIONS_PATH}/limits`

/** `credentialId` is the ID of a grant or an API token. */
export function agentLimitsPath(credentialId: string): string {
  return `${AGENT_LIMITS_PATH}?agent=${encodeURIComponent(credentialId)}`
}

export const REMOVE_CLOUD_AGENT_PATH = `${INTEGRATIONS_PATH}/remove-agent`

export const PROFILE_PATH = '/user/profile'
export const PROFILE_PREVIEW_PATH = `${PROFILE_PATH}/preview`
export const PROFILE_PHOTO_PATH = `${PROFILE_PATH}/photo`
export const REMOVE_PROFILE_PHOTO_PATH = `${PROFILE_PHOTO_PATH}/remove`

export const DIRECTORY_PATH = '/network'

export const DOCS_PATH = '/docs'
export const GETTING_STARTED_PATH = '/docs/start'

export const DIRECTORY_MARKDOWN_PATH = '/network.md'

export { SIGN_IN_PATH, SIGN_OUT_PATH } from '../http/run-route.ts'

/** Begins a tour of the demo account. */
export const TOUR_PATH = '/tour'
export const END_TOUR_PATH = '/tour/end'

export const AUTHORIZE_PATH = '/oauth/authorize'

export const JOIN_PATH = '/join'

/** Proposes a username for a name. */
export const JOIN_USERNAME_PATH = `${JOIN_PATH}/username`

export const RESET_PATH = '/reset'

export const FORGOT_PASSWORD_PATH = '/forgot-password'

export const USER_PATH = '/user'

/** The page *Today* of a day; both are YYYY-MM-DD. */
export function todayPath(
  day: string,
  today: string,
): typeof USER_PATH | `${typeof USER_PATH}?${string}` {
  return day === today ? USER_PATH : `${USER_PATH}?day=${day}`
}

/** Where members land after signing in, unless they were on their way to another page. */
export const MEMBER_HOME_PATH = USER_PATH
