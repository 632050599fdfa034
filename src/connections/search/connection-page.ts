/** One page of connections in a tool result: a list, or the matches of a search. */

import { freeText } from '../../tools/free-text.ts'
import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { PAGE_END, pageOf } from '../../tools/result-pages.ts'
import { ConnectionSummary, NEVER, summaryOf } from '../person/connection-schemas.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { findConnections } from '../model/connection-store.ts'
import { tagsOf } from '../model/tag-store.ts'
import { positionText } from '../person/detail-lines.ts'
import { lastPosition } from '../model/organizations.ts'
import type { Organization } from '../../contact-files/contact/details.ts'
import type { MemberReader } from '../../db/database.ts'
import {
  isCompleteMatch,
  partialMatchText,
  type ConnectionPage,
  type SearchMatch,
  type SearchPage,
} from './show.ts'
import type { PageRow } from './index/page-rows.ts'
import type { AskedFields } from './questions/asked-fields.ts'

/** Set in lists that are filtered or sorted by it. */
const CONTACT_DUE = { contact_due_on: Type.Optional(Type.String()) }

export const PageOfConnections = Type.Closed({
  connections: Type.Array(
    Type.Closed({
      ...ConnectionSummary.properties,
      connected_on: Type.Optional(Type.String({ description: 'If sorted by it' })),
      former_position: Type.Optional(Type.String()),
      ...CONTACT_DUE,
    }),
  ),
  count: Type.Integer(),
  ...PAGE_END,
})
export type PageOfConnections = Static<typeof PageOfConnections>

/** A page of a list as tools return it; `withFormer` adds the last former position of each. */
export async function pageOfConnections(
  reader: MemberReader,
  page: ConnectionPage,
  { withFormer = false, withDate = false, withContact = false } = {},
): Promise<PageOfConnections> {
  const ids = idsOf(page)
  const tags = await tagsOf(reader, ids)
  const former = withFormer ? await formerPositions(reader, ids) : undefined
  const datesOf = await contactDates(reader, ids, withContact)
  const { items, end } = pageOf({
    ...page,
    entries: page.connections.map((one) => {
      const position = former?.get(one.connectionId)
      return {
        ...summaryOf(one, tags.get(one.connectionId)),
        ...(withDate && one.connectedOn !== null && { connected_on: one.connectedOn }),
        ...(position && { former_position: positionText(position) }),
        ...datesOf(one.connectionId),
      }
    }),
  })
  return { connections: items, count: items.length, ...end }
}

function idsOf({ connections }: ConnectionPage): number[] {
  return connections.map(({ connectionId }) => connectionId)
}

/** The last contact of each of these people, or never, for results. */
export async function lastContacts(
  reader: MemberReader,
  people: readonly { readonly connectionId: number }[],
) {
  return contactDates(
    reader,
    people.map(({ connectionId }) => connectionId),
    false,
  )
}

/** Also when the next one is due. */
async function contactDates(reader: MemberReader, ids: readonly number[], withDue = true) {
  const times = await contactTimesOf(reader, ids)
  return (id: number) => {
    const { lastContactOn = null, dueOn = null } = times.get(id) ?? {}
    return {
      last_contact_on: lastContactOn ?? NEVER,
      ...(withDue && dueOn !== null && { contact_due_on: dueOn }),
    }
  }
}

