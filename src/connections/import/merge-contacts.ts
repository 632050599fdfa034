/**
 * Merges imported contacts into a member's network: adds new people, refreshes fields from the same source and fills
 * empty ones. Typed fields are kept. Importing a file twice changes nothing.
 */

import { UPDATE_CHANGE } from './import-changes.ts'
import { memberStatement } from '../../db/statement.ts'
import { manyLines } from '../model/clean-text.ts'
import {
  LIST_FIELDS,
  TEXT_FIELDS,
  sourceOf,
  type Connection,
  type ListField,
  type Source,
  type SourcedField,
  type TextField,
} from '../model/connection.ts'
import { MAX_VALUES } from '../model/limits.ts'
import {
  emailKey,
  fingerprintKey,
  keysOf,
  lookupKeysOf,
  storedKeysOf,
  nameCompanyKey,
  profileUrlKey,
  skippedKey,
} from '../model/match-keys.ts'
import {
  addKeys,
  addNotes,
  addTags,
  findByKeys,
  findPresent,
  insertConnectionRows,
  noteTextsOf,
  numberConnections,
  tagOf,
  tagsOf,
  updateConnection,
  type Tag,
} from '../model/connection-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { findMatch, type FoundMatch, type Match } from '../matching/find-match.ts'
import { queueReviews } from '../matching/match-reviews.ts'
import type { MatchDecision } from '../matching/decide-match.ts'
import type { ImportedChange } from './undo-import.ts'
import type { ImportedContact, ImportFormat } from '../model/contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export interface MergeContext {
  readonly source: ImportFormat
  /** The import of these contacts. It fills but does not overwrite fields of a connection that it changed before. */
  readonly jobId: number
  readonly now: number
  /** IDs of people whose values a row of this file repeats, kept between batches; later rows do not replace them. */
  readonly confirmed?: Set<number>
}

/**
 * The result for one contact. `review`: created, although someone in the network may be the same person, and queued for
 * the member to decide. `skipped`: the member deleted that connection; it stays deleted.
 */
export type MergeResult = 'created' | 'review' | 'updated' | 'unchanged' | 'skipped'

/** Merges a batch in order; the results are in the same order. */
export async function mergeContacts(
  tx: MemberTransaction,
  contacts: readonly ImportedContact[],
  context: MergeContext,
): Promise<MergeResult[]> {
  const network = emptyNetwork()
  const results = await mergeInto(network, tx, contacts, context)
  await saveNetwork(tx, network, context)
  return results
}

/** Plans the same merge as `mergeContacts` for successive batches in memory, without writing. */
export function planMerge(
  reader: MemberReader,
  context: MergeContext,
): (contacts: readonly ImportedContact[]) => Promise<MergeResult[]> {
  const network = emptyNetwork()
  return (contacts) => mergeInto(network, reader, contacts, context)
}

async function mergeInto(
  network: Network,
  reader: MemberReader,
  contacts: readonly ImportedContact[],
  context: MergeContext,
): Promise<MergeResult[]> {
  const fingerprints = contacts.map((contact) => fingerprintKey(contact))
  await loadHolders(network, reader, fingerprints)
  // Most rows of a file that was imported before need nothing else.
  const incoming = contacts.map((contact, index): IncomingContact => {
    const fingerprint = fingerprints[index] ?? ''
    const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
    const isDone = known !== undefined && !isReplaced(network, known, contact, context)
    return { contact, fingerprint, keys: isDone ? NO_KEYS : lookupKeysOf(contact) }
  })
  const open = incoming.filter(({ keys }) => keys.length > 0)
  await loadHolders(
    network,
    reader,
    open.flatMap(({ keys }) => keys),
  )
  if (network.hasDeleted)
    await loadHolders(
      network,
      reader,
      open.map(({ contact }) => skippedKey(contact)),
    )
  await loadLatest(network, reader, incoming, context)
  return incoming.map((one) => mergeOne(network, one, context))
}

/** A contact and the keys by which candidates for it are found. */
interface IncomingContact {
  readonly contact: ImportedContact
  readonly fingerprint: string
  readonly keys: readonly string[]
}

