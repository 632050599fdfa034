/** The people in a network that the contacts of an import may match: loaded by their keys (`load-people.ts`), changed in memory. */

import { profileUrlKey } from '../../connections/model/match-keys.ts'
import type { Note } from '../../connections/notes/notes.ts'
import type { Tag } from '../../connections/model/tag-store.ts'
import type { FollowUp } from '../../connections/follow-ups/follow-ups.ts'
import type { FieldRegistry } from '../../connections/custom-fields/imported-custom-fields.ts'
import type { AwaitedMember } from './awaited-members.ts'
import type { NewInteraction } from '../../connections/interactions/imported-interactions.ts'
import type { Origin } from './contact-origin.ts'
import type { Namesakes } from './namesakes.ts'
import type { Match } from '../../identity/find-match.ts'
import type { MatchDecision } from '../../identity/decide-match.ts'
import type {
  MergedRow,
  StoredContact,
} from '../../connections/imported-changes/imported-change.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { Details } from '../../contact-files/contact/details.ts'
import type {
  CardLinks,
  ContactHistory,
  ImportedCadence,
  ImportedContact,
  ImportFormat,
  MatchKeys,
  RelatedRecord,
  UnreadValue,
} from '../../contact-files/contact/contact.ts'

export interface MergeContext {
  readonly source: ImportFormat
  /** The import of these contacts. It fills but does not overwrite fields of a connection that it changed before. */
  readonly jobId: number
  readonly now: number
  /** IDs of people whose values a row of an earlier batch repeats; later rows do not replace them. */
  readonly confirmed?: Pick<ReadonlySet<number>, 'has'>
}

/** A contact and the keys by which candidates for it are found. */
export interface IncomingContact {
  readonly contact: ImportedContact
  /** As the connection stores them. */
  readonly details: Details
  readonly fingerprint: string
  /** None if the network has already taken it in, and it changes nothing. */
  readonly keys: MatchKeys
  readonly card?: CardLinks | undefined
  /** See `ImportRow`. */
  readonly record?: string | undefined
  readonly addedAt?: number | undefined
  readonly history?: ContactHistory | undefined
  readonly origin?: Origin | undefined
  readonly cadence?: ImportedCadence | undefined
}

/** One person during a merge: their state before and their current state. */
export interface MergedPerson {
  /** Undefined for a person that this batch adds. */
  readonly before: Connection | undefined
  /** Index among the people of this merge, in the order in which it loaded or added them. */
  readonly order: number
  tagsBefore: readonly Tag[]
  now: Connection
  /** Connections that were merged into it and have a key of the batch, as they were before. */
  readonly merged?: readonly Connection[]
  readonly newTags: Tag[]
  /** The text of every note, including deleted ones, so that none is added twice; undefined until they are loaded. */
  noteTexts: Set<string> | undefined
  readonly newNotes: NewNote[]
  /** The keys of all follow-ups, including deleted ones; undefined until they are loaded. See `take-history.ts`. */
  followUps: Set<string> | undefined
  readonly newFollowUps: NewFollowUp[]
  /** The keys of all interactions, including deleted ones; undefined until they are loaded. See `take-interactions.ts`. */
  interactions: Set<string> | undefined
  readonly newInteractions: NewInteraction[]
  /** How often to keep in touch, if the import sets it. */
  cadence?: ImportedCadence
  readonly relations: RelatedRecord[]
  /** Others that are different people, by a decision of the member that the file has. */
  readonly different: MergedPerson[]
  /** Current matching keys that may not be stored yet. */
  keys: readonly string[]
  /** Fingerprints of merged contacts, and keys of intermediate names and companies. */
  readonly otherKeys: string[]
  /** Keys of the batch that are already stored, for it or for one that was merged into it. */
  readonly keysBefore: ReadonlySet<string>
  readonly ownKeys: ReadonlySet<string>
  /** Why contacts of this batch were merged into it; the latest. */
  match?: MatchDecision
  contact?: StoredContact
  /** Later rows of the file that were merged into it. */
  readonly mergedRows: PlannedRow[]
  /** The new position, if this batch changed it. */
  job?: Pick<Connection, 'company' | 'title'>
  /** Fingerprints known before that this batch applied again. */
  readonly renewed: string[]
  /** Fingerprints that the last import of this person brought or applied again; undefined when that is unknown. */
  latest?: ReadonlySet<string> | undefined
  /** Others who may be the same, for the member to decide. */
  readonly perhaps: Match<MergedPerson>[]
}

type NewNote = Omit<Note, 'noteId' | 'connectionId' | 'updatedAt'>
type NewFollowUp = Omit<FollowUp, 'followUpId' | 'connectionId'>

