/** `weft://connections/{id}`: one person in the network, as get_connection answers. */

import { defineResource } from '../../tools/resource.ts'
import { completeConnectionId } from '../search/complete-person.ts'
import { getConnectionTool } from './get-connection.tool.ts'

export const connectionResource = defineResource({
  uri: 'weft://connections/{id}',
  name: 'connection',
  title: 'A connection',
  description:
    'Everything this member knows of one connection, by its id such as c_42. Costs what get_connection costs.',
  tool: getConnectionTool,
  argumentsOf: ({ id }) => ({ connection_id: id }),
  complete: { id: completeConnectionId },
})
