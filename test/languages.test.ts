/** The catalogs of messages, and pages in another language. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { sourceMessages } from '../scripts/source-messages.ts'
import german from '../src/languages/catalogs/de.json' with { type: 'json' }
import { LANGUAGES } from '../src/languages/language.ts'
import { CATALOGS } from '../src/languages/message.ts'
import { listVisits, openFurnished, type Visit } from './pages/visits.ts'

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
    'Ada|Alan|Bletchley|Byron|Call$|Claude|Cursor|cursor|Edith|Forgetful|Gold|Grace|Harvard|Hopper|Ida|London|Lunch|Malmö|Sweden|Mary|Member (?:ada|bare)|Met at|Night shift|nightly|NPL|pioneer|Project|Robin|Silver|Soup|bread|Tier|US Navy|Amazing|Rear admiral|Test$|Write$',
    'Founder|Studio|Talks|Hedgerow|Climate|Product strategy|Pilot design|Pricing|Grant writing|Customer research|Grid|Early-stage|Field notes|Kesselhain|Vogelsang|Etxeberria|Dombrowski',
    '(?:First|Last) Name|Shoe size|Company$|Birthday$|RAS',
    'ChatGPT|Deutsch|English|Pseudo|Google|LinkedIn|Monica|Outlook|Signal|VS Code|Weft|WhatsApp|vCard|Home$|Standard Webhooks|Safari on iOS|Slack|ntfy|Telegram|Home Assistant|CSV|URL|SQLite|PostgreSQL|Ctrl|Enter',
    '@|://|/nowhere|get_jobs|\\.(?:csv|example|md)|[{}$_]|\\d',
  ].join('|'),
)

test('pages have no text outside of messages', async () => {
  const pseudo = Object.fromEntries([...messages].map((message) => [message, `⟦${message}⟧`]))
  Object.assign(LANGUAGES, { qps: 'Pseudo' })
  Object.assign(CATALOGS, { qps: pseudo })
  try {
    await using world = await openFurnished()
    const found = new Set<string>()
    for (const visit of listVisits(world).filter(isTranslated)) {
      const headers = { accept: 'text/html', 'accept-language': 'qps' }
      const { html } = await world.visitors[visit.who].get(visit.place, headers)
      for (const text of untranslated(html))
        if (!DATA.test(text)) found.add(`${visit.place}: ${text}`)
    }
    assert.deepEqual([...found], [])
  } finally {
    Reflect.deleteProperty(LANGUAGES, 'qps')
    Reflect.deleteProperty(CATALOGS, 'qps')
  }
})

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