/** The last former position of each of these people. */
export async function formerPositions(
  reader: MemberReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Organization>> {
  const connections = await findConnections(reader, ids)
  return new Map(
    connections.flatMap(({ connectionId, details }) => {
      const last = lastPosition(details)
      return last ? [[connectionId, last] as const] : []
    }),
  )
}

const MatchingConnection = Type.Closed({
  ...ConnectionSummary.properties,
  ...CONTACT_DUE,
  emails: Type.Optional(Type.Array(Type.String(), { description: 'If the query asks for it' })),
  phones: Type.Optional(
    Type.Array(Type.String(), { description: 'If asked for, or few people match' }),
  ),
  birthday: Type.Optional(Type.String({ description: 'If asked for, or few people match' })),
  profile_url: Type.Optional(Type.String({ description: 'If the query asks for it' })),
  connected_on: Type.Optional(Type.String({ description: 'If the query asks for it' })),
  matched_fields: Type.Optional(
    Type.Array(Type.String(), { description: 'If a field that is not shown matches' }),
  ),
  former_position: Type.Optional(Type.String()),
  partial_match: Type.Optional(Type.String({ description: 'Why it is only a weaker match' })),
  snippet: Type.Optional(
    freeText('note', Type.String({ description: 'Matching part of a note or email' })),
  ),
})

export const PageOfMatches = Type.Closed({
  connections: Type.Array(MatchingConnection),
  count: Type.Integer(),
  total: Type.Integer({ description: 'Matches on all pages' }),
  ...PAGE_END,
})
export type PageOfMatches = Static<typeof PageOfMatches>

/** `fields`: what the query asks for. */
export async function pageOfMatches(
  reader: MemberReader,
  page: SearchPage,
  { withDate = false, withFormer = false, fields = NO_FIELDS } = {},
): Promise<PageOfMatches> {
  const datesOf = page.isByContact ? await contactDates(reader, idsOf(page)) : undefined
  const former = withFormer ? await formerPositions(reader, idsOf(page)) : undefined
  const complete = page.matches.filter(isCompleteMatch)
  const partialText = partialTexts()
  const entries = page.rows.map((row, index) => {
    const match = page.matches[index]
    const isComplete = isCompleteMatch(match)
    const isOneOfFew = match && isComplete && complete.length <= MAX_FEW
    const shown = matching(row.summary, match, match && partialText(match))
    if (!withDate && !withFormer && !isOneOfFew && fields.length === 0 && !datesOf) return shown
    const position = former?.get(row.listed.connectionId)
    return {
      ...shown,
      ...(position && { former_position: positionText(position) }),
      ...(withDate && row.listed.connectedOn !== null && { connected_on: row.listed.connectedOn }),
      ...(isOneOfFew && contactOf(row)),
      ...(isComplete && askedOf(row, fields)),
      ...datesOf?.(row.listed.connectionId),
    }
  })
  const { items, end } = pageOf({ ...page, entries })
  const hint = page.unknown === undefined ? {} : { hint: page.unknown }
  return { connections: items, count: items.length, total: page.total, ...end, ...hint }
}

/** Maximum of people who match a whole query and are shown with their phone numbers and birthdays. */
const MAX_FEW = 3
const NO_FIELDS: AskedFields['fields'] = []

function contactOf({ phones, birthday }: PageRow) {
  return {
    ...(phones.length > 0 && { phones: [...phones] }),
    ...(birthday !== null && { birthday }),
  }
}

function askedOf({ listed, phones, birthday }: PageRow, fields: AskedFields['fields']) {
  const { emails, profileUrl, connectedOn } = listed
  return {
    ...(fields.includes('emails') && { emails: [...emails] }),
    ...(fields.includes('phones') && { phones: [...phones] }),
    ...(fields.includes('birthday') && birthday !== null && { birthday }),
    ...(fields.includes('profileUrl') && profileUrl !== null && { profile_url: profileUrl }),
    ...(fields.includes('connectedOn') && connectedOn !== null && { connected_on: connectedOn }),
  }
}

function matching(
  summary: ConnectionSummary,
  match: SearchMatch | undefined,
  partial: string | undefined,
): PageOfMatches['connections'][number] {
  if (!match) return summary
  const { fields, snippet } = match
  // Contact data of a weaker match would be used as that of the person who was asked for.
  const { email, ...others } = summary
  const areShown = fields.every((field) => isShown(field, fields))
  if (areShown && partial === undefined && snippet === undefined) return summary
  return {
    ...(partial === undefined ? summary : others),
    ...(!areShown && { matched_fields: [...fields] }),
    ...(partial !== undefined && { partial_match: partial }),
    ...(snippet !== undefined && snippet !== email && { snippet }),
  }
}

/** As `partialMatchText`, written once for the people of a page who have the same words. */
function partialTexts(): typeof partialMatchText {
  const known = new Map<SearchMatch['weaker'], string | undefined>()
  return (match) => {
    if (!known.has(match.weaker)) known.set(match.weaker, partialMatchText(match))
    return known.get(match.weaker)
  }
}

/** A profile URL contains the name, so it says nothing more. */
function isShown(field: string, fields: readonly string[]): boolean {
  return SHOWN.has(field) || (field === 'links' && fields.includes('name'))
}

/** A result shows that these match. Of several emails it shows only the first, but the matching one as the snippet. */
const SHOWN = new Set<string>(['name', 'title', 'company', 'location', 'tags', 'emails'])
