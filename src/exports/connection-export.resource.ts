/** `weft://exports/{id}`: the file of an export, for the agent that created it. */

import { defineResource } from '../tools/resource.ts'
import { CONNECTION_EXPORT_URI } from './export-url.ts'
import { readExportTool } from './export-connections.tool.ts'

export const connectionExportResource = defineResource({
  uri: CONNECTION_EXPORT_URI,
  name: 'export',
  title: 'An export',
  description: 'The CSV or vCard file that export_connections links to. Free.',
  tool: readExportTool,
  argumentsOf: ({ id }) => ({ export_id: id }),
  fileOf: (output) => {
    const { mime_type: mimeType, text } = output as { mime_type: string; text: string }
    return { mimeType, text }
  },
})
