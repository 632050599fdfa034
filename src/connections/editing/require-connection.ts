/**
 * Finds the connections that an agent or a page names by ID, email address or name, or says why there is none. A name
 * must be unambiguous.
 */

import { RequestError } from '../../base/request-error.ts'
import { isPlainEmail } from '../../contact-files/contact/emails-and-phones.ts'
import {
  CONNECTION_ID_PATTERN,
  UNDONE,
  publicConnectionId,
  readConnectionId,
  type Connection,
} from '../model/connection.ts'
import { closestFirst } from './closest-first.ts'
import {
  findDeletedPeople,
  findNamedPeople,
  MAX_CANDIDATES,
  type NamedCandidates,
} from './find-person.ts'
import type { MemberReader } from '../../db/database.ts'

interface RequireOptions {
  /** Only whole names, not a given name alone. For deletions. */
  readonly wholeNames?: boolean
}

/** A given name alone is not enough for a deletion or a merge. */
export const WHOLE_NAMES = { wholeNames: true } as const

/**
 * The live connection with an ID, an email address or an unambiguous name.
 *
 * @throws {RequestError} `not_found` when it does not exist, is deleted or belongs to another member. The hint says
 *   what to do next.
 * @throws {RequestError} `ambiguous_person` when several people have the name; the error lists them.
 */
export async function requireConnection(
  reader: MemberReader,
  person: string,
  options: RequireOptions = {},
): Promise<Connection> {
  const [found] = await findNamedPeople(reader, [person], options)
  const [connection, ...others] = found?.candidates ?? []
  if (connection && others.length === 0 && connection.deletedAt === null) return connection
  if (found && others.length > 0) throw await ambiguous(reader, [found], { missing: [], known: [] })
  throw await notFound(reader, person, connection)
}

async function notFound(
  reader: MemberReader,
  person: string,
  deleted: Connection | undefined,
): Promise<RequestError> {
  const message = `Connection ${shown(person)} was not found in this network.`
  if (deleted && deleted.mergedInto !== UNDONE)
    return new RequestError('not_found', message, {
      hint:
        deleted.mergedInto === null
          ? 'It was deleted. Restore it with restore_connections.'
          : `It was merged into ${publicConnectionId(deleted.mergedInto)}.`,
    })
  return new RequestError('not_found', message, {
    hint: `${await deletedHint(reader, [person])}Find its connection_id with search_connections.`,
    members: unknownJson([person]),
  })
}

/** Names deleted people who may be meant; empty if there are none. */
async function deletedHint(reader: MemberReader, texts: readonly string[]): Promise<string> {
  const found: Connection[] = []
  for (const text of texts.slice(0, MAX_AMBIGUOUS))
    found.push(...(await findDeletedPeople(reader, text)).slice(0, MAX_DELETED))
  if (found.length === 0) return ''
  const named = found.map((one) => `${one.name} (${publicConnectionId(one.connectionId)})`)
  const verb = found.length === 1 ? 'was' : 'were'
  return `${named.join(', ')} ${verb} deleted; restore_connections brings them back. `
}

/** Deleted people per name. */
const MAX_DELETED = 3

/** Texts that are names, which `explainPeople` searches for. */
function unknownJson(texts: readonly string[]) {
  const names = texts.filter((text) => readConnectionId(text) === undefined && !isPlainEmail(text))
  return names.length === 0 ? {} : { unknown_people: names.map(shown) }
}

/** What became of one of several people that a call names. */
export interface NamedPerson {
  /** As the caller named the person. */
  readonly given: string
  /** The live connection, if exactly one was found. */
  readonly connection?: Connection
  /** The connection with this ID, if it is deleted. */
  readonly deleted?: Connection
  /** The people of an ambiguous name. */
  readonly candidates?: readonly Connection[]
}

