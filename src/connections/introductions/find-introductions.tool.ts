/** find_introductions: connections who could introduce the member to a target, with reasons. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { fittingOf, pageLimit, hintIfEmpty, HINT } from '../../tools/result-pages.ts'
import { MAX_FILTER_LENGTH, textFilter } from '../search/query-lengths.ts'
import { withheldFields } from '../search/filters/withheld-fields.ts'
import { invalidArgument } from '../../base/request-error.ts'
import { freeText } from '../../tools/free-text.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { findIntroductions, type Introduction } from './introductions.ts'
import { lastContacts } from '../search/connection-page.ts'
import { ConnectionSummary, summaryOf } from '../person/connection-schemas.ts'

const Entry = Type.Closed({
  connection: ConnectionSummary,
  score: Type.Number({ description: '0 to 1' }),
  reasons: Type.Array(
    Type.Closed({
      kind: Type.String(),
      text: Type.String(),
      quote: Type.Optional(freeText('note', Type.String({ description: 'Exactly as typed' }))),
      note_id: Type.Optional(Type.String()),
    }),
  ),
})

export const findIntroductionsTool = defineReadTool({
  name: 'find_introductions',
  title: 'Find introductions',
  description:
    'Who can introduce me: finds people who could make a warm introduction to a person, a ' +
    'company or a job title, best first. For people who work there use search_connections.',
  credits: 2,
  input: Type.Closed({
    target: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: MAX_FILTER_LENGTH,
        description: 'Name, company or job title',
        examples: ['Grace Hopper'],
      }),
    ),
    company: Type.Optional(textFilter('Where they work', 'Acme')),
    location: Type.Optional(textFilter('Where they live', 'Berlin')),
    limit: pageLimit(10),
  }),
  output: Type.Closed({
    known: Type.Array(ConnectionSummary),
    introductions: Type.Array(Entry),
    total: Type.Integer(),
    truncated: Type.Optional(Type.Boolean()),
    hint: HINT,
  }),
  async run({ db, caller, now }, { limit = 10, target, company, location }) {
    if (target === undefined && company === undefined)
      throw invalidArgument('target', 'is required unless company is given')
    const query = {
      target: target ?? company ?? '',
      now,
      ...(target !== undefined && company !== undefined && { company }),
      ...(location !== undefined && { location }),
    }
    const { known, introductions } = await findIntroductions(
      db,
      query,
      withheldFields(caller.limits),
    )
    const [targets, first] = [known.slice(0, MAX_KNOWN), introductions.slice(0, limit)]
    const shown = [...targets, ...first.map(({ connection }) => connection)]
    const datesOf = await lastContacts(db, shown)
    const namesakes = targets.map((one) => Object.assign(summaryOf(one), datesOf(one.connectionId)))
    const entries = first.map((one) => {
      const entry = entryOf(one)
      Object.assign(entry.connection, datesOf(one.connection.connectionId))
      return entry
    })
    const { items, end } = fittingOf(entries, MAX_INTRODUCTIONS_LENGTH)
    return {
      known: fittingOf(namesakes, MAX_KNOWN_LENGTH).items,
      introductions: items,
      total: introductions.length,
      ...hintIfEmpty([...known, ...introductions], NO_INTRODUCTIONS),
      ...end,
    }
  },
})

const NO_INTRODUCTIONS =
  'No one has a link to this target. search_connections finds people by other words.'

/** Connections with the target's name; listing more does not help. */
const MAX_KNOWN = 5
/** Characters of JSON; together they fit into one answer. */
const MAX_KNOWN_LENGTH = 5000
const MAX_INTRODUCTIONS_LENGTH = 15_000

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
