// Realistic contact files with the expected contacts, compared field by field. The people are invented.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportedContact } from './contact/contact.ts'
import { readWhole } from '../../test/fixtures/reading.ts'
import { CARDS } from '../../test/fixtures/contact-files/cards.ts'
import { DAMAGED } from '../../test/fixtures/contact-files/damaged.ts'
import { DATED } from '../../test/fixtures/contact-files/dates.ts'
import { ENCODED } from '../../test/fixtures/contact-files/encodings.ts'
import { EXPORTS } from '../../test/fixtures/contact-files/exports.ts'
import { HOSTILE_CARDS } from '../../test/fixtures/contact-files/hostile-cards.ts'
import { HOSTILE_TABLES } from '../../test/fixtures/contact-files/hostile-tables.ts'
import { LOCALIZED } from '../../test/fixtures/contact-files/localized.ts'
import { ODD_CELLS } from '../../test/fixtures/contact-files/odd-cells.ts'
import { MORE_CARDS } from '../../test/fixtures/contact-files/more-cards.ts'
import { MORE_LANGUAGES } from '../../test/fixtures/contact-files/more-languages.ts'
import { ODD_LAYOUTS } from '../../test/fixtures/contact-files/odd-layouts.ts'
import { OUTSIDE_FILES } from '../../test/fixtures/contact-files/outside-files.ts'
import { PROGRAM_EXPORTS } from '../../test/fixtures/contact-files/program-exports.ts'
import { RECENT_EXPORTS } from '../../test/fixtures/contact-files/recent-exports.ts'
import { SMALL_LISTS } from '../../test/fixtures/contact-files/small-lists.ts'
import { UNSEEN_CARDS } from '../../test/fixtures/contact-files/unseen-cards.ts'
import { UNSEEN_CRM } from '../../test/fixtures/contact-files/unseen-crm.ts'
import { UNSEEN_EVENTS } from '../../test/fixtures/contact-files/unseen-events.ts'
import { UNSEEN_MAIL } from '../../test/fixtures/contact-files/unseen-mail.ts'
import { UNSEEN_OUTLOOK } from '../../test/fixtures/contact-files/unseen-outlook.ts'
import { UNSEEN_TABLES } from '../../test/fixtures/contact-files/unseen-tables.ts'
import type { FileCase } from '../../test/fixtures/contact-files/file-case.ts'
import { encodeText } from '../../test/support/legacy-text.ts'
import { UnreadableFile, type ReadOptions } from './read-contacts.ts'
import { encodingNamed } from './bytes/encodings.ts'

const CASES: readonly FileCase[] = [
  ...ENCODED,
  ...LOCALIZED,
  ...EXPORTS,
  ...DATED,
  ...CARDS,
  ...DAMAGED,
  ...ODD_CELLS,
  ...MORE_CARDS,
  ...MORE_LANGUAGES,
  ...ODD_LAYOUTS,
  ...PROGRAM_EXPORTS,
  ...RECENT_EXPORTS,
  ...HOSTILE_CARDS,
  ...HOSTILE_TABLES,
  ...OUTSIDE_FILES,
  ...SMALL_LISTS,
  ...UNSEEN_CARDS,
  ...UNSEEN_CRM,
  ...UNSEEN_EVENTS,
  ...UNSEEN_MAIL,
  ...UNSEEN_OUTLOOK,
  ...UNSEEN_TABLES,
]

/** Without fields that are empty. */
function compact(contact: ImportedContact): object {
  return Object.fromEntries(
    Object.entries(contact).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

function bytesOf({ text, encoding, mark }: FileCase): Uint8Array {
  if (typeof text !== 'string') return text
  const marked = mark === true ? `\ufeff${text}` : text
  return encoding === undefined ? Buffer.from(marked) : encodeText(marked, encoding)
}

function optionsOf({ named }: FileCase): ReadOptions {
  const encoding = named === undefined ? null : encodingNamed(named)
  return encoding === null ? {} : { encoding }
}

test('there are at least 150 files with unique names', () => {
  assert.ok(CASES.length >= 150, `${CASES.length}`)
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length)
})

for (const file of CASES)
  test(file.name, async () => {
    const { expected, format, skipped, rejected = [], unread } = file
    if (typeof expected === 'string') {
      await assert.rejects(
        readWhole(bytesOf(file), optionsOf(file)),
        (cause) => cause instanceof UnreadableFile && cause.code === expected && cause.hint !== '',
      )
      return
    }
    const read = await readWhole(bytesOf(file), optionsOf(file))
    assert.deepEqual(read.contacts.map(compact), expected)
    if (format !== undefined) assert.equal(read.format, format)
    assert.deepEqual(read.rejected, rejected)
    if (skipped !== undefined)
      assert.equal(read.rows.filter((row) => 'skipped' in row).length, skipped)
    const values = read.rows.flatMap((row) => ('contact' in row ? (row.unread ?? []) : []))
    if (unread !== undefined) assert.deepEqual(values, unread)
  })
