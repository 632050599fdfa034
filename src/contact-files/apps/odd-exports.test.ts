// Exports of other programs with odd values: each text becomes a part of a row, or the report lists its field.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readWhole, type WholeFile } from '../../../test/fixtures/reading.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { csvScanner } from '../table/csv.ts'

const FIXTURES = new URL('../../../test/fixtures/', import.meta.url)

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A text of the export, and the names of the levels above it, without those of no field. */
interface Placed {
  readonly text: string
  readonly path: readonly string[]
}

/** Numbers that decide about the changes of an export, in turn. */
type Decide = (choices: number) => number

function decider(numbers: readonly number[]): Decide {
  let at = 0
  return (choices) => (numbers[at++ % numbers.length] ?? 0) % choices
}

const decisions = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 400, maxLength: 400 })

const ODD_VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1604,
  1e21,
  '',
  ' ',
  '2024-02-30',
  '1604-02-29',
  '0000',
]

/** The export with some other values, and more and fewer of them; each text is another one. */
function changed(value: Json, decide: Decide, next: () => string): Json {
  if (Array.isArray(value)) {
    const all = value.flatMap((one) => {
      const times = [1, 1, 1, 1, 0, 2][decide(6)] ?? 1
      return Array.from({ length: times }, () => changed(one, decide, next))
    })
    return decide(40) === 0 ? [...all, next(), null, [next()], {}] : all
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([key, one]): [string, Json][] =>
      KEPT.has(key)
        ? [[key, one]]
        : !WHOLE.has(key) && decide(25) === 0
          ? []
          : [[key, changed(one, decide, next)]],
    )
    const more: [string, Json][] = decide(6) === 0 ? [[`added${decide(3)}`, next()]] : []
    return Object.fromEntries([...entries, ...more])
  }
  const kind = decide(12)
  if (kind === 0) return ODD_VALUES[decide(ODD_VALUES.length)] ?? null
  if (kind === 1) return [next(), { deep: next() }]
  if (kind === 2) return { deep: next() }
  if (kind < 7 || value === null) return next()
  return value
}

/** What tells an export from others, names its people and joins its parts. */
const KEPT = new Set(
  (
    'version app_version exportDate exportedAt export_date exported_by url user type uuid id count contactId ' +
    'first_name name firstName contact_is of_contact peopleIds relatedPersonId deletedAt canonicalId'
  ).split(' '),
)

/** What an export without is rejected. */
const WHOLE = new Set(['account', 'data', 'values', 'properties', 'people', 'contacts'])

/** Levels of Monica's export that are no fields. */
const NO_FIELDS = new Set(['count', 'account', 'data', 'values', 'properties', 'instance'])

function* textsIn(value: Json, path: readonly string[] = []): Generator<Placed> {
  if (typeof value === 'string' && /^odd \d+ text$/.test(value)) yield { text: value, path }
  if (Array.isArray(value)) for (const one of value) yield* textsIn(one, path)
  else if (typeof value === 'object' && value !== null) {
    const { type, values } = value
    const isGroup = Array.isArray(values) && typeof type === 'string'
    const below = isGroup ? [...path, type.replace(/^calls$/, 'call')] : path
    for (const [key, one] of Object.entries(value))
      yield* textsIn(one, NO_FIELDS.has(key) ? below : [...below, key])
  }
}

/** Whether the report lists the field of a text, or one that has it. */
function isListed({ path }: Placed, names: readonly string[]): boolean {
  const whole = `.${path.join('.')}.`
  return names.some((name) => {
    const [field = ''] = name.replace(/^account\.(?=.)/, '').split(' without ')
    const levels = field.split('.').filter((level) => !NO_FIELDS.has(level))
    return field === 'account' ? path.length === 1 : whole.includes(`.${levels.join('.')}.`)
  })
}

/** A text among the people is a row, which is rejected. */
function isRow({ path }: Placed): boolean {
  return path.length === 1 && ['contact', 'people', 'contacts'].includes(path[0] ?? '')
}

async function assertNothingLost(file: string, texts: Iterable<Placed>): Promise<void> {
  const read = await readWhole(file).catch((error: unknown) => error)
  // A file that is rejected as a whole.
  if (read instanceof UnreadableFile) return
  const { rows, columns } = read as WholeFile
  const kept = JSON.stringify(rows).toLowerCase()
  const names = columns.flatMap(({ name, becomes }) => (becomes === 'ignore' ? [name] : []))
  const lost = [...texts].filter(
    (one) => !kept.includes(one.text) && !isRow(one) && !isListed(one, names),
  )
  assert.deepEqual(
    lost.map(({ path, text }) => `${path.join('.')}: ${text}`),
    [],
  )
}

/** Records that are left out as a whole would hide that values of others are. */
function withoutLeftOut(value: Json): Json {
  if (Array.isArray(value)) return value.filter((one) => !isLeftOut(one)).map(withoutLeftOut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutLeftOut(one)]))
}

function isLeftOut(one: Json): boolean {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return false
  const { deletedAt = null, canonicalId = null, peopleIds } = one
  return (
    deletedAt !== null ||
    canonicalId !== null ||
    (Array.isArray(peopleIds) && peopleIds.length === 0)
  )
}

function numbered(): () => string {
  let count = 0
  return () => `odd ${++count} text`
}

for (const name of [
  'monica/family.json',
  'monica/work.json',
  'monica/sparse.json',
  'apps/nametag.json',
  'apps/contrack.json',
])
  test(`${name}: no text of an odd export is lost without a word`, async () => {
    const given = withoutLeftOut(JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8')) as Json)
    await fc.assert(
      fc.asyncProperty(decisions, async (numbers) => {
        const odd = changed(given, decider(numbers), numbered())
        await assertNothingLost(JSON.stringify(odd), textsIn(odd))
      }),
      { numRuns: runsOf(60) },
    )
  })

test('meerkat.csv: no text of an odd export is lost without a word', async () => {
  const text = readFileSync(new URL('apps/meerkat.csv', FIXTURES), 'utf8')
  const given = csvScanner({ delimiter: ',', columns: 0, line: 1 })
    .push(text, true)
    .map(({ cells }) => cells)
  await fc.assert(
    fc.asyncProperty(decisions, async (numbers) => {
      const [decide, next] = [decider(numbers), numbered()]
      let [section, header]: [string, readonly string[]] = ['', []]
      const texts: Placed[] = []
      const rows = given.flatMap((cells) => {
        const [first = ''] = cells
        if (/^=== [A-Z]+ ===$/.test(first) && cells.length === 1) {
          ;[section, header] = [first.slice(4, -4), []]
          return [cells]
        }
        if (header.length === 0) {
          header = cells
          return [cells]
        }
        const more = decide(8) === 0 ? [...cells, ''] : cells
        const odd = more.map((cell, at) => {
          const column = header[at] ?? `Column ${at + 1}`
          if (/ID|Firstname|Created At|Contact Names/.test(column)) return cell
          if (at < header.length && decide(3) > 0) return cell
          const found = decide(4) === 0 ? '' : next()
          texts.push({ text: found, path: [section, column] })
          return found
        })
        return decide(12) === 0 ? [] : [odd]
      })
      const quoted = rows.map((cells) =>
        cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
      )
      const file = quoted
        .join('\n')
        .replaceAll(/^"(=== [A-Z]+ ===)"$/gm, '$1')
        .replace('"ID","Firstname",', 'ID,Firstname,')
      await assertNothingLost(
        file,
        texts.filter(({ text: one }) => one !== '' && file.includes(`"${one}"`)),
      )
    }),
    { numRuns: runsOf(100) },
  )
})