/** One person during a merge: their state before and their current state. */
interface Person {
  /** Undefined for a person that this batch adds. */
  readonly before: Connection | undefined
  /** Index among the people of this merge, in the order they were added to the network. */
  readonly order: number
  readonly tagsBefore: readonly Tag[]
  now: Connection
  readonly newTags: Tag[]
  /** The text of every note, including deleted ones, so that none is added twice. */
  readonly noteTexts: Set<string>
  readonly newNotes: string[]
  /** Current matching keys that may not be stored yet. */
  keys: readonly string[]
  /** Fingerprints of merged contacts, and keys of intermediate names and companies. */
  readonly otherKeys: string[]
  /** Keys of the batch that are already stored. */
  readonly keysBefore: Set<string>
  /** Why contacts of this batch were merged into it; the latest. */
  match?: MatchDecision
  /** The first contact of this batch that was merged into it. */
  contact?: ImportedContact
  /** Fingerprints known before that this batch applied again. */
  readonly renewed: string[]
  /** Fingerprints that the last import of this person brought or applied again; undefined when that is unknown. */
  latest?: ReadonlySet<string> | undefined
  /** For a person that this batch adds: who may be the same. */
  readonly perhaps?: Match<Person>
}

/** The people that the contacts may match. */
interface Network {
  readonly people: Person[]
  /** People who existed before, by connection ID. */
  readonly byId: Map<number, Person>
  readonly byKey: Map<string, Person[]>
  /** Whether any of them is deleted. */
  hasDeleted: boolean
}

function emptyNetwork(): Network {
  return { people: [], byId: new Map(), byKey: new Map(), hasDeleted: false }
}

const NO_KEYS: readonly string[] = []

/** Loads the people who have one of these keys, if not loaded yet. */
async function loadHolders(
  network: Network,
  reader: MemberReader,
  keys: readonly string[],
): Promise<void> {
  const found = await findByKeys(reader, [...new Set(keys)])
  if (found.length === 0) return
  const present = await findPresent(reader, [...new Set(found.map((key) => key.connection_id))])
  const connections = distinct(present).filter(
    ({ connectionId }) => !network.byId.has(connectionId),
  )
  const ids = connections.map(({ connectionId }) => connectionId)
  const tags = await tagsOf(reader, ids)
  const notes = await noteTextsOf(reader, ids)
  for (const connection of connections) {
    const { connectionId } = connection
    const person: Person = {
      before: connection,
      order: network.people.length,
      tagsBefore: tags.get(connectionId) ?? [],
      now: connection,
      newTags: [],
      noteTexts: notes.get(connectionId) ?? new Set(),
      newNotes: [],
      keys: [],
      otherKeys: [],
      keysBefore: new Set(),
      renewed: [],
    }
    network.people.push(person)
    network.byId.set(connectionId, person)
  }
  network.hasDeleted ||= connections.some(({ deletedAt }) => deletedAt !== null)
  for (const { key, connection_id } of found) {
    const person = network.byId.get(present.get(connection_id)?.connectionId ?? 0)
    if (!person) continue
    addHolder(network, key, person)
    person.keysBefore.add(key)
  }
}

/**
 * Loads the fingerprints of the last import of each person that has taken in a contact of this batch before, and has other
 * values since. Other people need none, so most batches read nothing. A connection that its last import created is as
 * that import made it.
 */
async function loadLatest(
  network: Network,
  reader: MemberReader,
  incoming: readonly IncomingContact[],
  context: MergeContext,
): Promise<void> {
  const people = new Set<Person>()
  for (const { contact, fingerprint } of incoming) {
    const [person] = network.byKey.get(fingerprint) ?? NO_PEOPLE
    if (person?.before && !person.latest && isReplaced(network, person, contact, context))
      people.add(person)
  }
  for (const [job_id, changed] of Map.groupBy(people, ({ now }) => now.importJobId)) {
    if (job_id === null) continue
    const byId = new Map(changed.map((person) => [person.now.connectionId, person]))
    for (const { connection_id, before } of await reader.all(CHANGES, {
      job_id,
      ids: [...byId.keys()],
    })) {
      const person = byId.get(connection_id)
      if (before === null || !person) continue
      // Written by the import.
      const { added_keys, renewed = [] } = JSON.parse(before) as ImportedChange
      person.latest = new Set([...added_keys, ...renewed])
    }
  }
}

/** Whether a later file of the same kind replaced values of a contact. */
function isReplaced(
  network: Network,
  { now }: Person,
  contact: ImportedContact,
  context: MergeContext,
): boolean {
  return TEXT_FIELDS.some(
    (field) => contact[field] !== now[field] && takesText(network, now, contact, field, context),
  )
}

/** Distinct connections in the order they were added. */
function distinct(present: ReadonlyMap<number, Connection>): Connection[] {
  return [...new Set(present.values())].sort((one, other) => one.connectionId - other.connectionId)
}

