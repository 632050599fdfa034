/**
 * Brings imported contacts into a member's network: finds who is there already, adds who is not, refreshes what the
 * same source gave before, and fills what is empty. What a member typed stays. Importing a file twice changes nothing.
 */

import {
  LIST_FIELDS,
  TEXT_FIELDS,
  sourceOf,
  type Connection,
  type ListField,
  type Source,
  type SourcedField,
  type TextField,
} from './connection.ts'
import { findSamePerson, fingerprintKey, keysOf } from './keys.ts'
import {
  addKeys,
  addNotes,
  addTags,
  documentOf,
  findByKeys,
  findConnections,
  indexConnections,
  insertConnections,
  noteTextsOf,
  numberConnections,
  tagOf,
  tagsOf,
  updateConnection,
  type Tag,
} from './store.ts'
import type { ImportedContact, ImportFormat } from './imports/contact.ts'
import type { MemberTransaction } from '../db/database.ts'

export interface MergeContext {
  readonly source: ImportFormat
  /** The import these contacts belong to: a connection that it has touched is then only filled, never changed back. */
  readonly jobId: number
  readonly now: number
}

/** What became of one contact. `skipped`: the member has deleted that connection, and it stays deleted. */
export type MergeResult = 'created' | 'updated' | 'unchanged' | 'skipped'

/** Merges a batch, in order; the results stand in the same order. */
export async function mergeContacts(
  tx: MemberTransaction,
  contacts: readonly ImportedContact[],
  context: MergeContext,
): Promise<MergeResult[]> {
  const network = await loadNetwork(tx, contacts)
  const results = contacts.map((contact) => mergeOne(network, contact, context))
  await saveNetwork(tx, network, context)
  return results
}

/** One person while a batch is merged: as they were found, and as they are by now. */
interface Person {
  /** Undefined for one that this batch adds. */
  readonly before: Connection | undefined
  readonly tagsBefore: readonly Tag[]
  now: Connection
  readonly newTags: Tag[]
  /** Every note's text, so that none is added twice; deleted ones count. */
  readonly noteTexts: Set<string>
  readonly newNotes: string[]
  /** Fingerprints of the contacts they took in. */
  readonly fingerprints: string[]
}

/** Everybody that a batch of contacts may concern. */
interface Network {
  readonly people: Person[]
  readonly byKey: Map<string, Person[]>
}

async function loadNetwork(
  tx: MemberTransaction,
  contacts: readonly ImportedContact[],
): Promise<Network> {
  const network: Network = { people: [], byKey: new Map() }
  const found = await findByKeys(tx, [
    ...new Set(contacts.flatMap((contact) => [fingerprintKey(contact), ...keysOf(contact)])),
  ])
  if (found.length === 0) return network
  const ids = [...new Set(found.map(({ connection_id }) => connection_id))]
  const connections = await findConnections(tx, ids)
  const tags = await tagsOf(tx, ids)
  const notes = await noteTextsOf(tx, ids)
  const byId = new Map<number, Person>()
  for (const connection of connections) {
    const { connectionId } = connection
    byId.set(connectionId, {
      before: connection,
      tagsBefore: tags.get(connectionId) ?? [],
      now: connection,
      newTags: [],
      noteTexts: notes.get(connectionId) ?? new Set(),
      newNotes: [],
      fingerprints: [],
    })
  }
  network.people.push(...byId.values())
  for (const { key, connection_id } of found) {
    const person = byId.get(connection_id)
    if (person) holdersOf(network, key).push(person)
  }
  return network
}

function mergeOne(network: Network, contact: ImportedContact, context: MergeContext): MergeResult {
  const fingerprint = fingerprintKey(contact)
  const [known] = network.byKey.get(fingerprint) ?? NOBODY
  if (known) return known.now.deletedAt === null ? 'unchanged' : 'skipped'
  const person = findSamePerson(
    contact,
    (key) => network.byKey.get(key) ?? NOBODY,
    ({ now }) => now,
  )
  if (!person) {
    takeFingerprint(network, addPerson(network, contact, context), fingerprint)
    return 'created'
  }
  if (person.now.deletedAt !== null) return 'skipped'
  takeFingerprint(network, person, fingerprint)
  return refreshPerson(network, person, contact, context) ? 'updated' : 'unchanged'
}

function takeFingerprint(network: Network, person: Person, fingerprint: string): void {
  person.fingerprints.push(fingerprint)
  holdersOf(network, fingerprint).push(person)
}

function addPerson(
  network: Network,
  contact: ImportedContact,
  { source, jobId, now }: MergeContext,
): Person {
  const { note, labels, ...fields } = contact
  const person: Person = {
    before: undefined,
    tagsBefore: [],
    now: {
      ...fields,
      connectionId: 0, // numbered when the batch is saved
      source,
      fieldSources: {},
      importJobId: jobId,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    },
    newTags: [],
    noteTexts: new Set(),
    newNotes: [],
    fingerprints: [],
  }
  takeLabels(person, labels)
  takeNote(person, note)
  network.people.push(person)
  register(network, person)
  return person
}

/** The fields a contact changes. */
type Changes = { -readonly [Field in TextField | ListField]?: Connection[Field] }

