/** What a member should know before meeting people. */

import { startOfDay } from '../../dates/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { listChanges, type ListedChange } from '../../tools/activity-log/read-activity.ts'
import { listFollowUps, type ListedFollowUp } from '../follow-ups/follow-up-list.ts'
import { findInteractions, type Interaction } from '../interactions/interaction-store.ts'
import { contactTimesOf, type ContactTimes } from '../last-contact/read-contact-times.ts'
import { findDuplicateOf } from '../duplicates/duplicate-of.ts'
import { findConnections } from '../model/connection-store.ts'
import { newestNotesOf, type Note } from '../notes/notes.ts'
import { nameKey, tokenize } from '../../base/tokenize.ts'
import { linkedRelations } from '../relations/linked-relations.ts'
import { searchConnections } from '../search/search.ts'
import type { IndexReader } from '../search/index/network-index.ts'
import type { Relation } from '../../contact-files/contact/details.ts'
import { idsOf, asListed, type Connection, type Listed } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

export interface PersonBriefing {
  readonly connection: Connection
  readonly times: ContactTimes | undefined
  /** Newest first. */
  readonly notes: readonly Note[]
  readonly interactions: readonly Interaction[]
  readonly followUps: readonly ListedFollowUp[]
  /** Relations of the person, and of the people who name them. */
  readonly relations: readonly Relation[]
  /** Connections who took part in the same interactions, most often first; those whose notes name the person; colleagues. */
  readonly knownInCommon: readonly KnownInCommon[]
  /** By others than this credential, since the day after the last contact, newest first. Notes, interactions and follow-ups have lists of their own. */
  readonly changes: readonly ListedChange[]
  /** Who may be the same person, with the newest notes. */
  readonly duplicate?: { readonly connection: Connection; readonly notes: readonly Note[] }
}

interface KnownInCommon {
  readonly connection: Listed
  readonly how: 'met together' | 'named in their notes' | 'same company'
  /** The next open ones. */
  readonly followUps: readonly ListedFollowUp[]
}

const MAX_ENTRIES = 3
const MAX_OTHERS = 5

type BriefingReader = MemberReader & IndexReader

/** In the order given. */
export async function readPeopleBriefing(
  db: BriefingReader,
  people: readonly Connection[],
  { readsNotes, credentialId }: { readonly readsNotes: boolean; readonly credentialId: string },
): Promise<PersonBriefing[]> {
  const times = await contactTimesOf(db, idsOf(people))
  return Promise.all(
    people.map(async (one) =>
      briefPerson(db, one, {
        times: times.get(one.connectionId),
        credentialId,
        namedBy: readsNotes ? await peopleWhoName(db, one) : [],
      }),
    ),
  )
}

async function briefPerson(
  db: BriefingReader,
  connection: Connection,
  {
    times,
    namedBy,
    credentialId,
  }: { times: ContactTimes | undefined; namedBy: readonly Listed[]; credentialId: string },
): Promise<PersonBriefing> {
  const { connectionId } = connection
  const one = { connection_id: connectionId }
  const [notes, latest, { entries: followUps }, shared, changes, duplicate] = await Promise.all([
    notesOf(db, connectionId),
    db.all(LATEST_INTERACTIONS, { ...one, limit: MAX_ENTRIES }),
    listFollowUps(db, { status: 'open', people: [connectionId] }, MAX_OTHERS),
    db.all(MET_TOGETHER, { ...one, limit: MAX_OTHERS }),
    changesSince(db, { connectionId, credentialId, since: times?.lastContactOn ?? null }),
    findDuplicateOf(db, connection),
  ])
  const interactions = await findInteractions(
    db,
    latest.map(({ interaction_id }) => interaction_id),
  )
  const together = shared.map(({ connection_id }) => connection_id)
  const others = await findConnections(db, together)
  const naming = namedBy.filter((other) => !together.includes(other.connectionId))
  const known = [connectionId, ...together, ...naming.map((other) => other.connectionId)]
  return {
    connection,
    times,
    notes,
    interactions: interactions.toSorted((a, b) => b.localAt - a.localAt),
    followUps,
    relations: await linkedRelations(db, connection),
    knownInCommon: await withFollowUps(db, [
      ...others
        .filter(({ deletedAt }) => deletedAt === null)
        .map((other) => ({ connection: asListed(other), how: 'met together' as const })),
      ...naming.map((other) => ({ connection: other, how: 'named in their notes' as const })),
      ...(await colleagues(db, connection, new Set(known))),
    ]),
    changes,
    ...(duplicate && {
      duplicate: { connection: duplicate, notes: await notesOf(db, duplicate.connectionId) },
    }),
  }
}