/** A merged row whose notes and interactions have no numbers yet. */
interface PlannedRow extends Omit<MergedRow, 'added_notes' | 'added_interactions'> {
  /** Indexes in `newNotes` of the person. */
  readonly notes: readonly number[]
  /** Indexes in `newInteractions` of the person. */
  readonly interactions: readonly number[]
}

/** A loaded person; more keys are added as they are found. */
interface LoadedPerson extends MergedPerson {
  merged?: Connection[]
  readonly keysBefore: Set<string>
  readonly ownKeys: Set<string>
}

/** The people that the contacts of an import may match. */
export interface Network {
  readonly context: MergeContext
  readonly people: MergedPerson[]
  /** People who existed before, by connection ID. */
  readonly byId: Map<number, LoadedPerson>
  readonly byKey: Map<string, MergedPerson[]>
  /** The people of keys that many have, by the words of their names. */
  readonly namesakes: Map<string, Namesakes<MergedPerson>>
  /** Keys that too many people have to say anything, who are not loaded for them. */
  readonly crowded: Set<string>
  hasDeleted: boolean
  /** Undefined until a contact has values for custom fields. */
  fields: FieldRegistry | undefined
  /** IDs of people whose values a row repeats, like `MergeContext.confirmed`. */
  readonly confirmed: Set<number>
  /** Members of groups in this merge who are not in the network yet. */
  readonly awaited: AwaitedMember[]
  /** The person of each contact that was taken in. */
  readonly owners: Map<ImportedContact, MergedPerson>
  /** The fields of each contact that did not fit into its connection. */
  readonly cuts: Map<ImportedContact, Set<string>>
  /** The references of each contact that the network has the people of. */
  readonly found: Map<ImportedContact, readonly UnreadValue[]>
  /** The references of earlier contacts of this import whose people have arrived. */
  readonly linked: UnreadValue[]
}

/** Returns a network without loaded people. */
export function emptyNetwork(context: MergeContext): Network {
  return {
    context,
    people: [],
    byId: new Map(),
    byKey: new Map(),
    namesakes: new Map(),
    crowded: new Set(),
    hasDeleted: false,
    fields: undefined,
    confirmed: new Set(),
    awaited: [],
    owners: new Map(),
    cuts: new Map(),
    found: new Map(),
    linked: [],
  }
}

/** The start of a person during a merge, without tags, notes and keys. */
export function newPerson(
  { people }: Pick<Network, 'people'>,
  { before, now }: Pick<MergedPerson, 'before' | 'now'>,
): LoadedPerson {
  return {
    before,
    order: people.length,
    tagsBefore: NO_TAGS,
    now,
    newTags: [],
    noteTexts: before ? undefined : new Set(),
    newNotes: [],
    followUps: before ? undefined : new Set(),
    newFollowUps: [],
    interactions: before ? undefined : new Set(),
    newInteractions: [],
    relations: [],
    different: [],
    keys: [],
    otherKeys: [],
    keysBefore: new Set(),
    ownKeys: new Set(),
    mergedRows: [],
    renewed: [],
    perhaps: [],
  }
}

const NO_TAGS: readonly Tag[] = []

/** Records that the import changed a person who was in the network before. */
export function markChanged(person: MergedPerson, { jobId, now }: MergeContext): void {
  if (person.before === undefined) return
  const { version } = person.now
  person.now = { ...person.now, importJobId: jobId, version: version + 1, updatedAt: now }
}

/** Also keeps the order of precedence among the people with this key. */
export function addHolder({ byKey }: Network, key: string, person: MergedPerson): void {
  const holders = byKey.get(key)
  if (!holders) {
    byKey.set(key, [person])
    return
  }
  if (holders.includes(person)) return
  const last = holders.at(-1)
  holders.push(person)
  if (last && byPrecedence(last, person) > 0) holders.sort(byPrecedence)
}

/** Existing people before deleted ones, then in the order they were added, which does not depend on the batches. */
export function byPrecedence(one: MergedPerson, other: MergedPerson): number {
  const deleted = ({ now }: MergedPerson) => Number(now.deletedAt !== null)
  return deleted(one) - deleted(other) || addedAt(one) - addedAt(other) || one.order - other.order
}

/** By ID, not by when they were loaded, because a plan loads people over several batches. */
function addedAt({ before }: MergedPerson): number {
  return before?.connectionId ?? Number.MAX_SAFE_INTEGER
}

/** Like in the database, a replaced profile URL no longer matches anyone. */
export function removeHolder(
  { byKey }: Network,
  person: MergedPerson,
  profileUrl: string | null,
): void {
  if (profileUrl === null) return
  const key = profileUrlKey(profileUrl)
  const others = byKey.get(key)?.filter((holder) => holder !== person) ?? []
  if (others.length > 0) byKey.set(key, others)
  else byKey.delete(key)
}

export const NO_PEOPLE: readonly MergedPerson[] = []
