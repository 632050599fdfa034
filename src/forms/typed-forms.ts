/**
 * Forms that were sent after their session had ended. What was typed waits in the member's idempotency records, encrypted,
 * until the same member has signed in again in the same browser. Then its page shows the form filled in.
 */

import { hash, randomBytes } from 'node:crypto'
import { cookiesFor } from '../access/cookies.ts'
import { isKnownBrowser, readFormOwner } from '../access/known-browser.ts'
import { HOUR, SECOND, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { seal, unseal, type SealKey } from '../base/seal.ts'
import { requestKey, type RequestKey } from '../guards/idempotency-key.ts'
import { findAnswer, forgetAnswer, recordAnswer } from '../guards/idempotency-record.ts'
import { fillForm, type TypedForm } from './fill-form.ts'
import { FORM_KEY, FORM_TOKEN, isSecretField } from '../http/form-guard.ts'
import type { Database } from '../db/database.ts'
import type { SentForm, TypedForms, TypedFormVisit } from '../http/typed-forms.ts'
import type { Answer } from '../http/response.ts'

interface TypedFormsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
}

interface KeptForm extends TypedForm {
  readonly page: string
  readonly until: number
}

/** Enough to find a second factor. */
const LIFETIME_MS = HOUR
/** Characters of JSON. The longest note has 20,000 characters. */
const MAX_TYPED_LENGTH = 512 * 1024
/** More than the form of a person with the most values has. */
const MAX_FIELDS = 10_000
/** Maximum number of forms per browser. The oldest one is dropped. */
const MAX_FORMS = 8

const COOKIE = 'weft_typed'

/** Whether a form of this browser waits for its member to sign in. */
export function hasTypedForms(publicUrl: string, cookies: string | undefined): boolean {
  return keysIn(publicUrl, cookies).length > 0
}

/** Keeps at most `MAX_FORMS` forms per browser, each for an hour. Secrets and files are dropped. */
export function typedForms(deps: TypedFormsDeps): TypedForms {
  const { publicUrl } = deps
  const cookies = cookiesFor(publicUrl)
  const cookieOf = (keys: readonly string[]) =>
    keys.length === 0
      ? cookies.clear(COOKIE)
      : cookies.write(COOKIE, keys.join('.'), LIFETIME_MS / SECOND)
  return {
    async keep(form) {
      const key = await keep(deps, form)
      const keys = keysIn(publicUrl, form.cookies)
      return key === undefined ? undefined : [cookieOf([...keys, key].slice(-MAX_FORMS))]
    },
    async restore(answer, visit) {
      const keys = keysIn(publicUrl, visit.cookies)
      if (keys.length === 0) return answer
      const isSent = visit.method === 'POST' && answer.status === 303
      const markup = visit.method === 'GET' ? markupOf(answer) : undefined
      if (!isSent && markup === undefined) return answer
      const kept = await readKept(deps, visit, keys)
      const { body, done } =
        markup === undefined
          ? { body: answer.body, done: sentForms(kept, visit.path) }
          : fillPage(markup, kept, visit.path)
      await forget(deps, visit, done)
      const cookie = done.length === 0 ? [] : [cookieOf(keys.filter((key) => !done.includes(key)))]
      return { ...answer, body, cookies: [...(answer.cookies ?? []), ...cookie] }
    },
  }
}

