/**
 * Completes errors about people that a call names: who may be meant by a name that no one has, and what tells people with the
 * same name apart.
 */

import { RequestError } from '../../base/request-error.ts'
import { tokenize } from '../../base/tokenize.ts'
import { kinTerm } from '../../search/questions/kinship.ts'
import { mayReadConnections } from '../../tools/allowed-tools.ts'
import { candidatesJson } from '../editing/require-connection.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { findConnections } from '../model/connection-store.ts'
import { idsOf, readConnectionId } from '../model/connection.ts'
import { newestNotesOf } from '../notes/notes.ts'
import { isCompleteMatch, isSimilarName } from './show.ts'
import { searchConnections } from './search.ts'
import type { IndexReader } from './index/network-index.ts'
import { withheldFields } from './filters/withheld-fields.ts'
import type { AgentLimits } from '../../http/caller.ts'

interface CandidateJson {
  readonly connection_id: string
  readonly name: string
  readonly snippet?: string
}

interface Named {
  readonly given: string
  readonly candidates: readonly CandidateJson[]
}

/** People per name. */
const MAX_SUGGESTED = 5
/** Names of one call that are searched for. */
const MAX_NAMES = 5
const MAX_SNIPPET = 120 // characters

/** Runs outside the transaction of the call, whose changes are not in the search index. */
export async function explainPeople(
  reader: IndexReader,
  error: RequestError,
  limits: AgentLimits,
): Promise<RequestError> {
  if (!mayReadConnections(limits)) return error
  const { unknown_people: unknown = [], ambiguous = [], ...members } = membersOf(error)
  if (unknown.length === 0 && ambiguous.length === 0) return error
  const found: Named[] = []
  for (const given of unknown.slice(0, MAX_NAMES)) {
    const whole = await search(reader, given, limits)
    const name = withoutRelative(given)
    const candidates =
      whole.length > 0 || name === given ? whole : await search(reader, name, limits)
    if (candidates.length > 0) found.push({ given, candidates: await metFirst(reader, candidates) })
  }
  const describe = async (named: readonly Named[]) =>
    Promise.all(
      named.map(async (one) => ({
        ...one,
        candidates: await described(reader, one.candidates, limits),
      })),
    )
  const [first] = found[0]?.candidates ?? []
  const { hint = '' } = error.details
  return new RequestError(error.code, error.message, {
    ...error.details,
    hint: first ? `Did you mean ${first.name}? ${hint}` : hint,
    members: {
      ...members,
      ...(ambiguous.length > 0 && { ambiguous: await describe(ambiguous) }),
      ...(found.length > 0 && { similar: await describe(found) }),
    },
  })
}

interface PeopleMembers {
  readonly unknown_people?: readonly string[]
  readonly ambiguous?: readonly Named[]
}

/** As `requireConnections` writes them. */
function membersOf({ details }: RequestError): PeopleMembers {
  return details.members ?? {}
}

/** People with all words of a name anywhere (`dad`), or with a whole name that is spelled similarly. */
async function search(
  reader: IndexReader,
  query: string,
  limits: AgentLimits,
): Promise<CandidateJson[]> {
  const withheld = withheldFields(limits)
  const { connections, matches } = await searchConnections(reader, {
    query: { query, withheld },
    limit: MAX_SUGGESTED,
  })
  const people = await findConnections(reader, idsOf(connections))
  const byId = new Map(people.map((one) => [one.connectionId, one]))
  return connections.flatMap(({ connectionId }, at) => {
    const match = matches[at]
    const person = byId.get(connectionId)
    if (!match || !person || !(isCompleteMatch(match) || isSimilarName(match))) return []
    const { snippet } = match
    return candidatesJson([person]).map((one) =>
      Object.assign(one, snippet !== undefined && withheld === undefined && { snippet }),
    )
  })
}

/** `tio Nuno` is called Nuno. */
function withoutRelative(text: string): string {
  const words = tokenize(text).filter((word) => kinTerm(word) === undefined)
  return words.length === 0 ? text : words.join(' ')
}

/** People with a contact first. */
async function metFirst(
  reader: IndexReader,
  candidates: readonly CandidateJson[],
): Promise<CandidateJson[]> {
  const idOf = ({ connection_id }: CandidateJson) => readConnectionId(connection_id) ?? 0
  const times = await contactTimesOf(reader, candidates.map(idOf))
  const isMet = (one: CandidateJson) => times.get(idOf(one))?.lastContactOn != null
  return [...candidates.filter(isMet), ...candidates.filter((one) => !isMet(one))]
}

/** With the last contact and the beginning of the newest note, in the same order. */
async function described(
  reader: IndexReader,
  candidates: readonly CandidateJson[],
  limits: AgentLimits,
): Promise<readonly object[]> {
  const ids = candidates.map(({ connection_id }) => readConnectionId(connection_id) ?? 0)
  const times = await contactTimesOf(reader, ids)
  const notes =
    withheldFields(limits) === undefined ? await newestNotesOf(reader, ids, 1) : undefined
  return candidates.map((one, at) => {
    const id = ids[at] ?? 0
    const lastContactOn = times.get(id)?.lastContactOn
    const note = notes?.get(id)?.[0]?.text.slice(0, MAX_SNIPPET).toWellFormed()
    return {
      ...one,
      ...(lastContactOn != null && { last_contact_on: lastContactOn }),
      ...(one.snippet === undefined && note !== undefined && { snippet: note }),
    }
  })
}