function mergeOne(network: Network, incoming: IncomingContact, context: MergeContext): MergeResult {
  const { contact, fingerprint } = incoming
  const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
  if (known) return mergeKnown(network, known, incoming, context)
  if (wasSkipped(network, contact)) return 'skipped'
  const { same, unsure } = matchOf(network, incoming, context)
  if (!same) {
    takeFingerprint(network, addPerson(network, incoming, context, unsure), fingerprint)
    return unsure ? 'review' : 'created'
  }
  const person = same.candidate
  if (person.now.deletedAt !== null) {
    takeFingerprint(network, person, skippedKey(contact))
    return 'skipped'
  }
  takeFingerprint(network, person, fingerprint)
  person.match ??= same.decision
  person.contact ??= contact
  return refreshPerson(network, person, contact, context) ? 'updated' : 'unchanged'
}

/**
 * A contact that the network has already taken in says nothing new, unless a later file of the same kind replaced its
 * values: then the file that is imported now is the newest again.
 */
function mergeKnown(
  network: Network,
  person: Person,
  { contact, fingerprint }: IncomingContact,
  context: MergeContext,
): MergeResult {
  if (person.now.deletedAt !== null) return 'skipped'
  const { latest, now } = person
  if (now.importJobId === context.jobId && person.before !== undefined) {
    // Another row of this file about the same person came first.
    person.renewed.push(fingerprint)
    return 'unchanged'
  }
  if (!isReplaced(network, person, contact, context)) {
    context.confirmed?.add(now.connectionId)
    return 'unchanged'
  }
  const isConfirmed = context.confirmed?.has(now.connectionId) === true
  if (latest === undefined || latest.has(fingerprint) || isConfirmed) return 'unchanged'
  person.renewed.push(fingerprint)
  person.contact ??= contact
  return refreshPerson(network, person, contact, context) ? 'updated' : 'unchanged'
}

/** Compares a contact with everyone who shares a key with it. */
function matchOf(
  { byKey }: Network,
  { contact, keys }: IncomingContact,
  { jobId, source }: MergeContext,
): FoundMatch<Person> {
  const candidates = new Set<Person>()
  for (const key of keys) for (const person of byKey.get(key) ?? NO_PEOPLE) candidates.add(person)
  if (candidates.size === 0) return NO_MATCH
  const nameKeys = keys.slice(-NAME_KEYS)
  const [key] = nameKeys
  return findMatch(
    contact,
    [...candidates].sort(byPrecedence).map((person) => ({
      candidate: person,
      fields: person.now,
      isDeleted: person.now.deletedAt !== null,
      isSameFile: person.now.importJobId === jobId,
      isSameSource: sourceOf(person.now, 'name') === source,
      isFormer:
        nameKeys.some((name) => byKey.get(name)?.includes(person) === true) &&
        nameCompanyKey(person.now) !== key,
    })),
  )
}

const NO_MATCH: FoundMatch<Person> = {}

/** The last of the lookup keys are those of name and company. */
const NAME_KEYS = 2

/** Whether this exact contact was skipped before and the person is still deleted. */
function wasSkipped({ byKey, hasDeleted }: Network, contact: ImportedContact): boolean {
  if (!hasDeleted) return false
  const holders = byKey.get(skippedKey(contact)) ?? NO_PEOPLE
  return holders.some(({ now }) => now.deletedAt !== null)
}

function takeFingerprint(network: Network, person: Person, fingerprint: string): void {
  person.otherKeys.push(fingerprint)
  addHolder(network, fingerprint, person)
}

function addPerson(
  network: Network,
  { contact, keys: lookupKeys }: IncomingContact,
  { source, jobId, now }: MergeContext,
  perhaps: Match<Person> | undefined,
): Person {
  const keys = storedKeysOf(contact, lookupKeys)
  const { note, labels, ...fields } = contact
  const person: Person = {
    before: undefined,
    order: network.people.length,
    tagsBefore: [],
    now: {
      ...fields,
      connectionId: 0, // assigned when the batch is saved
      source,
      fieldSources: {},
      importJobId: jobId,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      mergedInto: null,
    },
    newTags: [],
    noteTexts: new Set(),
    newNotes: [],
    keys,
    otherKeys: [],
    keysBefore: new Set(),
    renewed: [],
    ...(perhaps && { perhaps }),
  }
  takeLabels(person, labels)
  takeNote(person, note)
  network.people.push(person)
  for (const key of keys) addHolder(network, key, person)
  return person
}

/** The fields that a contact changes. */
type Changes = { -readonly [Field in TextField | ListField]?: Connection[Field] }

