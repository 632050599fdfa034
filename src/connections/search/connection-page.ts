/** One page of connections in a tool result: a list, or the matches of a search. */

import { freeText } from '../../tools/free-text.ts'
import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { PAGE_END, pageOf, jsonText, withoutBrace, type JsonText } from '../../tools/result-json.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'
import { remembering } from '../../base/remembering.ts'
import { joinBytes } from '../../base/utf8.ts'
import { matchedFieldsOf } from '../../search/index/fields.ts'
import { findConnections } from '../model/connection-store.ts'
import { tagsOf } from '../model/tag-store.ts'
import { positionText } from '../model/detail-lines.ts'
import { lastPosition } from '../model/organizations.ts'
import type { Organization } from '../../contact-files/contact/details.ts'
import type { MemberReader } from '../../db/database.ts'
import type { PageRow } from './page-rows.ts'
import type { ConnectionPage, SearchPage } from './search.ts'
import { partialMatchText, type SearchMatch } from './search-matches.ts'

export const PageOfConnections = Type.Object(
  {
    connections: Type.Array(
      Type.Object(
        {
          ...ConnectionSummary.properties,
          former_position: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
    count: Type.Integer(),
    ...PAGE_END,
  },
  { additionalProperties: false },
)
export type PageOfConnections = Static<typeof PageOfConnections>

export async function pageOfConnections(
  reader: MemberReader,
  page: ConnectionPage,
  { withFormer = false } = {},
): Promise<PageOfConnections> {
  const ids = page.connections.map(({ connectionId }) => connectionId)
  const tags = await tagsOf(reader, ids)
  const former = withFormer ? await formerPositions(reader, ids) : undefined
  const { items, end } = pageOf({
    ...page,
    entries: page.connections.map((one) => {
      const position = former?.get(one.connectionId)
      const summary = summaryOf(one, tags.get(one.connectionId))
      return position ? { ...summary, former_position: positionText(position) } : summary
    }),
  })
  return { connections: items, count: items.length, ...end }
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

const MatchingConnection = Type.Object(
  {
    ...ConnectionSummary.properties,
    score: Type.Optional(Type.Number({ description: 'How well it matches, 0 to 1' })),
    matched_fields: Type.Optional(Type.Array(Type.String())),
    partial_match: Type.Optional(Type.String({ description: 'What matches, if not all words do' })),
    snippet: Type.Optional(
      freeText('note', Type.String({ description: 'Matching part of a note or email' })),
    ),
  },
  { additionalProperties: false },
)

export const PageOfMatches = Type.Object(
  {
    connections: Type.Array(MatchingConnection),
    count: Type.Integer(),
    total: Type.Integer({ description: 'Matches on all pages' }),
    ...PAGE_END,
  },
  { additionalProperties: false },
)
export type PageOfMatches = Static<typeof PageOfMatches>

export function pageOfMatches(page: SearchPage): PageOfMatches {
  const found = page.rows.map((row, index) => matchingConnection(row, page.matches[index]))
  const { items, end } = pageOf({
    ...page,
    entries: found.map(({ entry }) => entry),
    texts: found.map(({ text }) => text),
  })
  return { connections: items, count: items.length, total: page.total, ...end }
}

/** The entry and its JSON, most of which is cached. */
function matchingConnection(
  { summary, text }: PageRow,
  match: SearchMatch | undefined,
): { readonly entry: PageOfMatches['connections'][number]; readonly text: JsonText } {
  if (!match) return { entry: summary, text: joined(text, CLOSED) }
  const { score, fields, fieldMask, snippet } = match
  const known = matchText(fieldMask * SCORES + Math.round(100 * score))
  const entry = { ...summary, score, matched_fields: [...fields] }
  const partial = partialMatchText(match)
  if (snippet === undefined && partial === undefined) return { entry, text: joined(text, known) }
  const last = {
    ...(partial !== undefined && { partial_match: partial }),
    ...(snippet !== undefined && { snippet }),
  }
  return { entry: { ...entry, ...last }, text: joined(joined(text, known.open), lastOf(last)) }
}

/** More than the hundredths of a score. */
const SCORES = 128

/** The last members of an entry with a match, of which there are few different ones. `open` can be extended. */
const matchText = remembering((match: number): JsonText & { readonly open: JsonText } => {
  const names = matchedFieldsOf(Math.floor(match / SCORES))
  const last = lastOf({ score: (match % SCORES) / 100, matched_fields: names })
  return { ...last, open: withoutBrace(last) }
})

const CLOSED: JsonText = { json: joinBytes('}'), quoted: joinBytes('}'), length: 1 }

/** The last members of an object, to append to an open one. */
function lastOf(members: object): JsonText {
  const { json, quoted, length } = jsonText(members)
  return {
    json: joinBytes(`,${json.slice(1)}`),
    quoted: joinBytes(`,${quoted.slice(1)}`),
    length,
  }
}

function joined(first: JsonText, second: JsonText): JsonText {
  return {
    json: joinBytes(first.json + second.json),
    quoted: joinBytes(first.quoted + second.quoted),
    length: first.length + second.length,
  }
}
