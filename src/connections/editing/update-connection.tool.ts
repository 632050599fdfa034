/** update_connection: changes the fields of one connection. */

import * as Type from '../../base/type.ts'
import { ChangedFields, MAX_CHANGED_FIELDS } from '../../tools/change-summary.ts'
import { MAX_CHARACTERS, written } from '../../tools/result-json.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { editConnection, EditInput } from './update-connection.ts'
import { ConnectionDetails, answerOf } from '../model/schemas.ts'

export const updateConnectionTool = defineWriteTool({
  name: 'update_connection',
  title: 'Update connection',
  description:
    'Changes one connection and returns it with the changes. Fields not given stay; imports never ' +
    'overwrite the changed ones.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: EditInput,
  output: Type.Object(
    {
      ...ConnectionDetails.properties,
      changes: ChangedFields,
    },
    { additionalProperties: false },
  ),
  async run(call, input) {
    const { changed, changes } = await editConnection(call, input)
    const summary = {
      changes: changes.slice(0, MAX_CHANGED_FIELDS),
      ...(changes.length > MAX_CHANGED_FIELDS && { truncated: true }),
    }
    return { ...answerOf(changed, MAX_CHARACTERS - written(summary)), ...summary }
  },
})
