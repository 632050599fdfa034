/** The catalogs of messages, and pages in another language. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { sourceMessages } from '../scripts/source-messages.ts'
import german from '../src/languages/catalogs/de.json' with { type: 'json' }
import {
  endpointEndedEmail,
  readingStoppedEmail,
  invitationEmail,
  noticeEmail,
  passwordResetEmail,
  testEmail,
  verificationEmail,
} from '../src/email/compose.ts'
import { inLanguage, LANGUAGES } from '../src/languages/language.ts'
import { CATALOGS } from '../src/languages/message.ts'
import { listVisits, openFurnished, type Visit } from './pages/visits.ts'
import { readForms, SAME_ORIGIN, type Page, type Visitor } from './support/visitor.ts'

const messages = new Set([...sourceMessages().values()].flat())
const catalog: Record<string, string> = german

test('every message is translated, and no translation is unused', () => {
  const missing = [...messages].filter((message) => !catalog[message])
  assert.deepEqual(
    missing,
    [],
    'run node scripts/update-catalogs.ts, then translate the new messages',
  )
  assert.deepEqual(
    Object.keys(catalog).filter((message) => !messages.has(message)),
    [],
    'run node scripts/update-catalogs.ts',
  )
})

test('translations have the values and elements of their messages', () => {
  const wrong = Object.entries(catalog).filter(
    ([message, text]) => placesIn(message).join(' ') !== placesIn(text).join(' '),
  )
  assert.deepEqual(wrong, [])
})

test('one thing has one word in messages', () => {
  const wrong = Object.entries(catalog).filter(
    ([message, text]) =>
      !OTHER_WORDS.test(message) && [message, text].some((one) => BANNED.test(one)),
  )
  assert.deepEqual(wrong, [], 'see the words that members see in docs/contributing/glossary.md')
})

/** A person, a contact, a follow-up, snoozing, a cadence and a background job, in this order. */
const BANNED = new RegExp(
  [
    '\\bconnections?\\b(?!\\.)',
    '\\binteractions?\\b|Austausch|Interaktion',
    '\\bto-dos?\\b|\\bRemind\\b|\\bPlanned\\b|\\bplanned\\b|Aufgabe|\\bgeplant',
    '\\b(?:[Pp]ut|[Pp]utting) off\\b|^Move$|aufschieb|[Aa]ufgeschoben',
    '\\b(?:[Kk]eep|[Ss]tay)(?:ing)? in touch\\b|[Ii]n Kontakt bleiben',
    '^(?:All )?[Jj]obs$|Imports and jobs',
  ].join('|'),
)
/** Connections of apps and of LinkedIn, and words that the palette finds. */
const OTHER_WORDS =
  /^(?:The app |The connection was closed|LinkedIn connections|call met|remind |rhythm )/

/** The names of values and elements. A text that is not ICU MessageFormat throws. */
function placesIn(text: string): string[] {
  const { length } = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst()
  assert.ok(length >= 0)
  const values = [...text.matchAll(/\{(\w+)(?:\}|, plural)/g)].map(([, name]) => `{${name}}`)
  const elements = [...text.matchAll(/<\/?[a-z]+\d*>/g)].map(([tag]) => tag)
  return [...new Set([...values, ...elements])].toSorted()
}

/** What pages show outside of messages: data of the members, of the demo account and of imported files, names, code. */
const DATA = new RegExp(
  [
    'Ada|Alan|Bletchley|Byron|Call$|Claude|Cursor|cursor|Edith|Forgetful|Gold|Grace|Harvard|Hopper|Ida|London|Lunch|Malmö|Sweden|Mary|Member(?: ada| bare|$)|Met at|Night shift|nightly|NPL|pioneer|Project|Robin|Silver|Soup|bread|Tier|US Navy|Amazing|Rear admiral|Test$|Write$',
    'Founder|Studio|Talks|Hedgerow|Climate|Product strategy|Pilot design|Pricing|Grant writing|Customer research|Grid|Early-stage|Field notes|Kesselhain|Vogelsang|Etxeberria|Dombrowski',
    // Days of the week and relative days, as the runtime writes them.
    '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)$|(?:today|tomorrow|yesterday)',
    '(?:First|Last) Name|Shoe size|Company$|Birthday$|RAS|UTC',
    'ChatGPT|Deutsch|English|Pseudo|Google|LinkedIn|Monica|Outlook|Signal|Fastmail|VS Code|Weft|WhatsApp|vCard|House|Standard Webhooks|Safari on iOS|Slack|ntfy|Telegram|Home Assistant|CSV|URL|SQLite|PostgreSQL|Ctrl|Enter',
    '@|://|/nowhere|get_jobs|\\.(?:csv|example|md)|[{}$_]|\\d',
  ].join('|'),
)