/** Each of these people once, in the order given. A text may hold several IDs: `c_1, c_2`. */
export async function resolvePeople(
  reader: MemberReader,
  people: readonly string[],
  options: RequireOptions = {},
): Promise<NamedPerson[]> {
  const given = people.flatMap((text) => (LIST_OF_IDS.test(text) ? text.split(/[\s,;]+/) : [text]))
  const seen = new Set<number>()
  const resolved: NamedPerson[] = []
  for (const { text, candidates } of await findNamedPeople(reader, given, options)) {
    const [connection, ...others] = candidates
    if (others.length > 0) resolved.push({ given: text, candidates })
    else if (connection?.deletedAt === null) {
      if (!seen.has(connection.connectionId)) resolved.push({ given: text, connection })
      seen.add(connection.connectionId)
    } else resolved.push({ given: text, ...(connection && { deleted: connection }) })
  }
  return resolved
}

const ID = CONNECTION_ID_PATTERN.replace(/^\^|\$$/g, '')
// regex-ok: an ID is a bounded number of digits, and separators are not part of it
const LIST_OF_IDS = new RegExp(`^${ID}(?:[\\s,;]{1,3}${ID})+$`, 'u')

/**
 * The connections with these IDs, email addresses or unambiguous names, each once.
 *
 * @throws {RequestError} `not_found` when one of them does not exist.
 * @throws {RequestError} `ambiguous_person` when several people have one of the names; the error lists them.
 */
export async function requireConnections(
  reader: MemberReader,
  people: readonly string[],
  options: RequireOptions = {},
): Promise<Connection[]> {
  const resolved = await resolvePeople(reader, people, options)
  const unclear = resolved.flatMap(({ given, candidates }) =>
    candidates ? [{ text: given, candidates }] : [],
  )
  const unknown = resolved.flatMap(({ given, connection, candidates }) =>
    connection || candidates ? [] : [given],
  )
  const missing = unknown.map(shown)
  const known = resolved.flatMap(({ connection }) => connection ?? [])
  if (unclear.length > 0) throw await ambiguous(reader, unclear, { missing, known })
  if (missing.length > 0) {
    throw new RequestError(
      'not_found',
      `These connections were not found in this network: ${missing.slice(0, 10).join(', ')}.`,
      {
        hint: `${await deletedHint(reader, unknown)}Remove these IDs, or find the right ones with search_connections. No changes were made.`,
        members: unknownJson(unknown),
      },
    )
  }
  return known
}

/** Ambiguous names of which an error lists the people. */
const MAX_AMBIGUOUS = 5

async function ambiguous(
  reader: MemberReader,
  unclear: readonly NamedCandidates[],
  {
    missing,
    known,
  }: { readonly missing: readonly string[]; readonly known: readonly Connection[] },
): Promise<RequestError> {
  const found: NamedCandidates[] = []
  for (const { text, candidates } of unclear.slice(0, MAX_AMBIGUOUS))
    found.push({ text, candidates: await closestFirst(reader, candidates, { others: known }) })
  const names = found.map(({ text }) => `“${shown(text)}”`)
  return new RequestError(
    'ambiguous_person',
    `More than one person matches ${names.join(', ')}. No changes were made.`,
    {
      hint: 'Call again with the connection_id of the right person, or ask which one is meant.',
      members: {
        ambiguous: found.map(ambiguousJson),
        ...(missing.length > 0 && { not_found: missing.slice(0, 10) }),
      },
    },
  )
}

function ambiguousJson({ text, candidates }: NamedCandidates) {
  return {
    given: shown(text),
    candidates: candidatesJson(candidates),
    ...(candidates.length > MAX_CANDIDATES && { has_more: true }),
  }
}

/** Tells people with the same name apart. Shows the email only if the other fields are equal. */
export function candidatesJson(candidates: readonly Connection[]) {
  const people = candidates.slice(0, MAX_CANDIDATES)
  const described = people.map((one) => JSON.stringify(descriptionOf(one)))
  return people.map((one, at) => {
    const [email] = one.emails
    const isUnique = described.filter((text) => text === described[at]).length === 1
    return Object.assign(
      { connection_id: publicConnectionId(one.connectionId) },
      descriptionOf(one),
      email !== undefined && !isUnique && { email },
    )
  })
}

function descriptionOf({ name, title, company, location }: Connection) {
  return {
    name,
    ...(title !== null && { title }),
    ...(company !== null && { company }),
    ...(location !== null && { location }),
  }
}

/** A text of the caller, as far as an error repeats it. */
function shown(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`
}