/** Updates a person from a contact; returns whether anything changed. */
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
  const hasNewTags = takeLabels(person, contact.labels)
  const hasNewNote = takeNote(person, contact.note)
  if (Object.keys(changes).length === 0 && !hasNewTags && !hasNewNote) return false
  if (changes.name !== undefined || changes.company !== undefined)
    person.otherKeys.push(nameCompanyKey(person.now))
  if (changes.profileUrl !== undefined) removeHolder(network, person, person.now.profileUrl)
  person.now = {
    ...person.now,
    ...changes,
    fieldSources: { ...person.now.fieldSources, ...sources },
    importJobId: jobId,
    version: person.now.version + 1,
    updatedAt: now,
  }
  person.keys = keysOf(person.now)
  for (const key of person.keys) addHolder(network, key, person)
  return true
}

/** Fills empty fields, refreshes fields from the same source once per import, and keeps typed fields. */
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
  if (field === 'profileUrl' && network.byKey.has(profileUrlKey(value))) return false // it belongs to someone else
  if (present[field] === null) return true
  if (field === 'name' && contact.givenName !== null && isUnnamed(present)) return true
  // A contact without a name is named after its company or email, which must not rename a person.
  if (field === 'name' && contact.givenName === null && contact.familyName === null) return false
  return sourceOf(present, field) === source && present.importJobId !== jobId
}

/** Whether the name stands in for one that no file had: the email, phone number or company. */
function isUnnamed({ name, givenName, familyName, company, emails, phones }: Connection): boolean {
  if (givenName !== null || familyName !== null) return false
  return name === company || emails.includes(name.toLowerCase()) || phones.includes(name)
}

/** New list values that belong to no one else; none for a list that the member has edited. */
function missingValues(
  network: Network,
  present: Connection,
  contact: ImportedContact,
  field: ListField,
): readonly string[] {
  if (present.fieldSources[field] === 'typed') return []
  const room = MAX_VALUES - present[field].length
  return contact[field]
    .filter((value) => !present[field].includes(value) && value !== present.profileUrl)
    .filter((value) => field !== 'emails' || !network.byKey.has(emailKey(value)))
    .slice(0, Math.max(0, room))
}

function takeLabels(person: Person, labels: readonly string[]): boolean {
  if (person.now.fieldSources.tags === 'typed') return false
  const had = new Set([...person.tagsBefore, ...person.newTags].map(({ key }) => key))
  const before = had.size
  for (const tag of labels.map(tagOf)) {
    if (had.has(tag.key) || had.size >= MAX_VALUES) continue
    had.add(tag.key)
    person.newTags.push(tag)
  }
  return had.size > before
}

function takeNote(person: Person, note: string | null): boolean {
  if (note === null || isComposedOf(note, person.noteTexts)) return false
  person.noteTexts.add(note)
  person.newNotes.push(note)
  return true
}

/** Whether a note consists only of these notes. Exported contact files join all notes of a person into one. */
function isComposedOf(note: string, texts: ReadonlySet<string>): boolean {
  if (texts.has(note)) return true
  const known = new Set([...texts].map((text) => manyLines(text, Infinity)))
  const ends = new Set([0])
  for (const end of ends)
    for (const text of known)
      if (text !== '' && note.startsWith(text, end)) {
        const after = end + text.length
        if (after === note.length) return true
        if (note.startsWith(NOTE_SEPARATOR, after)) ends.add(after + NOTE_SEPARATOR.length)
      }
  return false
}

const NOTE_SEPARATOR = '\n\n'

function addHolder({ byKey }: Network, key: string, person: Person): void {
  const holders = byKey.get(key)
  if (!holders) byKey.set(key, [person])
  else if (!holders.includes(person)) {
    holders.push(person)
    holders.sort(byPrecedence)
  }
}

/** Existing people before deleted ones, then in the order they were added, which does not depend on the batches. */
function byPrecedence(one: Person, other: Person): number {
  const deleted = ({ now }: Person) => Number(now.deletedAt !== null)
  return deleted(one) - deleted(other) || one.order - other.order
}

/** Like in the database, a replaced profile URL no longer matches anyone. */
function removeHolder({ byKey }: Network, person: Person, profileUrl: string | null): void {
  if (profileUrl === null) return
  const key = profileUrlKey(profileUrl)
  const others = byKey.get(key)?.filter((holder) => holder !== person) ?? []
  if (others.length > 0) byKey.set(key, others)
  else byKey.delete(key)
}

