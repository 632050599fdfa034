/** Contact files with every kind of damage, deterministic for a seed, with the expected result of each row. */

import { collect } from '../fixtures/reading.ts'
import { openContactFile } from '../../src/contact-files/read-contacts.ts'

/** The expected result of a row. Its person is named `Zq` and the number of the row. */
type Outcome = 'read' | 'rejected' | 'skipped'

interface DamagedRow {
  readonly text: string
  /** `either`: a short row is read, or reported if it may be a part of the broken row before it. */
  readonly outcome: Outcome | 'either'
  /** Also read: the email address. Rows whose damage removes it have none. */
  readonly email?: string | undefined
  /** Whether one of its dates is reported as unreadable. */
  readonly isUnread?: true
}

export interface DamagedFile {
  readonly name: string
  readonly head: string
  readonly rows: readonly DamagedRow[]
}

/** Damage makes one row of the file. `name` and `email` are undamaged. */
type Damage = (row: { readonly name: string; readonly email: string }) => DamagedRow

export const DAMAGED_FORMATS = ['linkedin', 'google', 'vcard'] as const

export function damagedFile(
  format: (typeof DAMAGED_FORMATS)[number],
  count: number,
  seed: number,
): DamagedFile {
  const { head, damages } = FILES[format]
  const random = randomOf(seed)
  const rows = Array.from({ length: count }, (_, index): DamagedRow => {
    // Half of the rows are intact.
    const damage = random() < 0.5 ? damages[0] : damages[Math.floor(random() * damages.length)]
    const person = { name: `Zq${index}`, email: `zq${index}@damaged.example` }
    return damage ? damage(person) : { text: '', outcome: 'skipped' }
  })
  return { name: format, head, rows }
}

export interface DamageReport {
  readonly rows: number
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** One sentence for each row that was lost or misread. */
  readonly problems: readonly string[]
}

/** Reads the file as an import does and compares every row with what it should become. */
export async function readDamaged({ head, rows }: DamagedFile): Promise<DamageReport> {
  const bytes = async function* () {
    yield Buffer.from(head)
    for (let at = 0; at < rows.length; at += 500)
      yield Buffer.from(
        rows
          .slice(at, at + 500)
          .map(({ text }) => text)
          .join(''),
      )
  }
  const file = await openContactFile(bytes())
  const outcomes = { read: 0, rejected: 0, skipped: 0 }
  const problems: string[] = []
  const startLines = linesOf(head, rows)
  const indexAt = new Map(startLines.map((line, index) => [line, index]))
  const seen = new Set<number>()
  for (const row of (await collect(file.rowBatches)).flat()) {
    const outcome = 'contact' in row ? 'read' : 'rejected' in row ? 'rejected' : 'skipped'
    outcomes[outcome] += 1
    const index = indexAt.get(row.line)
    const expected = index === undefined ? undefined : rows[index]
    if (index === undefined || !expected) {
      // A line of a broken row of several lines; it must not become a person.
      if (outcome === 'read') problems.push(`line ${row.line}: a person of a part of a row`)
      continue
    }
    if (seen.has(index)) problems.push(`row ${index} twice`)
    seen.add(index)
    if (expected.outcome === 'either') {
      if (outcome === 'skipped') problems.push(`row ${index} was skipped`)
    } else if (outcome !== expected.outcome)
      problems.push(
        `row ${index} ${JSON.stringify(expected.text.slice(0, 200))}: ${JSON.stringify(row).slice(0, 300)}`,
      )
    else if ('contact' in row) {
      const { name, emails } = row.contact
      if (!new RegExp(`Zq${index}(?!\\d)`).test(name)) problems.push(`row ${index}: ${name}`)
      if (emails[0] !== expected.email) problems.push(`row ${index}: ${emails.join()}`)
      if ((row.unread !== undefined) !== (expected.isUnread === true))
        problems.push(`row ${index}: ${JSON.stringify(row.unread)}`)
    }
  }
  for (const index of rows.keys())
    if (!seen.has(index)) problems.push(`row ${index} was lost: ${rows[index]?.text.slice(0, 200)}`)
  return { rows: rows.length, outcomes, problems }
}

/** The line on which each row starts, from 1. */
function linesOf(head: string, rows: readonly DamagedRow[]): number[] {
  let line = breaksIn(head) + 1
  return rows.map(({ text }) => {
    const start = line
    line += breaksIn(text)
    return start
  })
}