/** Brings one person up to date with a contact; tells whether anything changed. */
function refreshPerson(
  network: Network,
  person: Person,
  contact: ImportedContact,
  context: MergeContext,
): boolean {
  const { source, jobId, now } = context
  const changes: Changes = {}
  const sources: Partial<Record<SourcedField, Source>> = {}
  for (const field of TEXT_FIELDS) {
    if (!takesText(network, person.now, contact, field, context)) continue
    Object.assign(changes, { [field]: contact[field] })
    if (sourceOf(person.now, field) !== source) sources[field] = source
  }
  for (const field of LIST_FIELDS) {
    const missing = missingValues(network, person.now, contact, field)
    if (missing.length > 0) changes[field] = [...person.now[field], ...missing]
  }
  const labelled = takeLabels(person, contact.labels)
  const noted = takeNote(person, contact.note)
  if (Object.keys(changes).length === 0 && !labelled && !noted) return false
  person.now = {
    ...person.now,
    ...changes,
    fieldSources: { ...person.now.fieldSources, ...sources },
    importJobId: jobId,
    version: (person.before?.version ?? 0) + 1,
    updatedAt: now,
  }
  register(network, person)
  return true
}

/** Fills what is empty; refreshes what the same source gave, but only once in each import; leaves what was typed. */
function takesText(
  network: Network,
  present: Connection,
  contact: ImportedContact,
  field: TextField,
  { source, jobId }: MergeContext,
): boolean {
  const value = contact[field]
  if (value === null || value === present[field] || present.fieldSources[field] === 'typed')
    return false
  if (field === 'profileUrl' && network.byKey.has(`u:${value}`)) return false // it is somebody else's
  if (present[field] === null) return true
  // A contact with no name of its own is called by its company or address: no reason to rename anybody.
  if (field === 'name' && contact.givenName === null && contact.familyName === null) return false
  return sourceOf(present, field) === source && present.importJobId !== jobId
}

/** Values of a list that are new to this person and nobody else's; none for a list that the member has edited. */
function missingValues(
  network: Network,
  present: Connection,
  contact: ImportedContact,
  field: ListField,
): readonly string[] {
  if (present.fieldSources[field] === 'typed') return []
  const room = MOST_VALUES - present[field].length
  return contact[field]
    .filter((value) => !present[field].includes(value))
    .filter((value) => field !== 'emails' || !network.byKey.has(`e:${value}`))
    .slice(0, Math.max(0, room))
}

/** As many e-mail addresses, phone numbers or links as one connection holds. */
const MOST_VALUES = 50

function takeLabels(person: Person, labels: readonly string[]): boolean {
  if (person.now.fieldSources.tags === 'typed') return false
  const had = new Set([...person.tagsBefore, ...person.newTags].map(({ key }) => key))
  const before = had.size
  for (const tag of labels.map(tagOf)) {
    if (had.has(tag.key)) continue
    had.add(tag.key)
    person.newTags.push(tag)
  }
  return had.size > before
}

function takeNote(person: Person, note: string | null): boolean {
  if (note === null || person.noteTexts.has(note)) return false
  person.noteTexts.add(note)
  person.newNotes.push(note)
  return true
}

function register(network: Network, person: Person): void {
  for (const key of keysOf(person.now)) {
    const holders = holdersOf(network, key)
    if (!holders.includes(person)) holders.push(person)
  }
}

function holdersOf(network: Network, key: string): Person[] {
  let holders = network.byKey.get(key)
  if (!holders) {
    holders = []
    network.byKey.set(key, holders)
  }
  return holders
}

const NOBODY: readonly Person[] = []

// Saving

async function saveNetwork(
  tx: MemberTransaction,
  { people }: Network,
  context: MergeContext,
): Promise<void> {
  const added = people.filter(({ before }) => before === undefined)
  const changed = people.filter(
    ({ before, now }) => before !== undefined && before.version !== now.version,
  )
  await saveAdded(tx, added, context)
  for (const person of changed) await saveChanged(tx, person, context)
  await addKeys(
    tx,
    people.flatMap(({ now, fingerprints }) =>
      fingerprints.map((key) => ({ key, connectionId: now.connectionId })),
    ),
  )
  await indexConnections(
    tx,
    changed.map(({ now }) => now),
  )
}

async function saveAdded(
  tx: MemberTransaction,
  added: readonly Person[],
  context: MergeContext,
): Promise<void> {
  if (added.length === 0) return
  const first = await numberConnections(tx, added.length)
  for (const [index, person] of added.entries())
    person.now = { ...person.now, connectionId: first + index }
  await insertConnections(
    tx,
    added.map(({ now }) => now),
  )
  for (const person of added) await saveTagsAndNotes(tx, person, context)
  await tx.fullText.indexConnections(
    tx,
    added.map(({ now, newTags, newNotes }) =>
      documentOf(
        now,
        newTags.map(({ tag }) => tag),
        newNotes,
      ),
    ),
  )
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: added.map(({ now }) => [context.jobId, now.connectionId, null]),
  })
}

async function saveChanged(
  tx: MemberTransaction,
  person: Person,
  context: MergeContext,
): Promise<void> {
  const { before, now } = person
  if (!before) return
  await updateConnection(tx, before, now)
  const noteIds = await saveTagsAndNotes(tx, person, context)
  const undo = {
    connection: before,
    added_tags: person.newTags.map(({ key }) => key),
    added_notes: noteIds,
  }
  // A second change of the same connection by the same import keeps the first picture: undo goes back to before it all.
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: [[context.jobId, now.connectionId, JSON.stringify(undo)]],
    onConflict: 'ignore',
  })
}

async function saveTagsAndNotes(
  tx: MemberTransaction,
  person: Person,
  { now }: MergeContext,
): Promise<number[]> {
  const { connectionId } = person.now
  if (person.newTags.length > 0) await addTags(tx, connectionId, person.newTags)
  const notes = await addNotes(
    tx,
    person.newNotes.map((text) => ({
      connectionId,
      text,
      happenedOn: null,
      origin: 'import',
      createdAt: now,
    })),
  )
  return notes.map(({ noteId }) => noteId)
}
