/** search_connections: find people in the member's network by words and filters. */

import Type from 'typebox'
import { defineReadTool } from '../tools/tool.ts'
import { CURSOR, PageOfConnections, pageOfConnections } from './page-of-connections.ts'
import { searchConnections } from './search.ts'

const filter = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

export const searchConnectionsTool = defineReadTool({
  name: 'search_connections',
  title: 'Search connections',
  description:
    "Finds people in this member's own network by words in their name, company, title, location, tags and notes. " +
    'Case and accents do not matter; every word must be found, the last may be the beginning of one. ' +
    'Matches in the name come first, then in company and title, then the rest. Changes nothing. ' +
    'Returns a page of short entries; get_connection gives one in full.',
  credits: 1,
  input: Type.Object(
    {
      query: Type.String({
        maxLength: 500,
        description: 'Words to find, such as "anna berlin"; may be empty with a filter',
      }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'How many on a page' }),
      ),
      cursor: Type.Optional(CURSOR),
      company: Type.Optional(filter('Only people whose company has these words')),
      title: Type.Optional(filter('Only people whose job title has these words')),
      location: Type.Optional(filter('Only people whose location has these words')),
      tag: Type.Optional(filter('Only people with exactly this tag')),
      connected_after: Type.Optional(
        Type.String({
          pattern: '^\\d{4}-\\d{2}-\\d{2}$',
          description: 'Only people connected on or after this day, YYYY-MM-DD',
        }),
      ),
      mode: Type.Optional(
        Type.Enum(['auto', 'keyword'], {
          type: 'string',
          default: 'auto',
          description: 'keyword: exactly these words. auto: the best that is there',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: PageOfConnections,
  async run({ db }, input) {
    const { query, company, title, location, tag, connected_after: connectedAfter } = input
    const asked = {
      query,
      ...(company !== undefined && { company }),
      ...(title !== undefined && { title }),
      ...(location !== undefined && { location }),
      ...(tag !== undefined && { tag }),
      ...(connectedAfter !== undefined && { connectedAfter }),
    }
    return pageOfConnections(
      db,
      await searchConnections(db, asked, input.limit ?? 20, input.cursor),
    )
  },
})
