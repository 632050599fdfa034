/** One page of connections in a tool result: a list, or the matches of a search. */

import { freeText } from '../../tools/free-text.ts'
import Type, { type Static } from 'typebox'
import { PAGE_END, pageOf } from '../../tools/result-page.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'
import { remembering } from '../../base/remembering.ts'
import { joinBytes } from '../../base/utf8.ts'
import { jsonText, type JsonText } from '../../tools/result-json.ts'
import { matchedFieldsOf } from './index/fields.ts'
import { findConnections } from '../model/connection-store.ts'
import { tagsOf } from '../model/tag-store.ts'
import { positionText } from '../model/detail-lines.ts'
import { lastPosition } from '../model/organizations.ts'
import type { Organization } from '../model/details.ts'
import type { MemberReader } from '../../db/database.ts'
import type { PageRow } from './page-rows.ts'
import type { ConnectionPage, SearchPage } from './search.ts'

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
    did_you_mean: Type.Optional(
      Type.String({ description: 'Only without matches: a query that has some' }),
    ),
    ...PAGE_END,
  },
  { additionalProperties: false },
)
export type PageOfMatches = Static<typeof PageOfMatches>

export function pageOfMatches(page: SearchPage): PageOfMatches {
  const found = page.rows.map((row) => matchingConnection(row, page.matches))
  const { items, end } = pageOf({
    ...page,
    entries: found.map(({ entry }) => entry),
    texts: found.map(({ text }) => text),
  })
  const { total, didYouMean } = page
  return {
    connections: items,
    count: items.length,
    total,
    ...(didYouMean !== undefined && { did_you_mean: didYouMean }),
    ...end,
  }
}

/** The entry and its JSON, most of which is cached. */
function matchingConnection(
  { listed, summary, text }: PageRow,
  matches: SearchPage['matches'],
): { readonly entry: PageOfMatches['connections'][number]; readonly text: JsonText } {
  const match = matches.get(listed.connectionId)
  if (!match) return { entry: summary, text: closed(text) }
  const { score, fields, fieldMask, snippet } = match
  const matched = { ...summary, score, matched_fields: [...fields] }
  const known = extended(text, matchText(fieldMask * SCORES + Math.round(100 * score)))
  if (snippet === undefined) return { entry: matched, text: closed(known) }
  return { entry: { ...matched, snippet }, text: closed(extended(known, added({ snippet }))) }
}

/** More than the hundredths of a score. */
const SCORES = 128

/** The fields of a match, of which there are few different ones. */
const matchText = remembering((match: number): JsonText => {
  const names = matchedFieldsOf(Math.floor(match / SCORES))
  return added({ score: (match % SCORES) / 100, matched_fields: names })
})

/** The members of an object, to append to an open one. */
function added(members: object): JsonText {
  const { json, quoted, length } = jsonText(members)
  return {
    json: joinBytes(`,${json.slice(1, -1)}`),
    quoted: joinBytes(`,${quoted.slice(1, -1)}`),
    length: length - 1,
  }
}

function extended(open: JsonText, more: JsonText): JsonText {
  return {
    json: joinBytes(open.json + more.json),
    quoted: joinBytes(open.quoted + more.quoted),
    length: open.length + more.length,
  }
}

function closed({ json, quoted, length }: JsonText): JsonText {
  return { json: joinBytes(`${json}}`), quoted: joinBytes(`${quoted}}`), length: length + 1 }
}
