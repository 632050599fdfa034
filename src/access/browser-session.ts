/** Browser sessions of signed-in members. The cookie holds the secret, the database its hash. */

import { createHmac } from 'node:crypto'
import { DAY, HOUR, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { canonicalTimeZone } from '../dates/time-zone.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../base/secrets.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { cookiesFor, readTheme, readTimeZone } from './cookies.ts'
import { formOwner, readBrowserCookie } from './known-browser.ts'
import { lockMember } from './lock-member.ts'
import { findTourMember, readTour } from './demo-tour.ts'
import type { Database, MemberReader, MemberTransaction } from '../db/database.ts'
import type {
  MemberRole,
  ReadBrowserRequest,
  SignedIn,
  SignedInRequest,
} from '../http/browser-request.ts'

export interface BrowserSession {
  readonly sessionId: string
  readonly userAgent: string | null
  readonly createdAt: number
  readonly lastSeenAt: number
}

const SESSION_PREFIX = 'weft_ses_'
const VISIT_PREFIX = 'weft_vis_'

/** Two weeks without use, three months in any case. */
const IDLE_LIFETIME_MS = 14 * DAY
const LIFETIME = 90 * DAY
/** Updates of `last_seen_at`. */
const SEEN_RESOLUTION = HOUR
const MAX_USER_AGENT_LENGTH = 400

/** Beyond it, the least recently used session ends. */
export const MAX_SESSIONS = 30

/** Starts a session with a new secret, which prevents session fixation. */
export async function startSession(
  tx: MemberTransaction,
  { userAgent, now }: { readonly userAgent: string | undefined; readonly now: number },
): Promise<{ readonly secret: string }> {
  const secret = newSecret(SESSION_PREFIX)
  await tx.run(END_OLDEST, { kept: MAX_SESSIONS - 1 })
  await insertRow(tx, 'browser_sessions', {
    session_hash: hashSecret(secret),
    user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null,
    created_at: now,
    last_seen_at: now,
    expires_at: now + IDLE_LIFETIME_MS,
  })
  return { secret }
}

/** Returns the `Set-Cookie` values that sign a browser in or out. */
export function sessionCookies(publicUrl: string) {
  const cookies = cookiesFor(publicUrl)
  return {
    signIn: (secret: string) => [
      cookies.write('weft_session', secret, LIFETIME / 1000),
      cookies.clear('weft_visit'),
      cookies.clear('weft_tour'),
    ],
    signOut: () => [cookies.clear('weft_session'), cookies.clear('weft_tour')],
  }
}

/** Lists sessions, most recently used first. */
export async function listSessions(reader: MemberReader, now: number): Promise<BrowserSession[]> {
  return reader.all(LIVE, { now })
}

/** Returns false if the member has no such session. */
export async function endSession(tx: MemberTransaction, sessionId: string): Promise<boolean> {
  return (await tx.run(END, { session_hash: sessionId })) > 0
}

/** Ends all other sessions. */
export async function endOtherSessions(tx: MemberTransaction, sessionId: string): Promise<number> {
  return tx.run(END_OTHERS, { session_hash: sessionId })
}

/**
 * After a password change: gives the session a new secret and ends the other ones. The caller must have locked the
 * session with `requireLiveSession`, and send `sessionCookies(…).signIn`.
 */
export async function renewOnlySession(
  tx: MemberTransaction,
  sessionId: string,
): Promise<{ readonly secret: string }> {
  const secret = newSecret(SESSION_PREFIX)
  await endOtherSessions(tx, sessionId)
  await tx.run(RENEW, { session_hash: sessionId, new_hash: hashSecret(secret) })
  return { secret }
}

/** Ends all sessions of a disabled member. They stay ended if the member is enabled again. */
export async function endAllSessions(tx: MemberTransaction): Promise<number> {
  return tx.run(END_ALL, {})
}

/**
 * Locks a session that was read earlier until the transaction ends.
 *
 * @throws {RequestError} `forbidden` when the session has ended.
 */
export async function requireLiveSession(
  tx: MemberTransaction,
  sessionId: string,
  now: number,
): Promise<void> {
  await lockMember(tx)
  if ((await tx.run(HOLD, { session_hash: sessionId, now })) > 0) return
  throw new RequestError('forbidden', 'You have been signed out, so no changes were made.', {
    hint: 'Sign in and try again.',
  })
}

interface VisitDeps {
  /** `WEFT_DEMO`; `on` by default. */
  readonly demo?: 'on' | 'off'
  /** `WEFT_SIGN_UP`; `invite` by default. */
  readonly signUp?: 'open' | 'invite' | 'closed'
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
}

/**
 * Reads the session from a `Cookie` header. The CSRF token is derived from its secret, so it changes with each sign-in. It
 * also tells whose form it is.
 */
export function browserRequestReader({
  database,
  clock,
  publicUrl,
  demo,
  signUp,
}: VisitDeps): ReadBrowserRequest {
  const cookies = cookiesFor(publicUrl)
  const read: ReadBrowserRequest = async (header) => {
    const told = readTimeZone(header)
    const timeZone = told ?? 'UTC'
    const secret = cookies.read(header, 'weft_session')
    const member =
      secret && (await findSignedIn(database, { secret, timeZone: told, now: clock.now() }))
    const browserSecret = readBrowserCookie(publicUrl, header)
    const own =
      secret && member ? ownSession(secret, member, { timeZone, browserSecret }) : undefined
    const tour = demo === 'off' ? undefined : readTour(publicUrl, header)
    const guide = tour === undefined ? undefined : await findTourMember(database)
    if (tour !== undefined && guide) {
      const language = own?.member.language ?? null
      const seen = { ...guide, language, canJoin: signUp === 'open' }
      const formToken = formTokenOf(tour)
      const outside = own && { outsideTour: own }
      return { member: seen, formToken, timeZone, browserSecret, cookies: [], ...outside }
    }
    if (own) return own
    const browser = cookies.read(header, 'weft_visit')
    const ended = secret === undefined ? {} : { endedFormToken: formTokenOf(secret) }
    const visit = { member: undefined, timeZone, browserSecret, ...ended }
    if (browser !== undefined && isWellFormedSecret(VISIT_PREFIX, browser))
      return { ...visit, formToken: formTokenOf(browser), cookies: [] }
    const value = newSecret(VISIT_PREFIX)
    const added = [cookies.write('weft_visit', value)]
    return { ...visit, formToken: formTokenOf(value), cookies: added }
  }
  return async (header) => Object.assign(await read(header), { theme: readTheme(header) })
}

function ownSession(
  secret: string,
  { timeZone: own, ...member }: SignedIn & { readonly timeZone: string | null },
  {
    timeZone,
    browserSecret,
  }: { readonly timeZone: string; readonly browserSecret?: string | undefined },
): SignedInRequest {
  const owner = browserSecret && `.${formOwner(browserSecret, member.memberId)}`
  const formToken = formTokenOf(secret) + (owner ?? '')
  return { member, formToken, timeZone: own ?? timeZone, browserSecret, cookies: [] }
}

/** The CSRF token of the session or visit with this secret. */
export function formTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url')
}

