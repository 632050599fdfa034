/** A minimal browser: stores cookies, reads and submits forms, and follows redirects on request. */

import assert from 'node:assert/strict'
import { parseSetCookie } from 'cookie'
import { startSession } from '../../src/access/browser-session.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { Database } from '../../src/db/database.ts'
import type { Member } from '../../src/members/member-row.ts'

export interface Visitor {
  /** The base URL until a page was visited. */
  readonly url: string
  /** The cookies for `url`, by name. */
  readonly cookies: Readonly<Record<string, string>>
  /** The same as a `Cookie` header. */
  readonly cookie: string
  /** Gets a path, or a URL of another service. Redirects are not followed. */
  get(address: string, headers?: Headers): Promise<Page>
  /**
   * Submits a form of the page as a browser does: its values, changed by `fields`, and the pressed button, named by
   * its label or value. If the page has several forms, it is the one with these fields and this button.
   */
  submit(page: Page, fields?: Fields, button?: string): Promise<Page>
  /** Submits any form, with headers for its origin; `FormData` is sent as multipart with files. */
  post(address: string, form: Fields | URLSearchParams | FormData, headers?: Headers): Promise<Page>
  /** Follows the redirects from this page on any host, and returns the last page. */
  follow(page: Page): Promise<Page>
}

export interface Page {
  readonly status: number
  /** Its URL. */
  readonly address: string
  readonly headers: globalThis.Headers
  /** The absolute URL of a redirect. */
  readonly location: string | undefined
  readonly html: string
  /** The visible text on one line, without the initials of faces. */
  readonly text: string
  readonly forms: readonly Form[]
  /** The form token of its forms. Throws if there is none. */
  readonly formToken: string
  /** URLs of links, by their text. */
  readonly links: Readonly<Record<string, string>>
}

export interface Form {
  /** Absolute. */
  readonly action: string
  readonly method: 'get' | 'post'
  readonly fields: Readonly<Record<string, string>>
  /** The error messages, by field name. */
  readonly errors: Readonly<Record<string, string>>
  readonly buttons: readonly Button[]
}

interface Button {
  readonly label: string
  readonly name: string | undefined
  readonly value: string
  /** The absolute URL of its `formaction`, if it has one. */
  readonly action: string | undefined
}

type Fields = Readonly<Record<string, string>>
type Headers = Readonly<Record<string, string>>

/** The headers that a browser sends with a same-origin form. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

const MAX_REDIRECTS = 20

/** A browser in which this member is signed in. */
export async function openSignedIn(
  { database, clock, url }: MembersService,
  { memberId }: Pick<Member, 'memberId'>,
  userAgent = 'test',
): Promise<Visitor> {
  const session = { userAgent, now: clock.now() }
  const { secret } = await database.member(memberId).write((tx) => startSession(tx, session))
  return openVisitor(url, `weft_session=${secret}`)
}

export interface MembersService {
  readonly database: Database
  readonly clock: Clock
  readonly url: string
}

/** A new browser with the cookies in `setCookies`, each in the format of a `Set-Cookie` header. */
export function openVisitor(url: string, ...setCookies: readonly string[]): Visitor {
  const jar = new CookieJar()
  jar.keep(new URL(url), setCookies)
  const visit = async (address: string, request: Sent = {}) => {
    const target = new URL(address, url)
    const cookie = jar.read(target)
    const headers = { ...(cookie !== '' && { cookie }), ...request.headers }
    const response = await fetch(target, { ...request, headers, redirect: 'manual' })
    jar.keep(target, response.headers.getSetCookie())
    return readPage(target.href, response)
  }
  return {
    url,
    get cookies() {
      return jar.of(new URL(url))
    },
    get cookie() {
      return jar.read(new URL(url))
    },
    get: (address, headers = {}) => visit(address, { headers }),
    post: (address, form, headers = {}) => {
      const body = form instanceof FormData ? form : new URLSearchParams(form)
      return visit(address, { method: 'POST', body, headers })
    },
    submit(page, fields = {}, button) {
      const form = formWith(page, fields, button)
      const body = new URLSearchParams({ ...form.fields, ...fields })
      const pressed = form.buttons.find((one) => isPressed(one, button))
      if (pressed?.name !== undefined) body.set(pressed.name, pressed.value)
      const action = pressed?.action ?? form.action
      if (form.method === 'get') return visit(`${action}?${body.toString()}`)
      const headers = { ...SAME_ORIGIN, origin: new URL(page.address).origin }
      return visit(action, { method: 'POST', body, headers })
    },
    async follow(page) {
      let at = page
      for (let count = 0; at.location !== undefined; count += 1) {
        assert.ok(count < MAX_REDIRECTS, `redirects without end: ${at.location}`)
        at = await visit(at.location)
      }
      return at
    },
  }
}

interface Sent {
  readonly method?: string
  readonly body?: URLSearchParams | FormData
  readonly headers?: Headers
}