test('pages have no text outside of messages', async () => {
  using _pseudo = pseudoLocale()
  await using world = await openFurnished()
  const found = new Set<string>()
  for (const visit of listVisits(world).filter(isTranslated)) {
    const { html } = await world.visitors[visit.who].get(visit.place, IN_PSEUDO)
    for (const text of outsideIn(html)) found.add(`${visit.place}: ${text}`)
  }
  assert.deepEqual([...found], [])
})

test('forms answer wrong values without text outside of messages', async () => {
  // Also the values within a message.
  using _pseudo = pseudoLocale((message) => message.replaceAll(/\{\w+\}/g, '⟧$&⟦'))
  await using world = await openFurnished()
  const found = new Set<string>()
  const sent = new Set<string>()
  for (const visit of listVisits(world).filter(isTranslated))
    for (const wrong of WRONG_VALUES)
      for await (const { form, page } of answersTo(world.visitors[visit.who], visit, wrong, sent))
        for (const text of outsideIn(page.html.replaceAll(LONG_VALUE, '')))
          if (!IN_MESSAGES.test(text)) found.add(`${form} with ${wrong.slice(0, 20)}: ${text}`)
  assert.deepEqual([...found].toSorted(), [])
  assert.ok(sent.size > 40 * WRONG_VALUES.length, `${sent.size} forms`)
})

test('files that cannot be read are explained without text outside of messages', async () => {
  using _pseudo = pseudoLocale((message) => message.replaceAll(/\{\w+\}/g, '⟧$&⟦'))
  await using world = await openFurnished()
  const { rich: visitor } = world.visitors
  const page = await visitor.get('/user/import', IN_PSEUDO)
  const found = new Set<string>()
  for (const [name, content] of Object.entries(UNREADABLE)) {
    const form = new FormData()
    form.append('form_token', page.formToken)
    form.append('form_key', randomUUID())
    form.append('file', new File([content], name))
    const headers = { ...IN_PSEUDO, ...SAME_ORIGIN, origin: new URL(page.address).origin }
    const answer = await visitor.post('/user/import', form, headers)
    assert.ok(answer.status >= 400, `${name}: ${answer.status}`)
    for (const text of outsideIn(answer.html)) found.add(`${name}: ${text}`)
  }
  assert.deepEqual([...found], [])
})

test('emails have no text outside of messages, and their plain text has lines of at most 72 columns', () => {
  const context = { publicUrl: 'https://weft.example' }
  const url = 'https://weft.example/x'
  const notices = EVENTS.map((event) => {
    const details = { name: '@', redirect_host: '@', browser: '@', method: 'passkey', issuer: '@' }
    return () => noticeEmail(context, { event, username: 'Ada', at: 0, details, reviewUrl: url })
  })
  const emails = [
    ...notices,
    () => invitationEmail(context, { url, days: 7 }),
    () => passwordResetEmail(context, { url, username: 'Ada', minutes: 60 }),
    () => verificationEmail(context, { url, username: 'Ada', hours: 24 }),
    ...(['calendar', 'address_book'] as const).map(
      (source) => () =>
        readingStoppedEmail(context, {
          source,
          name: '@',
          error: '{"source":"was not found: the account has none"}',
        }),
    ),
    () => endpointEndedEmail(context, { name: 'ntfy', reason: 'HTTP status 500' }),
    () => testEmail(context),
  ]
  for (const language of ['en', 'de'] as const)
    for (const write of emails)
      for (const line of inLanguage(language, write).text.split('\n'))
        assert.ok(line.length <= 72 || !line.includes(' '), line)
  using _pseudo = pseudoLocale()
  // Safe: the language exists until the end of the test.
  const written = emails.map((write) => inLanguage('qps' as keyof typeof LANGUAGES, write))
  const found = written.flatMap(({ subject, html }) => outsideIn(`<p>${subject}</p>${html}`))
  assert.deepEqual([...new Set(found)], [])
})

/** Security events with a notice of their own, and one without. */
const EVENTS = [
  'session_started',
  'password_changed',
  'password_reset',
  'passkey_added',
  'token_created',
  'device_created',
  'device_paused',
  'agent_connected',
  'identity_linked',
  'email_changed',
  'other',
]