interface Seen {
  readonly secret: string
  /** Unchecked. */
  readonly timeZone: string | undefined
  readonly now: number
}

async function findSignedIn(
  database: Database,
  { secret, timeZone, now }: Seen,
): Promise<(SignedIn & { readonly timeZone: string | null }) | undefined> {
  if (!isWellFormedSecret(SESSION_PREFIX, secret)) return undefined
  const row = await database.get(BY_HASH, { session_hash: hashSecret(secret), now })
  if (!row) return undefined
  if (row.last_seen_at < now - SEEN_RESOLUTION) recordSeen(database, row, now)
  if (timeZone !== undefined && row.time_zone === null) recordTimeZone(database, row, timeZone)
  return {
    memberId: row.member_id,
    username: row.username,
    name: row.name,
    role: row.role,
    language: row.language,
    photo: row.photo,
    sessionId: row.session_hash,
    signedInAt: row.created_at,
    timeZone: row.time_zone,
  }
}

/** Runs in the background. A lost update does no harm. */
function recordSeen(database: Database, row: SessionRow, now: number): void {
  const { member_id, session_hash, created_at } = row
  const expires_at = Math.min(now + IDLE_LIFETIME_MS, created_at + LIFETIME)
  database
    .member(member_id)
    .write((tx) => tx.run(SEEN, { session_hash, now, expires_at }))
    .catch(() => {})
}