/** The only form with all these fields and this button. */
function formWith(page: Page, fields: Fields, button: string | undefined): Form {
  const names = Object.keys(fields)
  const fitting = page.forms.filter(
    (form) =>
      names.every((name) => Object.hasOwn(form.fields, name)) &&
      (button === undefined || form.buttons.some((one) => isPressed(one, button))),
  )
  const [form, ...others] = fitting
  assert.ok(form, `no form with ${names.join(', ')} and ${button ?? 'any button'}: ${page.text}`)
  assert.equal(others.length, 0, `several forms fit: name a field or a button of one`)
  return form
}

function isPressed({ label, value }: Button, button: string | undefined): boolean {
  return button === undefined || label === button || value === button
}

interface KeptCookie {
  readonly origin: string
  readonly path: string
  readonly name: string
  readonly value: string
}

/** Cookies are stored by origin. Browsers are less strict: they share cookies between the ports of a host. */
class CookieJar {
  #kept: KeptCookie[] = []

  keep({ origin }: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const { name, value = '', path = '/', maxAge, expires } = parseSetCookie(line)
      this.#kept = this.#kept.filter(
        (one) => one.origin !== origin || one.name !== name || one.path !== path,
      )
      const isExpired = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0)
      if (!isExpired) this.#kept.push({ origin, path, name, value })
    }
  }

  read(target: URL): string {
    return this.#for(target)
      .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
      .join('; ')
  }

  of(target: URL): Record<string, string> {
    return Object.fromEntries(this.#for(target).map(({ name, value }) => [name, value]))
  }

  #for({ origin, pathname }: URL): KeptCookie[] {
    return this.#kept.filter((one) => one.origin === origin && isWithin(pathname, one.path))
  }
}

/** RFC 6265 section 5.1.4. */
function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

async function readPage(address: string, response: Response): Promise<Page> {
  const html = await response.text()
  const location = response.headers.get('location')
  const forms = readForms(address, html)
  return {
    status: response.status,
    address,
    headers: response.headers,
    location: location === null ? undefined : new URL(location, address).href,
    html,
    text: textOf(html.replace(/<head>.*?<\/head>/s, '')),
    forms,
    get formToken() {
      const token = forms.map(({ fields }) => fields['form_token']).find((one) => one !== undefined)
      assert.ok(token, html)
      return token
    },
    links: Object.fromEntries(
      [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a\s*>/gs)].map(([, tag = '', inside = '']) => [
        textOf(inside),
        new URL(attributesOf(tag)['href'] ?? '', address).href,
      ]),
    ),
  }
}

/** The forms of a page, without the search field that is beside every member page. */
export function readForms(address: string, html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, tag = '']) => attributesOf(tag)['class'] !== 'find')
    .map(([, tag = '', inside = '']) => readForm(address, attributesOf(tag), inside))
}

function readForm(address: string, form: Record<string, string>, inside: string): Form {
  const fields: Record<string, string> = {}
  const errors: Record<string, string> = {}
  for (const [, tag = ''] of inside.matchAll(/<input\b([^>]*)>/g)) {
    const { name, type, value, ...others } = attributesOf(tag)
    const isOff = (type === 'checkbox' || type === 'radio') && !('checked' in others)
    if (name !== undefined && !isOff) fields[name] = value ?? (type === 'checkbox' ? 'on' : '')
  }
  for (const [, tag = '', text = ''] of inside.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs))
    // As browsers do, without a first line break.
    fields[attributesOf(tag)['name'] ?? ''] = decode(text.replace(/^\n/, ''))
  for (const [, tag = '', options = ''] of inside.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs))
    fields[attributesOf(tag)['name'] ?? ''] = chosen(options)
  for (const [, name = '', text = ''] of inside.matchAll(/id="([^"]*)-error"[^>]*>(.*?)<\//gs))
    errors[name] = textOf(text)
  return {
    action: new URL(form['action'] ?? '', address).href,
    method: form['method']?.toLowerCase() === 'post' ? 'post' : 'get',
    fields,
    errors,
    buttons: [...inside.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(
      ([, tag = '', label = '']) => {
        const { name, value = '', formaction } = attributesOf(tag)
        const action = formaction === undefined ? undefined : new URL(formaction, address).href
        return { label: textOf(label), name, value, action }
      },
    ),
  }
}

/** The value of the selected option, or of the first. */
function chosen(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>([^<]*)/g)]
  const [, tag = '', text = ''] =
    all.find(([, one = '']) => /\bselected\b/.test(one)) ?? all[0] ?? []
  return attributesOf(tag)['value'] ?? textOf(text)
}

function attributesOf(tag: string): Record<string, string> {
  const found = tag.matchAll(/([a-z][a-z0-9-]*)(?:\s*=\s*"([^"]*)")?/g)
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decode(value)]))
}

function textOf(html: string): string {
  // A mark is within a word.
  const words = html.replaceAll(INITIALS, ' ').replaceAll(/<\/?mark>/g, '')
  return decode(words.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const INITIALS = /<span class="face[^>]*>[^<]*<\/span>/g

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole
    return String.fromCodePoint(parseInt(String(hex ?? decimal), hex === undefined ? 10 : 16))
  })
}