const UNREADABLE: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  'letter.pdf': '%PDF-1.7\n',
  'old.xls': new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  'image.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]),
  'page.html': '<!doctype html><p>Hello</p>',
  'calendar.ics': 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
  'broken.zip': new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 1, 2, 3]),
  'numbers.json': '[1, 2, 3]',
  'empty.csv': '',
  'blank.csv': ' \n \n',
}

/** What every field of a form gets: nothing, what is no date, number or address, and values over limits. */
const WRONG_VALUES = ['', '%', '-1', '1234-05-06', '99999999999', 'x'.repeat(6000)]
/** Values of messages: names, codes and zones. */
const IN_MESSAGES = /^(?:ada|bare|reset|weft|UTC|expires|call ,  meeting.*)$/
/** As pages show it, perhaps shortened. */
const LONG_VALUE = /x{20,}…?/g

/** Sends each form with a field that people fill in, once with each value, and opens the page that it answers with. */
async function* answersTo(
  visitor: Visitor,
  { place, who }: Visit,
  wrong: string,
  sent: Set<string>,
): AsyncGenerator<{ readonly form: string; readonly page: Page }> {
  const { html, address } = await visitor.get(place, IN_PSEUDO)
  const forms = [...html.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gs)]
  for (const [written] of forms) {
    const [form] = readForms(address, written)
    const names = [...written.matchAll(FILLED_IN)].map(([, name = '']) => name)
    if (form === undefined || names.length === 0) continue
    for (const { action, name, value } of form.buttons) {
      const to = new URL(action ?? form.action).pathname
      const key = [who, to, name, wrong].join(' ')
      // A button that deletes ignores what was typed.
      if (to === '/sign-out' || to.endsWith('/delete') || sent.has(key)) continue
      sent.add(key)
      const filled = Object.fromEntries(names.map((field) => [field, wrong]))
      const typed = { ...form.fields, ...filled, ...(name !== undefined && { [name]: value }) }
      const fresh = { ...typed, ...('form_key' in typed && { form_key: randomUUID() }) }
      const body = /multipart/.test(written) ? multipart(fresh) : fresh
      const headers = { ...IN_PSEUDO, ...SAME_ORIGIN, origin: new URL(address).origin }
      const answer = await visitor.post(action ?? form.action, body, headers)
      const { location } = answer
      const isHere = location?.startsWith(new URL(address).origin) ?? false
      const page = isHere ? await visitor.get(location ?? '', IN_PSEUDO) : answer
      yield { form: to, page }
    }
  }
}

/** Names of fields that are not hidden. */
const FILLED_IN =
  /<(?:input(?![^>]*type="(?:hidden|checkbox|radio)")|textarea|select)\b[^>]*?\sname="([^"]*)"/g

function multipart(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    data.append(name, name === 'file' ? new File([value], 'people.csv') : value)
  return data
}

const IN_PSEUDO = { accept: 'text/html', 'accept-language': 'qps' }

/** A language in which every message is in brackets, until it is disposed of. */
function pseudoLocale(translate = (message: string) => message): Disposable {
  const pseudo = Object.fromEntries(
    [...messages].map((message) => [message, `⟦${translate(message)}⟧`]),
  )
  Object.assign(LANGUAGES, { qps: 'Pseudo' })
  Object.assign(CATALOGS, { qps: pseudo })
  return {
    [Symbol.dispose]() {
      Reflect.deleteProperty(LANGUAGES, 'qps')
      Reflect.deleteProperty(CATALOGS, 'qps')
    },
  }
}

function outsideIn(page: string): string[] {
  return untranslated(page).filter((text) => !DATA.test(text))
}

/** Documents are in English. */
function isTranslated({ place }: Visit): boolean {
  return !place.includes('/docs')
}

/** The texts of a page that are not within the brackets of a message. */
function untranslated(page: string): string[] {
  const body = page.replaceAll(/<(script|style|head|textarea)\b[^]*?<\/\1>/g, '')
  const texts: string[] = []
  let depth = 0
  for (const [token] of body.matchAll(/<(?:"[^"]*"|[^>"])*>|[^<]+/g)) {
    if (token.startsWith('<')) {
      for (const [, text = ''] of token.matchAll(/\s(?:aria-label|alt|placeholder)="([^"]*)"/g))
        texts.push(text.replaceAll(/⟦[^]*⟧/g, ''))
      continue
    }
    let outside = ''
    for (const character of token) {
      if (character === '⟦') depth++
      else if (character === '⟧') depth--
      else if (depth === 0) outside += character
    }
    texts.push(outside)
  }
  return texts
    .map((text) => text.replaceAll(/&#\d+;|&[a-z]+;/g, ' ').trim())
    .filter((text) => /\p{L}{3}/u.test(text))
}