function breaksIn(text: string): number {
  return (text.match(/\r\n|\r|\n/g) ?? []).length
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

// Tables

interface TableShape {
  /** The cells of a row in the order of the columns. */
  readonly cells: (row: {
    readonly name: string
    readonly email: string
    readonly date: string
  }) => string[]
}

const LONG = 'word '.repeat(5000)

function tableDamages({ cells }: TableShape): readonly Damage[] {
  const row = ({ name, email }: { name: string; email: string }, date = '12 Mar 2024') =>
    cells({ name, email, date })
  const line = (parts: readonly string[], end = '\r\n') => parts.join(',') + end
  return [
    (person) => ({ text: line(row(person)), outcome: 'read', email: person.email }),
    ({ name, email }) => ({
      text: line(row({ name: `"${name} ""Mi"" Holt"`, email })),
      outcome: 'read',
      email,
    }),
    ({ name, email }) => ({
      text: line(row({ name: `${name} "Mi" Holt`, email })),
      outcome: 'read',
      email,
    }),
    ({ name, email }) => ({
      text: line(row({ name: `"${name}\nHolt"`, email })),
      outcome: 'read',
      email,
    }),
    ({ name, email }) => ({ text: line(row({ name: `"${name}`, email })), outcome: 'rejected' }),
    (person) => ({
      text: line([...row(person), 'extra', 'more']),
      outcome: 'read',
      email: person.email,
    }),
    (person) => ({ text: line(row(person).slice(0, 1)), outcome: 'either' }),
    (person) => ({ text: line(row(person).slice(0, 2)), outcome: 'either' }),
    (person) => ({ text: line(row(person).map(() => '')), outcome: 'skipped' }),
    ({ email: _email, name: _name }) => ({
      text: line(row({ name: '', email: '' })),
      outcome: 'rejected',
    }),
    (person) => ({
      text: line(row(person, 'the 45th of Foo')),
      outcome: 'read',
      email: person.email,
      isUnread: true,
    }),
    ({ name, email }) => ({
      text: line(row({ name: `${name}\u0007\u0000\u202e`, email })),
      outcome: 'read',
      email,
    }),
    (person) => ({ text: line(row(person), '\n'), outcome: 'read', email: person.email }),
    ({ name }) => ({ text: line(row({ name, email: 'not an address' })), outcome: 'read' }),
    ({ name, email }) => ({
      text: line(row({ name: `${name} ${LONG}`, email })),
      outcome: 'read',
      email,
    }),
  ]
}

const LINKEDIN_HEAD =
  'Notes:\r\n"When exporting your connection data, you may notice that some emails are missing."\r\n\r\n' +
  'First Name,Last Name,URL,Email Address,Company,Position,Connected On\r\n'

const GOOGLE_HEAD =
  'First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Birthday,Notes\r\n' // prose-ok: Google's header

// Cards

const CARD_DAMAGES: readonly Damage[] = [
  (person) => ({ text: card(person), outcome: 'read', email: person.email }),
  (person) => ({
    text: card(person, ['NOTE:a line', 'that goes on without a space']),
    outcome: 'read',
    email: person.email,
  }),
  (person) => ({
    text: card(person).replace('END:VCARD\r\n', ''),
    outcome: 'rejected',
  }),
  ({ email: _email, name: _name }) => ({
    text: 'BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:no name\r\nEND:VCARD\r\n',
    outcome: 'rejected',
  }),
  (person) => ({
    text: card(person, ['KIND:group']),
    outcome: 'skipped',
  }),
  (person) => ({
    text: card(person, ['BDAY:the 45th of Foo']),
    outcome: 'read',
    email: person.email,
    isUnread: true,
  }),
  (person) => ({
    text: card(person, ['PHOTO;ENCODING=b;TYPE=JPEG:@@@not base64@@@', ' still a photo']),
    outcome: 'read',
    email: person.email,
  }),
  (person) => ({
    text: card(person, ['NOTE;ENCODING=QUOTED-PRINTABLE:caf=ZZ =C3=A9=', 'goes on']),
    outcome: 'read',
    email: person.email,
  }),
  (person) => ({
    text: card(person, ['no colon in this line', ':no name', ';;;', 'TEL;TYPE="home:+1 555 0100']),
    outcome: 'read',
    email: person.email,
  }),
  (person) => ({
    text: card(person).replaceAll('\r\n', '\n'),
    outcome: 'read',
    email: person.email,
  }),
  (person) => ({
    text: card(person).replace('BEGIN:VCARD', 'begin:vcard').replace('VERSION:3.0\r\n', ''),
    outcome: 'read',
    email: person.email,
  }),
]

function card(
  { name, email }: { readonly name: string; readonly email: string },
  more: readonly string[] = [],
): string {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name} Holt`, `EMAIL:${email}`, ...more]
  return [...lines, 'END:VCARD', ''].join('\r\n')
}

const FILES = {
  linkedin: {
    head: LINKEDIN_HEAD,
    damages: tableDamages({
      cells: ({ name, email, date }) => [
        name,
        name === '' ? '' : 'Holt',
        '',
        email,
        name === '' ? '' : 'Acme',
        '',
        date,
      ],
    }),
  },
  google: {
    head: GOOGLE_HEAD,
    damages: tableDamages({
      cells: ({ name, email, date }) => [
        name,
        name === '' ? '' : 'Holt',
        'work',
        email,
        '',
        '',
        date,
        '',
      ],
    }),
  },
  vcard: { head: '', damages: CARD_DAMAGES },
} as const
