/** list_custom_fields: the fields that the member, their agents and imports defined. */

import * as Type from '../../base/type.ts'
import { PAGE_END, pageOf } from '../../tools/result-json.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { readCustomFields } from '../model/custom-fields.ts'
import { CustomFieldJson, customFieldJson } from './custom-field-json.ts'

const { next_cursor: _, ...LIST_END } = PAGE_END

export const listCustomFieldsTool = defineReadTool({
  name: 'list_custom_fields',
  title: 'List custom fields',
  description: 'Lists the custom fields of this network.',
  credits: 0,
  input: Type.Closed({}),
  output: Type.Closed({ custom_fields: Type.Array(CustomFieldJson), ...LIST_END }),
  async run({ db }) {
    const entries = (await readCustomFields(db)).map(customFieldJson)
    const { items, end } = pageOf({ entries, hasMore: false, cursorAfter: () => '' })
    const { next_cursor: _next, ...rest } = end
    return { custom_fields: items, ...rest }
  },
})
