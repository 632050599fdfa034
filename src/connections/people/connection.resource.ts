/** `weft://connections/{id}`: one connection, with the result of get_connections. */

import { defineResource } from '../../tools/resource.ts'
import { completeConnectionId } from '../search/complete-person.ts'
import { getConnectionsTool } from './get-connections.tool.ts'

export const connectionResource = defineResource({
  uri: 'weft://connections/{id}',
  name: 'connection',
  title: 'A connection',
  description:
    'Everything this member knows about one connection, by ID, such as c_42. Costs the same as get_connections.',
  tool: getConnectionsTool,
  argumentsOf: ({ id }) => ({ people: [id] }),
  partOf: (output) => (output as { connections: object[] }).connections[0] ?? {},
  complete: { id: completeConnectionId },
})
