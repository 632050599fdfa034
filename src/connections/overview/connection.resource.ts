/** `weft://connections/{id}`: one connection, with the result of get_connection. */

import { defineResource } from '../../tools/resource.ts'
import { completeConnectionId } from '../search/complete-person.ts'
import { getConnectionTool } from './get-connection.tool.ts'

export const connectionResource = defineResource({
  uri: 'weft://connections/{id}',
  name: 'connection',
  title: 'A connection',
  description:
    'Everything this member knows about one connection, by ID, such as c_42. Costs the same as get_connection.',
  tool: getConnectionTool,
  argumentsOf: ({ id }) => ({ connection_id: id }),
  complete: { id: completeConnectionId },
})
