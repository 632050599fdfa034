/** list_tags: the tags of a network and how many connections have each. */

import * as Type from '../../base/type.ts'
import { CURSOR, PAGE_END, pageOf, hintIfEmpty, pageLimit } from '../../tools/result-pages.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { listTags } from './tags.ts'

const MAX_TAGS = 500

export const listTagsTool = defineReadTool({
  name: 'list_tags',
  title: 'List tags',
  description:
    'Show my tags (labels) with how many people have each, most used first. Rename: update_connections ' +
    '{where: {tag: "vip"}, tags: ["key"], remove: {tags: ["vip"]}}.',
  credits: 0,
  input: Type.Closed({ limit: pageLimit(MAX_TAGS, MAX_TAGS), cursor: Type.Optional(CURSOR) }),
  output: Type.Closed({
    tags: Type.Array(Type.Closed({ tag: Type.String(), count: Type.Integer() })),
    ...PAGE_END,
  }),
  async run({ db, network }, { limit = MAX_TAGS, cursor }) {
    const page = await listTags(db, { limit, cursor, network })
    const { items, end } = pageOf(page)
    return {
      tags: [...items],
      ...end,
      ...hintIfEmpty(items, 'No tags yet. Tag people with update_connections.'),
    }
  },
})