/** The zone of the first browser is the member's until they set another. A lost update does no harm. */
function recordTimeZone(database: Database, row: SessionRow, timeZone: string): void {
  const time_zone = canonicalTimeZone(timeZone)
  if (time_zone === undefined) return
  database.write((tx) => tx.run(SET_TIME_ZONE, { ...row, time_zone })).catch(() => {})
}

interface SessionRow {
  readonly session_hash: string
  readonly member_id: number
  readonly username: string
  readonly name: string
  readonly role: MemberRole
  readonly time_zone: string | null
  readonly language: string | null
  readonly photo: string | null
  readonly created_at: number
  readonly last_seen_at: number
}

/** By the primary key. */
const BY_HASH = statement<{ session_hash: string; now: number }, SessionRow>(`
  select s.session_hash, s.member_id, s.created_at, s.last_seen_at, m.username, m.name, m.role, m.time_zone, m.language, m.photo
  from browser_sessions s join members m on m.member_id = s.member_id
  where s.session_hash = :session_hash and s.expires_at > :now and m.disabled_at is null`)

/** By browser_sessions_by_member. */
const LIVE = memberStatement<{ now: number }, BrowserSession>()(`
  select session_hash as "sessionId", ${asProperties('user_agent, created_at, last_seen_at')} from browser_sessions
  where member_id = :member_id and expires_at > :now order by last_seen_at desc, session_hash`)

const END = memberStatement<{ session_hash: string }>()(
  'delete from browser_sessions where member_id = :member_id and session_hash = :session_hash',
)

const END_OTHERS = memberStatement<{ session_hash: string }>()(
  'delete from browser_sessions where member_id = :member_id and session_hash <> :session_hash',
)

const RENEW = memberStatement<{ session_hash: string; new_hash: string }>()(`
  update browser_sessions set session_hash = :new_hash
  where member_id = :member_id and session_hash = :session_hash`)

const END_ALL = memberStatement()('delete from browser_sessions where member_id = :member_id')

/** A no-op that locks the row. By the primary key. */
const HOLD = memberStatement<{ session_hash: string; now: number }>()(`
  update browser_sessions set last_seen_at = last_seen_at
  where member_id = :member_id and session_hash = :session_hash and expires_at > :now`)

/** By browser_sessions_by_member. */
const END_OLDEST = memberStatement<{ kept: number }>()(`
  delete from browser_sessions where member_id = :member_id and session_hash not in (
    select session_hash from browser_sessions where member_id = :member_id
    order by last_seen_at desc, created_at desc, session_hash limit :kept)`)

const SEEN = memberStatement<{ session_hash: string; now: number; expires_at: number }>()(`
  update browser_sessions set last_seen_at = :now, expires_at = :expires_at
  where member_id = :member_id and session_hash = :session_hash`)

const SET_TIME_ZONE = statement<{ member_id: number; time_zone: string }>(
  'update members set time_zone = :time_zone where member_id = :member_id and time_zone is null',
)

/** Deletes expired sessions. By browser_sessions_by_expiry. */
export const sweepSessions = sweepOf('browser_sessions', 'session_hash', 'expires_at')
