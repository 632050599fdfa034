/** search_directory: searches the public directory of this service for people outside the member's network. */

import * as Type from '../base/type.ts'
import {
  CURSOR,
  PAGE_END,
  DEFAULT_PAGE_SIZE,
  pageLimit,
  pageOf,
  hintIfEmpty,
} from '../tools/result-pages.ts'
import { freeText } from '../tools/free-text.ts'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import { MAX_DIRECTORY_QUERY_LENGTH, searchDirectory, type MemberSummary } from './directory.ts'
import type { Database, Reader } from '../db/database.ts'

interface DirectoryToolDeps {
  readonly database: Database
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  /** The reader for members' searches, which are separate from anonymous ones. */
  readonly reader: Reader
}

const Listed = Type.Closed({
  username: Type.String(),
  name: Type.String(),
  headline: Type.Optional(freeText('text', Type.String())),
  location: Type.Optional(Type.String()),
  organization: Type.Optional(Type.String()),
  url: Type.String(),
})

export function searchDirectoryTool({ database, publicUrl, reader }: DirectoryToolDeps): Tool {
  return defineReadTool({
    name: 'search_directory',
    title: 'Search the directory',
    description:
      'Find other members of this service by their public profiles. For my own ' +
      'contacts use search_connections.',
    credits: 0,
    openWorld: true,
    input: Type.Closed({
      query: Type.Optional(
        Type.String({
          maxLength: MAX_DIRECTORY_QUERY_LENGTH,
          description: 'Words; default all',
          examples: ['designer Berlin'],
        }),
      ),
      limit: pageLimit(),
      cursor: Type.Optional(CURSOR),
    }),
    output: Type.Closed({ members: Type.Array(Listed), ...PAGE_END }),
    async run(_call, { query = '', limit = DEFAULT_PAGE_SIZE, cursor }) {
      const search = (perPage: number) =>
        searchDirectory(
          database,
          { q: query, perPage, ...(cursor !== undefined && { cursor }) },
          publicUrl,
          reader,
        )
      const whole = await search(limit)
      const fitting = countFitting(whole.members)
      const truncated = fitting < whole.members.length
      // The directory returns a cursor only at the end of a page, so a truncated page is requested with its exact size.
      const { members, has_more, next_cursor } = truncated ? await search(fitting) : whole
      return {
        members: members.map(listed),
        has_more,
        ...(next_cursor !== null && { next_cursor }),
        ...(truncated && { truncated }),
        ...hintIfEmpty(
          members,
          'No member matches. search_connections finds people of the network.',
        ),
      }
    },
  })
}

function countFitting(members: readonly MemberSummary[]): number {
  const page = { entries: members.map(listed), hasMore: false, cursorAfter: () => '' }
  return pageOf(page).items.length
}

function listed(member: MemberSummary): Type.Static<typeof Listed> {
  const { username, name, headline, location, organization, url } = member
  return {
    username,
    name,
    ...(headline !== null && { headline }),
    ...(location !== null && { location }),
    ...(organization !== null && { organization }),
    url,
  }
}
