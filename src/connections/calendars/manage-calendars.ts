/** What members do with their calendars, on the page and on the command line. */

import { problemText } from '../../calendar/calendar-error.ts'
import { t } from '../../languages/message.ts'
import { MAX_EMAIL_LENGTH } from '../../base/limits.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { sealFor, unsealFor } from '../../deliveries/seal-for-member.ts'
import { isPlainEmail } from '../../contact-files/contact/emails-and-phones.ts'
import { DAY, SECOND } from '../../base/clock.ts'
import { syncChangeOf, syncInteractions } from '../interactions/sync-interactions.ts'
import {
  addCalendar,
  calendarSource,
  claimCalendar,
  listSynced,
  releaseCalendar,
  removeCalendar,
  requireCalendar,
  type Calendar,
} from './calendar-store.ts'
import { readOwnEmails, setOwnEmails } from './own-emails.ts'
import { listMeetings } from '../meetings/meeting-store.ts'
import { addressHintOf, readCalendarAddress } from './fetch-calendar.ts'
import { findByEmail } from '../model/find-by-email.ts'
import { syncClaimedCalendar } from './sync-calendar.ts'
import type { CalendarDeps } from './calendar-deps.ts'
import type { CalendarPerson } from '../../calendar/meeting.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Changing } from '../../tools/tool.ts'

const MAX_NAME_LENGTH = 100
const MAX_OWN_EMAILS = 20
/** A person waits for the sync. Most calendars take a second. */
const PATIENCE_MS = 45 * SECOND

interface NewCalendar {
  /** As the member pasted it. */
  readonly secret_address: string
  /** Empty: the name that the calendar has. */
  readonly name: string
}

/**
 * Connects a calendar and reads it for the first time.
 *
 * @throws {RequestError} `invalid_request` when the address is not valid or no calendar can be read there.
 * @throws {RequestError} `conflict` when the member has too many calendars.
 */
export async function connectCalendar(
  deps: CalendarDeps,
  memberId: number,
  { secret_address: address, name }: NewCalendar,
): Promise<Calendar> {
  const url = readCalendarAddress(address)
  if (name.length > MAX_NAME_LENGTH)
    throw invalidArgument(
      'name',
      t('must have at most {maxNameLength} characters', { maxNameLength: MAX_NAME_LENGTH }),
    )
  const secret = deps.sealSecret()
  const sealed = sealFor(secret, memberId, url.href, 'calendar')
  const isSame = (other: string) => unsealFor(secret, memberId, other, 'calendar') === url.href
  const db = deps.database.member(memberId)
  const now = deps.clock.now()
  const added = { name: name.trim(), address: sealed, addressHint: addressHintOf(url) }
  const calendarId = await db.write((tx) => addCalendar(tx, added, { now, isSame }))
  const remove = () => db.write((tx) => removeCalendar(tx, calendarId))
  const { error } = await syncNow(deps, memberId, calendarId).catch(async (thrown: unknown) => {
    await remove()
    throw thrown
  })
  if (error === null) return requireCalendar(db, calendarId)
  await remove()
  throw invalidArgument(
    'secret_address',
    t('cannot be used. {error}', { error: problemText(error).slice(0, -1) }),
  )
}

/**
 * Syncs a calendar at once, also one whose syncing has stopped. The `error` of the result says why it failed.
 *
 * @throws {RequestError} `not_found` when the member has no such calendar.
 * @throws {RequestError} `conflict` when it is being synced.
 * @throws {RequestError} `unavailable` when too many calendars are waiting.
 */
export async function syncNow(
  deps: CalendarDeps,
  memberId: number,
  calendarId: number,
): Promise<{ readonly error: string | null }> {
  const db = deps.database.member(memberId)
  const calendar = await requireCalendar(db, calendarId)
  const lease = { now: deps.clock.now(), always: true }
  const claimed = await db.write((tx) => claimCalendar(tx, calendarId, lease))
  if (!claimed) throw alreadySyncing()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const { addressHint } = calendar
  try {
    const turn = { memberId, calendarId, addressHint, signal }
    return await syncClaimedCalendar(deps, turn, { ...claimed, failures: 0 })
  } catch (error) {
    await db.write((tx) => releaseCalendar(tx, calendarId))
    throw error === signal.reason ? tooManyWaiting() : error
  }
}

function alreadySyncing(): RequestError {
  return new RequestError('conflict', t('This calendar is being synced.'), {
    hint: t('Try again in a minute.'),
  })
}

function tooManyWaiting(): RequestError {
  return new RequestError('unavailable', t('Too many calendars are being synced.'), {
    hint: t('Try again in a minute.'),
  })
}

/**
 * Forgets a calendar and its address. Deletes the interactions that it brought, unless they are kept. Returns the
 * activity entry of the deletion.
 *
 * @throws {RequestError} `not_found` when the member has no such calendar.
 */
export async function disconnectCalendar(
  { tx, now, record }: Changing,
  calendarId: number,
  { keep }: { readonly keep: boolean },
): Promise<number | undefined> {
  await requireCalendar(tx, calendarId)
  await removeCalendar(tx, calendarId)
  if (keep) return undefined
  const source = calendarSource(calendarId)
  const remove = (await listSynced(tx, calendarId, 0)).map(({ key }) => key)
  const changes = await syncInteractions(tx, { source, remove }, now)
  return changes.length === 0 ? undefined : record(syncChangeOf(source, changes))
}

/**
 * Stores the addresses by which calendars know the member, beside the one of the account.
 *
 * @throws {RequestError} `invalid_request` when one is not an email address, or there are too many.
 */
export async function changeOwnEmails(tx: MemberTransaction, text: string): Promise<void> {
  const emails = [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter((one) => one !== ''),
    ),
  ]
  const wrong = emails.find((one) => one.length > MAX_EMAIL_LENGTH || !isPlainEmail(one))
  if (wrong !== undefined)
    throw invalidArgument(
      'own_emails',
      t('“{0}” is not an email address', { 0: wrong.slice(0, 50) }),
    )
  if (emails.length > MAX_OWN_EMAILS)
    throw invalidArgument(
      'own_emails',
      t('must be at most {maxOwnEmails} addresses', { maxOwnEmails: MAX_OWN_EMAILS }),
    )
  await setOwnEmails(tx, emails)
}

export interface SuggestedPerson extends CalendarPerson {
  readonly meetings: number
}

const MAX_SUGGESTIONS = 20
const MAX_READ = 5000

/** Attendees of the stored meetings who are not connections, most meetings first. */
export async function suggestPeople(db: MemberReader, now: number): Promise<SuggestedPerson[]> {
  const window = { from: now - 90 * DAY, to: now + 30 * DAY, limit: MAX_READ }
  const people = new Map<string, { name: string | null; meetings: number }>()
  for (const { people: present } of await listMeetings(db, window))
    for (const { email, name } of present) {
      const known = people.get(email)
      people.set(email, { name: name ?? known?.name ?? null, meetings: (known?.meetings ?? 0) + 1 })
    }
  const [connections, own] = await Promise.all([
    findByEmail(db, [...people.keys()], { isSharedKnown: true }),
    readOwnEmails(db),
  ])
  return [...people]
    .filter(([email]) => !connections.has(email) && !own.includes(email))
    .map(([email, { name, meetings }]) => ({ email, name, meetings }))
    .toSorted((one, other) => other.meetings - one.meetings || (one.email < other.email ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
}
