/** Fetches a calendar from the secret address that a member entered, never from this server's own network. */

import { phrase, t, type Message } from '../../languages/message.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { invalidArgument } from '../../base/request-error.ts'
import { CalendarError } from '../../calendar/calendar-error.ts'
import { PUBLIC_ONLY } from '../../http/public-fetch/public-address.ts'
import {
  FetchFailure,
  fetchPublic,
  isFetchable,
  type FetchPolicy,
} from '../../http/public-fetch/public-fetch.ts'
import type { OutgoingPermit } from '../../base/concurrency/outgoing-pool.ts'

/** A calendar of ten years with 20,000 events. */
export const MAX_CALENDAR_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 3
const MAX_ADDRESS_LENGTH = 2000

/** Validators of the last response, so that an unchanged calendar is not sent again. */
interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

interface FetchedCalendar extends Validators {
  /** Undefined if the calendar has not changed. */
  readonly bytes: Uint8Array | undefined
}

/**
 * Reads an address as calendar services show it, also with `webcal:`.
 *
 * @throws {RequestError} `invalid_request` when it is not a public https address.
 */
export function readCalendarAddress(text: string): URL {
  const url = URL.parse(text.trim().replace(/^webcals?:/i, 'https:'))
  if (text.length <= MAX_ADDRESS_LENGTH && url && isFetchable(url)) return url
  throw invalidArgument(
    'secret_address',
    t(
      'must be the https address of a calendar, with a host name. Copy the secret address in iCal format from your calendar',
    ),
  )
}

/** What people recognize the address by: its host and last characters. */
export function addressHintOf(url: URL): string {
  return `${url.host}/…${url.href.slice(-4)}`
}

/** @throws {CalendarError} when the calendar cannot be fetched. The message never contains the address. */
export async function fetchCalendar(
  permit: OutgoingPermit,
  address: URL,
  { etag, lastModified }: Validators,
  policy: Partial<FetchPolicy>,
): Promise<FetchedCalendar> {
  const headers = {
    accept: 'text/calendar, */*;q=0.1',
    'user-agent': 'Weft (calendar)',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
  const request = { headers, maxBytes: MAX_CALENDAR_BYTES }
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!isFetchable(url)) throw new CalendarError(NOT_PUBLIC)
    const allowed = { ...PUBLIC_ONLY, ...policy }
    const response = await fetchPublic(permit, url, allowed, request).catch(explained)
    const { status, headers: answered, bytes } = response
    const validators = {
      etag: answered.etag ?? null,
      lastModified: answered['last-modified'] ?? null,
    }
    if (status === 200) return { ...validators, bytes }
    if (status === 304) return { etag, lastModified, bytes: undefined }
    const next = status >= 300 && status < 400 ? URL.parse(answered.location ?? '', url) : null
    if (!next) throw new CalendarError(problemOf(status))
    url = next
  }
  throw new CalendarError({ source: phrase('redirects too often') })
}

const NOT_PUBLIC: Message = { source: phrase('redirects to an address that is not public') }

function problemOf(status: number): Message {
  return {
    source:
      status === 401 || status === 403 || status === 404 || status === 410
        ? phrase(
            'was not found at its address (status {status}). The address may have been reset: copy it again',
          )
        : phrase('could not be read: its server answered with status {status}'),
    values: { status },
  }
}

function explained(error: unknown): never {
  if (!(error instanceof FetchFailure)) throw error
  throw new CalendarError(
    error.reason === 'too_large'
      ? {
          source: phrase('is larger than {maxCalendarBytes}'),
          values: { maxCalendarBytes: formatBytes(MAX_CALENDAR_BYTES) },
        }
      : { source: phrase('could not be reached, or its server did not answer in time') },
  )
}