/** Returns its key. Undefined if nothing was typed, or the form is not that of a member who has signed in here. */
async function keep(
  { database, clock }: TypedFormsDeps,
  { browser: { browserSecret, member }, action, page, fields }: SentForm,
): Promise<string | undefined> {
  if (browserSecret === undefined) return undefined
  const owner = readFormOwner(browserSecret, fields.get(FORM_TOKEN) ?? '')
  if (owner === undefined || (member && member.memberId !== owner)) return undefined
  const now = clock.now()
  const typed = [...fields].filter(([name]) => !DROPPED.has(name) && !isSecretField(name))
  const kept: KeptForm = { action, page, fields: typed, until: now + LIFETIME_MS }
  if (typed.length === 0 || typed.length > MAX_FIELDS) return undefined
  if (JSON.stringify(kept).length > MAX_TYPED_LENGTH) return undefined
  const key = randomBytes(16).toString('base64url')
  try {
    return await database.member(owner).write(async (tx) => {
      if (!(await isKnownBrowser(tx, browserSecret))) return undefined
      const sealed = seal(sealKeyOf(browserSecret, key), kept)
      await recordAnswer(tx, requestOf(browserSecret, key), sealed, now)
      return key
    })
  } catch (error) {
    // The member's records have reached their daily limit.
    if (error instanceof RequestError && error.code === 'rate_limited') return undefined
    throw error
  }
}

const DROPPED: ReadonlySet<string> = new Set([FORM_TOKEN, FORM_KEY])

/** Newest first, without those of other members. */
async function readKept(
  { database, clock }: TypedFormsDeps,
  { browser: { browserSecret, member } }: TypedFormVisit,
  keys: readonly string[],
): Promise<readonly (readonly [key: string, kept: KeptForm])[]> {
  if (browserSecret === undefined) return []
  const db = database.member(member.memberId)
  const now = clock.now()
  const read = keys.toReversed().map(async (key) => {
    const sealed = await findAnswer(db, requestOf(browserSecret, key), now)
    // Authenticated, and sealed above for this purpose, so it has its type.
    const kept = unseal(sealKeyOf(browserSecret, key), sealed ?? '') as KeptForm | undefined
    return kept && kept.until > now ? [[key, kept] as const] : []
  })
  return (await Promise.all(read)).flat()
}

type Kept = Awaited<ReturnType<typeof readKept>>

/** Fills only the newest of several forms with the same path. The next one follows when it was sent. */
function fillPage(markup: string, kept: Kept, path: string) {
  let body = markup
  const done: string[] = []
  const actions = new Set<string>()
  for (const [key, form] of kept) {
    if (form.page !== path || actions.has(form.action)) continue
    actions.add(form.action)
    const filled = fillForm(body, form)
    body = filled.markup
    // A form with buttons only: its notice is shown once.
    if (!filled.hasTyped) done.push(key)
  }
  return { body, done }
}

/** The keys of the newest form with this path, and of repeated submissions of it. */
function sentForms(kept: Kept, path: string): string[] {
  const [, sent] = kept.find(([, { action }]) => action === path) ?? []
  const same = kept.filter(
    ([, { action, fields }]) =>
      action === path && JSON.stringify(fields) === JSON.stringify(sent?.fields),
  )
  return same.map(([key]) => key)
}

async function forget(
  { database }: TypedFormsDeps,
  { browser: { browserSecret, member } }: TypedFormVisit,
  keys: readonly string[],
): Promise<void> {
  if (browserSecret === undefined || keys.length === 0) return
  await database.member(member.memberId).write(async (tx) => {
    for (const key of keys) await forgetAnswer(tx, requestOf(browserSecret, key))
  })
}

function markupOf({ body, headers }: Answer): string | undefined {
  const isPage = headers['content-type']?.startsWith('text/html') === true
  return isPage && typeof body === 'string' ? body : undefined
}

function keysIn(publicUrl: string, cookies: string | undefined): string[] {
  const value = cookiesFor(publicUrl).read(cookies, COOKIE) ?? ''
  return value
    .split('.')
    .filter((key) => /^[\w-]{22}$/.test(key))
    .slice(-MAX_FORMS)
}

/** Needs both cookies of the browser. */
function sealKeyOf(browserSecret: string, key: string): SealKey {
  return { secret: `${browserSecret} ${key}`, purpose: 'weft typed form' }
}

function requestOf(browserSecret: string, key: string): RequestKey {
  const scope = hash('sha256', browserSecret, 'hex')
  return requestKey({ scope, surface: 'typed form', key, fingerprint: scope })
}
