// Reads the JSON export of Monica 2 to 4: one object with the whole account.

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { contactFile, type ContactFile } from '../file/contact-file.ts'
import { rowOfRecord } from '../file/contact-record.ts'
import { jsonText, readWholeJson } from '../file/json-values.ts'
import { accountIn, type MonicaAccount } from './monica-account.ts'
import { entryOf, groupsIn, type MonicaEntry } from './monica-entry.ts'
import { isOwnReminder } from './monica-history.ts'
import { recordOfContact } from './monica-contact.ts'
import type { FileColumn } from '../columns/file-columns.ts'
import type { ImportRow } from '../contact/contact.ts'

/** @throws {UnreadableFile} when the file is damaged, or has no account. */
export async function monicaFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = accountIn(await readWholeJson(blocks, 'Monica'))
  const columns = new MonicaColumns(account)
  async function* rowBatches(): AsyncGenerator<ImportRow[], void, undefined> {
    for (let at = 0; at < account.contacts.length; at += BATCH_ROWS)
      yield account.contacts.slice(at, at + BATCH_ROWS).map((contact, index) => {
        columns.add(contact)
        return rowOfRecord(at + index + 1, recordOfContact(contact, account))
      })
  }
  return contactFile('monica', rowBatches(), { header: [], columns: () => columns.get() })
}

const BATCH_ROWS = 200

/** The use of each property and group of a contact, and of each part of the account. */
const targets = lazy(
  () =>
    new Map(
      readDataLines(new URL('data/fields.txt', import.meta.url)).map((line) => {
        const [becomes = '', name = ''] = line.split(' = ')
        return [name, becomes as FileColumn['becomes']] as const
      }),
    ),
)

/** Parts of the account that belong to contacts, or only describe them. */
const PARTS_OF_CONTACTS: ReadonlySet<string> = new Set(['contact', 'photo', 'activity'])

/** Counts the contacts with each property and group. */
class MonicaColumns {
  readonly #columns = new Map<string, { filled: number; leftOut: number }>()
  /** UUIDs of those with contacts. */
  readonly #activities = new Set<string>()
  readonly #account: MonicaAccount

  constructor(account: MonicaAccount) {
    this.#account = account
  }

  /** Parts of the account count their entries. */
  get(): readonly FileColumn[] {
    const { counts, activities } = this.#account
    const alone = activities.size - this.#activities.size
    const parts = [
      ...[...counts].filter(([name]) => !PARTS_OF_CONTACTS.has(name) && !this.#columns.has(name)),
      ...(alone > 0 ? [['activity without contacts', alone] as const] : []),
    ]
    const all = [
      ...this.#columns,
      ...parts.map(([name, filled]) => [name, { filled, leftOut: 0 }] as const),
    ]
    return all.map(([name, { filled, leftOut }]) => {
      const becomes = targets().get(name) ?? 'ignore'
      return leftOut > 0 ? { name, becomes, filled, leftOut } : { name, becomes, filled }
    })
  }

  add({ properties, data }: MonicaEntry): void {
    for (const [name, value] of Object.entries(properties))
      if (isSaid(name, value)) this.#count(name)
    for (const [type, values] of groupsIn(data)) {
      const isOwn = type !== 'reminder' || values.map(entryOf).some(isOwnReminder)
      if (values.length > 0) this.#count(type, isOwn ? 0 : 1)
      if (type === 'activity') this.#addActivities(values)
    }
  }

  #addActivities(uuids: readonly unknown[]): void {
    for (const uuid of uuids.map(jsonText))
      if (this.#account.activities.has(uuid)) this.#activities.add(uuid)
  }

  #count(name: string, leftOut = 0): void {
    const column = this.#columns.get(name)
    if (column === undefined) this.#columns.set(name, { filled: 1, leftOut })
    else {
      column.filled += 1
      column.leftOut += leftOut
    }
  }
}

/** Contacts are active by default. Zero is no value: that of the number of views, and of a frequency that is not set. */
function isSaid(name: string, value: unknown): boolean {
  if (name === 'is_active') return value === false || value === 0
  return value !== false && value !== null && value !== '' && value !== 0
}