async function notesOf(db: BriefingReader, connectionId: number): Promise<readonly Note[]> {
  return (await newestNotesOf(db, [connectionId], MAX_ENTRIES)).get(connectionId) ?? []
}

/** Other people with a note that has the given name, or the whole name if several people have the given name. */
async function peopleWhoName(
  db: BriefingReader,
  { connectionId, name }: Connection,
): Promise<readonly Listed[]> {
  const words = tokenize(name)
  for (const wanted of new Set([words.slice(0, 1).join(' '), words.join(' ')])) {
    const page = await searchConnections(db, { query: { query: wanted }, limit: MAX_NAMING })
    const found = page.connections.flatMap((connection, at) => {
      const match = page.matches[at]
      return match && connection.connectionId !== connectionId ? [{ connection, match }] : []
    })
    if (found.some(({ match }) => match.fields.includes('name'))) continue
    // The search also finds other spellings, which may be other people.
    const isNamed = (text: string) => wanted.split(' ').every((one) => tokenize(text).includes(one))
    return found
      .filter(({ match }) => match.fields.includes('notes') && isNamed(match.snippet ?? ''))
      .map(({ connection }) => connection)
  }
  return []
}

const MAX_NAMING = 20

async function colleagues(
  db: BriefingReader,
  { company }: Connection,
  others: ReadonlySet<number>,
): Promise<Omit<KnownInCommon, 'followUps'>[]> {
  if (company === null) return []
  const limit = MAX_OTHERS + others.size
  const { connections } = await searchConnections(db, { query: { query: '', company }, limit })
  return connections
    .filter(
      (one) => !others.has(one.connectionId) && nameKey(one.company ?? '') === nameKey(company),
    )
    .map((connection) => ({ connection, how: 'same company' }))
}

/** The first of them, each with the next open follow-ups. */
function withFollowUps(
  db: MemberReader,
  known: readonly Omit<KnownInCommon, 'followUps'>[],
): Promise<KnownInCommon[]> {
  return Promise.all(
    known.slice(0, MAX_OTHERS).map(async ({ connection, how }) => {
      const { connectionId } = connection
      const { entries: followUps } = await listFollowUps(
        db,
        { status: 'open', people: [connectionId] },
        MAX_OPEN,
      )
      return { connection, how, followUps }
    }),
  )
}

const MAX_OPEN = 2

/** Activity entries that are read for the changes of a person. */
const MAX_CHANGES_READ = 30

async function changesSince(
  db: MemberReader,
  {
    connectionId,
    credentialId,
    since: lastContactOn,
  }: { connectionId: number; credentialId: string; since: string | null },
): Promise<readonly ListedChange[]> {
  if (lastContactOn === null) return []
  const since = startOfDay(lastContactOn) + DAY
  const changes = await listChanges(db, Number.MAX_SAFE_INTEGER, MAX_CHANGES_READ, {
    people: [connectionId],
  })
  return changes
    .filter(
      ({ at, action, credentialId: by }) =>
        at >= since && by !== credentialId && !/^(?:note|interactions?|follow_up)\./.test(action),
    )
    .slice(0, MAX_OTHERS)
}

/** By primary key. */
const LATEST_INTERACTIONS = memberStatement<
  { connection_id: number; limit: number },
  { interaction_id: number }
>()(`
  select interaction_id from interaction_people
  where member_id = :member_id and connection_id = :connection_id and deleted_at is null
  order by local_at desc, interaction_id desc limit :limit`)

/** People of the latest 50 interactions, most shared ones first. By the primary key and interaction_people_by_interaction. */
const MET_TOGETHER = memberStatement<
  { connection_id: number; limit: number },
  { connection_id: number }
>()(`
  select other.connection_id from (
    select interaction_id from interaction_people
    where member_id = :member_id and connection_id = :connection_id and deleted_at is null
    order by local_at desc, interaction_id desc limit 50) shared
  join interaction_people other
    on other.member_id = :member_id and other.interaction_id = shared.interaction_id
  where other.connection_id <> :connection_id and other.deleted_at is null
  group by other.connection_id
  order by count(*) desc, other.connection_id limit :limit`)
