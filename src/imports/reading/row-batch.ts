/**
 * Batches of rows as bytes, in which a thread sends them: one list per field. `v8.serialize` writes the names of all properties
 * with each object, so a list of rows takes half more bytes and twice the time.
 */

import { deserialize, serialize } from 'node:v8'
import type {
  ContactKeys,
  ImportedContact,
  ImportRow,
} from '../../contact-files/contact/contact.ts'

type ContactRow = Extract<ImportRow, { readonly contact: unknown }>

/** What a contact of most files has nothing of. */
type FurtherValues = Omit<ContactRow, 'row' | 'line' | 'contact' | 'keys'>

/** One value per contact; null for none. The whole list is null if no contact of the batch has a value. */
type Column<Value> = readonly (Value | null)[] | null

type ContactColumns = {
  readonly [Field in Exclude<keyof ImportedContact, 'name'>]: Column<
    NonNullable<ImportedContact[Field]>
  >
}

interface Batch extends ContactColumns {
  readonly row: readonly number[]
  readonly line: readonly number[]
  readonly name: readonly string[]
  readonly keys: KeyColumns | null
  readonly further: Column<FurtherValues>
  /** The rows without a contact, and their places among all. */
  readonly others: readonly (readonly [at: number, row: ImportRow])[]
}

/** The keys of all contacts, one after the other, and how many each has. */
interface KeyColumns {
  readonly fingerprint: readonly string[]
  readonly stored: readonly string[]
  readonly storedCounts: readonly number[]
  readonly lookupOnly: readonly string[]
  readonly lookupOnlyCounts: readonly number[]
}

/** The bytes are in a buffer of their own, which can be transferred. All contacts have keys, or none has. */
export function encodeRows(rows: readonly ImportRow[]): Uint8Array<ArrayBuffer> {
  const contactRows = rows.filter((row) => 'contact' in row)
  const contacts = contactRows.map(({ contact }) => contact)
  const batch: Batch = {
    row: contactRows.map(({ row }) => row),
    line: contactRows.map(({ line }) => line),
    name: contacts.map(({ name }) => name),
    givenName: column(contacts, ({ givenName }) => givenName),
    familyName: column(contacts, ({ familyName }) => familyName),
    company: column(contacts, ({ company }) => company),
    title: column(contacts, ({ title }) => title),
    location: column(contacts, ({ location }) => location),
    emails: column(contacts, ({ emails }) => listOrNull(emails)),
    phones: column(contacts, ({ phones }) => listOrNull(phones)),
    profileUrl: column(contacts, ({ profileUrl }) => profileUrl),
    links: column(contacts, ({ links }) => listOrNull(links)),
    birthday: column(contacts, ({ birthday }) => birthday),
    connectedOn: column(contacts, ({ connectedOn }) => connectedOn),
    note: column(contacts, ({ note }) => note),
    labels: column(contacts, ({ labels }) => listOrNull(labels)),
    details: column(contacts, ({ details }) => details ?? null),
    keys: keyColumns(contactRows.flatMap(({ keys }) => keys ?? [])),
    further: column(contactRows, furtherValues),
    others: [...rows.entries()].filter(([, row]) => !('contact' in row)),
  }
  return new Uint8Array(serialize(batch)) // the buffer of a small result is shared
}

export function decodeRows(bytes: Uint8Array): ImportRow[] {
  const batch = deserialize(bytes) as Batch
  const keys = batch.keys && keysIn(batch.keys)
  const rows = batch.row.map((_, at) => rowAt(batch, at, keys?.[at]))
  for (const [at, row] of batch.others) rows.splice(at, 0, row)
  return rows
}

function rowAt(batch: Batch, at: number, keys: ContactKeys | undefined): ImportRow {
  const row = batch.row[at] ?? 0
  const line = batch.line[at] ?? 0
  const contact = contactAt(batch, at)
  const further = batch.further?.[at]
  if (further) return { row, line, contact, ...further, ...(keys && { keys }) }
  return keys ? { row, line, contact, keys } : { row, line, contact }
}

function column<Item, Value>(
  items: readonly Item[],
  valueOf: (item: Item) => Value | null,
): Column<Value> {
  const values = items.map(valueOf)
  return values.every((value) => value === null) ? null : values
}

function listOrNull<Value>(values: readonly Value[]): readonly Value[] | null {
  return values.length === 0 ? null : values
}

const NONE: readonly string[] = Object.freeze([])

/** The properties are in the order of `contactOf`, on which the fingerprint of a contact depends. */
function contactAt(batch: Batch, at: number): ImportedContact {
  const details = batch.details?.[at]
  const contact = {
    name: batch.name[at] ?? '',
    givenName: batch.givenName?.[at] ?? null,
    familyName: batch.familyName?.[at] ?? null,
    company: batch.company?.[at] ?? null,
    title: batch.title?.[at] ?? null,
    location: batch.location?.[at] ?? null,
    emails: batch.emails?.[at] ?? NONE,
    phones: batch.phones?.[at] ?? NONE,
    profileUrl: batch.profileUrl?.[at] ?? null,
    links: batch.links?.[at] ?? NONE,
    birthday: batch.birthday?.[at] ?? null,
    connectedOn: batch.connectedOn?.[at] ?? null,
    note: batch.note?.[at] ?? null,
    labels: batch.labels?.[at] ?? NONE,
  }
  return details ? { ...contact, details } : contact
}

function furtherValues(row: ContactRow): FurtherValues | null {
  const { row: _row, line: _line, contact: _contact, keys: _keys, ...values } = row
  return Object.keys(values).length === 0 ? null : values
}

function keyColumns(keys: readonly ContactKeys[]): KeyColumns | null {
  if (keys.length === 0) return null
  return {
    fingerprint: keys.map(({ fingerprint }) => fingerprint),
    stored: keys.flatMap(({ stored }) => stored),
    storedCounts: keys.map(({ stored }) => stored.length),
    lookupOnly: keys.flatMap(({ lookupOnly }) => lookupOnly),
    lookupOnlyCounts: keys.map(({ lookupOnly }) => lookupOnly.length),
  }
}

function keysIn({
  fingerprint: fingerprints,
  stored,
  storedCounts,
  lookupOnly,
  lookupOnlyCounts,
}: KeyColumns): ContactKeys[] {
  let [storedEnd, lookupOnlyEnd] = [0, 0]
  return fingerprints.map((fingerprint, at) => ({
    fingerprint,
    stored: stored.slice(storedEnd, (storedEnd += storedCounts[at] ?? 0)),
    lookupOnly: lookupOnly.slice(lookupOnlyEnd, (lookupOnlyEnd += lookupOnlyCounts[at] ?? 0)),
  }))
}
