/** search_connections: find people in the member's network by words and filters. */

import Type from 'typebox'
import { CURSOR } from '../../tools/result-page.ts'
import { defineReadTool, type Tool } from '../../tools/tool.ts'
import { dayArgument, requireDay } from '../model/calendar-day.ts'
import { PageOfConnections, pageOfConnections } from './connection-page.ts'
import { searchInMode } from './semantic-search.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { ConnectionQuery } from './search.ts'

const filter = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

export interface SearchToolDeps {
  readonly embedder: Embedder
}

export function searchConnectionsTool({ embedder }: SearchToolDeps): Tool {
  return defineReadTool({
    name: 'search_connections',
    title: 'Search connections',
    description:
      "Finds people in this member's network by words in their name, company, title, location, tags and notes, and " +
      'after embed_connections also by what a question means ("who could help with fundraising in Berlin"). By words, ' +
      'case and accents do not matter, every word must be found, the last may be a beginning; names come first. ' +
      'Changes nothing. Returns a page of short entries; get_connection gives one in full.',
    credits: 1,
    input: Type.Object(
      {
        query: Type.String({
          maxLength: 500,
          description: 'Words or a question; may be empty with a filter',
        }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
        cursor: Type.Optional(CURSOR),
        company: Type.Optional(filter('Has these words')),
        title: Type.Optional(filter('Job title has these words')),
        location: Type.Optional(filter('Has these words')),
        tag: Type.Optional(filter('Exactly this tag')),
        connected_after: Type.Optional(dayArgument('YYYY-MM-DD, that day included')),
        mode: Type.Optional(
          Type.Enum(['auto', 'keyword', 'semantic'], {
            type: 'string',
            default: 'auto',
            description: 'keyword: these words; semantic: this meaning; auto: the best there is',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object(
      {
        ...PageOfConnections.properties,
        mode: Type.Enum(['keyword', 'semantic', 'combined'], {
          type: 'string',
          description: 'How they were found',
        }),
      },
      { additionalProperties: false },
    ),
    async run({ db, now, signal }, input) {
      const { mode = 'auto', limit = 20, cursor } = input
      const search = { query: queryOf(input), mode, limit, cursor }
      const page = await searchInMode(db, search, { embedder, now, signal })
      return { ...(await pageOfConnections(db, page)), mode: page.mode }
    },
  })
}

interface SearchInput {
  readonly query: string
  readonly company?: string
  readonly title?: string
  readonly location?: string
  readonly tag?: string
  readonly connected_after?: string
}

function queryOf(input: SearchInput): ConnectionQuery {
  const { query, company, title, location, tag, connected_after: connectedAfter } = input
  return {
    query,
    ...(company !== undefined && { company }),
    ...(title !== undefined && { title }),
    ...(location !== undefined && { location }),
    ...(tag !== undefined && { tag }),
    ...(connectedAfter !== undefined && {
      connectedAfter: requireDay(connectedAfter, 'connected_after'),
    }),
  }
}