const NO_PEOPLE: readonly Person[] = []

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
  await queueReviews(
    tx,
    added.flatMap(({ now, perhaps }) =>
      perhaps
        ? {
            ids: [now.connectionId, perhaps.candidate.now.connectionId],
            decision: perhaps.decision,
            jobId: context.jobId,
            now: context.now,
          }
        : [],
    ),
  )
  const changes = new Map<number, ImportedChange>()
  for (const person of people) {
    const change = await saveChanged(tx, person, context)
    if (change) changes.set(person.now.connectionId, change)
  }
  await saveChanges(tx, context.jobId, changes)
  await addKeys(
    tx,
    people.flatMap(({ now, keys, otherKeys }) =>
      [...keys, ...otherKeys].map((key) => ({ key, connectionId: now.connectionId })),
    ),
  )
  await recordSearchChanges(
    tx,
    changed.map(({ now }) => now.connectionId),
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
  await insertConnectionRows(
    tx,
    added.map(({ now }) => now),
  )
  for (const person of added) await saveTagsAndNotes(tx, person, context)
  await recordSearchChanges(
    tx,
    added.map(({ now }) => now.connectionId),
  )
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: added.map(({ now }) => [context.jobId, now.connectionId, null]),
  })
}

/** Saves changes to an existing person; returns what an undo needs, or undefined when nothing changed. */
async function saveChanged(
  tx: MemberTransaction,
  person: Person,
  context: MergeContext,
): Promise<ImportedChange | undefined> {
  const { before, now } = person
  if (!before || now.deletedAt !== null) return undefined
  const added_keys = addedKeys(person, before)
  const match = person.match && { score: person.match.score, reasons: person.match.reasons }
  const details = {
    ...(match && { match }),
    ...(person.contact && { contact: filledFieldsOf(person.contact), source: context.source }),
    ...(person.renewed.length > 0 && { renewed: person.renewed }),
  }
  if (before.version === now.version)
    return added_keys.length + person.renewed.length === 0
      ? undefined
      : { added_tags: [], added_notes: [], added_keys, ...details }
  await updateConnection(tx, before, now)
  const added_notes = await saveTagsAndNotes(tx, person, context)
  const added_tags = person.newTags.map(({ tag }) => tag)
  return { connection: before, added_tags, added_notes, added_keys, ...details }
}

/** Without empty fields, which takes half the room. */
function filledFieldsOf({
  note: _note,
  labels: _labels,
  ...fields
}: ImportedContact): Partial<ImportedContact> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && !isEmptyList(value)),
  )
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function addedKeys({ keys, otherKeys, keysBefore }: Person, before: Connection): string[] {
  const had = new Set([...keysBefore, ...keysOf(before)])
  return [...new Set([...keys, ...otherKeys])].filter((key) => !had.has(key))
}

/** Later batches of the same import keep the first snapshot and append their additions, so undo reverts all of them. */
async function saveChanges(
  tx: MemberTransaction,
  jobId: number,
  changes: ReadonlyMap<number, ImportedChange>,
): Promise<void> {
  if (changes.size === 0) return
  const earlier = await tx.all(CHANGES, { job_id: jobId, ids: [...changes.keys()] })
  const stored = new Set(earlier.map(({ connection_id }) => connection_id))
  await tx.insertMany({
    table: 'import_changes',
    columns: ['job_id', 'connection_id', 'before'],
    rows: [...changes]
      .filter(([id]) => !stored.has(id))
      .map(([id, change]) => [jobId, id, JSON.stringify(change)]),
  })
  for (const { connection_id, before } of earlier) {
    const change = changes.get(connection_id)
    if (before === null || !change) continue // created by this import
    // Written by an earlier batch.
    const whole = combineChanges(JSON.parse(before) as ImportedChange, change)
    await tx.run(UPDATE_CHANGE, { job_id: jobId, connection_id, before: JSON.stringify(whole) })
  }
}

function combineChanges(first: ImportedChange, next: ImportedChange): ImportedChange {
  const connection = first.connection ?? next.connection
  return {
    ...(connection && { connection }),
    added_tags: [...first.added_tags, ...next.added_tags],
    added_notes: [...first.added_notes, ...next.added_notes],
    added_keys: [...first.added_keys, ...next.added_keys],
    ...((first.match ?? next.match) && { match: first.match ?? next.match }),
    ...((first.contact ?? next.contact) && {
      contact: first.contact ?? next.contact,
      source: first.source ?? next.source,
    }),
    ...((first.renewed ?? next.renewed) && {
      renewed: [...(first.renewed ?? []), ...(next.renewed ?? [])],
    }),
  }
}

/** By primary key, like `UPDATE_CHANGE`. */
const CHANGES = memberStatement<
  { job_id: number; ids: readonly number[] },
  { connection_id: number; before: string | null }
>()(`
  select connection_id, before from import_changes
  where member_id = :member_id and job_id = :job_id and connection_id in (:ids...bigint)`)

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
