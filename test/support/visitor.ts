/** A person's browser in miniature: keeps cookies, reads the forms of a page and sends them back, follows by request. */

import assert from 'node:assert/strict'
import { parseSetCookie } from 'cookie'

export interface Visitor {
  /** Where a page's links and forms are resolved against until one was visited. */
  readonly url: string
  /** What this browser holds for `url`, by name. */
  readonly cookies: Readonly<Record<string, string>>
  /** A path, or an address of another service. Redirects are not followed. */
  get(address: string, headers?: Headers): Promise<Page>
  /**
   * Sends the page's form as a browser does: its own values, changed by `fields`, and the button that was pressed by
   * its label or value. A page with several forms needs one that only one of them has, or the path it is sent to.
   */
  submit(page: Page, fields?: Fields, button?: string): Promise<Page>
  /** Any form, from anywhere, with the headers that tell so. */
  post(address: string, fields: Fields, headers?: Headers): Promise<Page>
  /** The end of the redirects that begin with this page, on whichever host. */
  follow(page: Page): Promise<Page>
}

export interface Page {
  readonly status: number
  /** Where it was found. */
  readonly address: string
  readonly headers: globalThis.Headers
  /** Absolute, where it is a redirect. */
  readonly location: string | undefined
  readonly html: string
  /** What a person reads, on one line. */
  readonly text: string
  readonly forms: readonly Form[]
  /** Of links, by the text they show. */
  readonly links: Readonly<Record<string, string>>
}

export interface Form {
  /** Absolute. */
  readonly action: string
  readonly method: 'get' | 'post'
  readonly fields: Readonly<Record<string, string>>
  /** What stands beside a field of this name as wrong. */
  readonly errors: Readonly<Record<string, string>>
  readonly buttons: readonly Button[]
}

interface Button {
  readonly label: string
  readonly name: string | undefined
  readonly value: string
}

type Fields = Readonly<Record<string, string>>
type Headers = Readonly<Record<string, string>>

const MOST_REDIRECTS = 20

export function openVisitor(url: string): Visitor {
  const jar = new CookieJar()
  const visit = async (address: string, request: Sent = {}) => {
    const target = new URL(address, url)
    const cookie = jar.read(target)
    const headers = { ...(cookie !== '' && { cookie }), ...request.headers }
    const response = await fetch(target, { ...request, headers, redirect: 'manual' })
    jar.keep(target, response.headers.getSetCookie())
    return readPage(target.href, response)
  }
  const send = (form: Form, values: URLSearchParams, from: string) =>
    form.method === 'get'
      ? visit(`${form.action}?${values.toString()}`)
      : visit(form.action, post(values, { ...SAME_ORIGIN, origin: new URL(from).origin }))
  return {
    url,
    get cookies() {
      return jar.of(new URL(url))
    },
    get: (address, headers = {}) => visit(address, { headers }),
    post: (address, fields, headers = {}) =>
      visit(address, post(new URLSearchParams(fields), headers)),
    submit(page, fields = {}, button) {
      const form = formWith(page, fields, button)
      const values = new URLSearchParams({ ...form.fields, ...fields })
      const pressed = form.buttons.find((one) => isPressed(one, button))
      if (pressed?.name !== undefined) values.set(pressed.name, pressed.value)
      return send(form, values, page.address)
    },
    async follow(page) {
      let at = page
      for (let count = 0; at.location !== undefined; count += 1) {
        assert.ok(count < MOST_REDIRECTS, `redirects without end: ${at.location}`)
        at = await visit(at.location)
      }
      return at
    },
  }
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

interface Sent {
  readonly method?: string
  readonly body?: URLSearchParams
  readonly headers?: Headers
}

function post(body: URLSearchParams, headers: Headers): Sent {
  return { method: 'POST', body, headers }
}

/** The one form that has all these fields and this button. */
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

/** By origin, which is stricter than browsers: they do not tell the ports of a host apart. */
class CookieJar {
  #kept: KeptCookie[] = []

  keep({ origin }: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const { name, value = '', path = '/', maxAge, expires } = parseSetCookie(line)
      this.#kept = this.#kept.filter(
        (one) => one.origin !== origin || one.name !== name || one.path !== path,
      )
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0)
      if (!isGone) this.#kept.push({ origin, path, name, value })
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
  return {
    status: response.status,
    address,
    headers: response.headers,
    location: location === null ? undefined : new URL(location, address).href,
    html,
    text: textOf(html.replace(/<head>.*?<\/head>/s, '')),
    forms: [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', inside = '']) =>
      readForm(address, attributesOf(tag), inside),
    ),
    links: Object.fromEntries(
      [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, tag = '', inside = '']) => [
        textOf(inside),
        new URL(attributesOf(tag)['href'] ?? '', address).href,
      ]),
    ),
  }
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
    fields[attributesOf(tag)['name'] ?? ''] = decode(text)
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
        const { name, value = '' } = attributesOf(tag)
        return { label: textOf(label), name, value }
      },
    ),
  }
}

/** The value of the option that is selected, else of the first. */
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
  return decode(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole
    return String.fromCodePoint(parseInt(String(hex ?? decimal), hex === undefined ? 10 : 16))
  })
}
