/** find_introductions: connections who could introduce the member to a target, with reasons. */

import Type, { type Static } from 'typebox'
import { pageOf, pageLimit } from '../../tools/result-page.ts'
import { MAX_FILTER_LENGTH } from '../search/query-limits.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { findIntroductions, type Introduction } from './introductions.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'

const Entry = Type.Object(
  {
    connection: ConnectionSummary,
    score: Type.Number({ description: '0 to 1' }),
    reasons: Type.Array(
      Type.Object(
        {
          kind: Type.String(),
          text: Type.String(),
          quote: Type.Optional(Type.String({ description: 'Exactly as typed' })),
          note_id: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

const hint = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_FILTER_LENGTH, description }))

export const findIntroductionsTool = defineReadTool({
  name: 'find_introductions',
  title: 'Find introductions',
  description:
    "Finds people in this member's network who could introduce them to a person, a company or people with a title, best " +
    'first, each with reasons: works there, mentioned in notes or tags, same occupation and location. known lists ' +
    'targets who already are connections. Changes nothing.',
  credits: 2,
  input: Type.Object(
    {
      target: Type.String({
        pattern: '\\S',
        maxLength: MAX_FILTER_LENGTH,
        description: "A person's name, a company or a job title",
      }),
      company: hint('Where they work, if known'),
      location: hint('Where they live, if known'),
      limit: pageLimit(10),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      known: Type.Array(ConnectionSummary),
      introductions: Type.Array(Entry),
      total: Type.Integer(),
      truncated: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  async run({ db }, { limit = 10, ...query }) {
    const { known, introductions } = await findIntroductions(db, query)
    const namesakes = known.slice(0, MAX_KNOWN).map((one) => summaryOf(one))
    const entries = introductions.slice(0, limit).map(entryOf)
    const { items, end } = pageOf({ ...NO_MORE, entries }, MAX_INTRODUCTIONS_LENGTH)
    return {
      known: pageOf({ ...NO_MORE, entries: namesakes }, MAX_KNOWN_LENGTH).items,
      introductions: items,
      total: introductions.length,
      ...(end.truncated === true && { truncated: true }),
    }
  },
})

/** Connections with the target's name; listing more does not help. */
const MAX_KNOWN = 5
/** Characters of JSON; together they fit into one answer. */
const MAX_KNOWN_LENGTH = 5000
const MAX_INTRODUCTIONS_LENGTH = 15_000
/** There is only one page. */
const NO_MORE = { hasMore: false, cursorAfter: () => '' }

function entryOf({ connection, tags, score, reasons }: Introduction): Static<typeof Entry> {
  return {
    connection: summaryOf(connection, tags),
    score,
    reasons: reasons.map(({ kind, text, quote, noteId }) => ({
      kind,
      text,
      ...(quote !== undefined && { quote }),
      ...(noteId !== undefined && { note_id: noteId }),
    })),
  }
}
