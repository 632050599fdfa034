/** export_connections: a contact file of some connections or all, as links for the member and for the agent. */

import { PLAIN_KEYWORD } from '../tools/arguments/schema-part.ts'
import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { formatBytes, MEGABYTE } from '../base/format-bytes.ts'
import { RequestError } from '../base/request-error.ts'
import { tagOf } from '../connections/model/tag-store.ts'
import { MAX_TAG_LENGTH } from '../base/limits.ts'
import { findAllWith } from '../connections/people/select-people.ts'
import { textFilter } from '../connections/search/query-lengths.ts'
import { resolvePeople } from '../connections/editing/require-connection.ts'
import { peopleRefs } from '../connections/person/people-argument.ts'
import { defineReadTool, defineWriteTool, type Tool } from '../tools/tool.ts'
import {
  connectionExportFile,
  createConnectionExport,
  EXPORT_FORMATS,
  exportFilename,
  hasNotesByDefault,
  exportMimeType,
  requireConnectionExport,
  toldTo,
  countSelected,
} from './connection-export.ts'
import { contactFileLink, withoutLink } from './contact-file-link.ts'
import { connectionExportUri } from './export-url.ts'

const NAME = 'export_connections'
/** People that one call names. */
const MAX_PEOPLE = 500

const INPUT = Type.Closed(
  {
    format: Type.Optional(
      Type.Enum([...EXPORT_FORMATS], {
        type: 'string',
        default: 'csv',
        description: 'Default csv',
        [PLAIN_KEYWORD]: true,
      }),
    ),
    people: Type.Optional(peopleRefs(MAX_PEOPLE)),
    tag: Type.Optional({ ...textFilter('Exact tag', 'investor'), maxLength: MAX_TAG_LENGTH }),
    location: Type.Optional(textFilter('Where they live', 'Berlin')),
    notes: Type.Optional(
      Type.Boolean({
        description: 'Default: csv only',
        [PLAIN_KEYWORD]: true,
      }),
    ),
  },
  { examples: [{ people: ['First Last'], format: 'csv' }] },
)

const OUTPUT = Type.Closed({
  uri: Type.String(),
  url: Type.String(),
  filename: Type.String(),
  mime_type: Type.String(),
  connections: Type.Integer(),
  not_found: Type.Optional(Type.Array(Type.String())),
  expires_at: Type.String(),
})

export function exportConnectionsTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineWriteTool({
    name: NAME,
    title: 'Export people',
    description:
      'Export or download contacts as a spreadsheet (CSV) or vCard. Returns a URL for the member.',
    effect: 'write',
    credits: 5,
    input: INPUT,
    output: OUTPUT,
    resourceLink: ({ uri, filename, mime_type }) => ({ uri, name: filename, mimeType: mime_type }),
    async resolve(call, input) {
      const { people, tag, location } = input
      for (const [name, filter] of Object.entries({ tag, location }))
        if (people && filter !== undefined) throw bothGiven(name)
      if (location === undefined) return input
      return {
        ...input,
        found: await findAllWith(call, { location, ...(tag !== undefined && { tag }) }),
      }
    },
    async run({ tx, caller, now }, { format = 'csv', people, tag, notes, found }) {
      const named = people && (await resolvePeople(tx, people))
      const ids = named?.flatMap(({ connection }) => connection?.connectionId ?? []) ?? found
      const connectionIds = ids && [...new Set(ids)].toSorted((one, other) => one - other)
      const tagKey = tag === undefined ? undefined : tagOf(tag).key
      const count = connectionIds?.length ?? (await countSelected(tx, { tagKey }))
      if (count === 0) throw nothingToExport()
      const credentialId = caller.credential.id
      const hasNotes = notes ?? hasNotesByDefault(format)
      const selection = { credentialId, format, hasNotes, connectionIds, tagKey }
      const exported = await createConnectionExport(tx, selection, now)
      const { exportId } = exported
      const missing = (named ?? []).flatMap(({ given, connection }) => (connection ? [] : [given]))
      return {
        uri: connectionExportUri(exportId),
        url: await contactFileLink(tx, { exportId, publicUrl, now }),
        filename: exportFilename(exported),
        mime_type: exportMimeType(exported),
        connections: count,
        ...(missing.length > 0 && { not_found: missing }),
        expires_at: rfc3339(exported.expiresAt),
      }
    },
    withoutSecrets: (output) => ({ ...output, url: withoutLink(output.url) }),
  })
}

function bothGiven(name: string): RequestError {
  return new RequestError('invalid_request', `Provide people or ${name}, not both.`, {
    errors: [{ pointer: `/${name}`, detail: 'is not allowed with people' }],
  })
}

function nothingToExport(): RequestError {
  return new RequestError('not_found', 'There are no connections to export.', {
    hint: 'Find people and locations with search_connections, or tags with list_tags.',
  })
}

/** A resource is in memory as a whole. Larger files can be downloaded. */
export const MAX_RESOURCE_LENGTH = 8 * MEGABYTE

function tooLargeToRead(): RequestError {
  return new RequestError(
    'payload_too_large',
    `The file is larger than ${formatBytes(MAX_RESOURCE_LENGTH)}, which is the maximum for a resource.`,
    { hint: 'Download it from the url of export_connections, or export fewer connections.' },
  )
}

/** Not listed: reads the file behind a link. The export was paid for when the link was created. */
export const readExportTool = defineReadTool({
  name: NAME,
  title: 'Read an export',
  description: 'Returns the file of an export.',
  credits: 0,
  input: Type.Closed({ export_id: Type.String() }),
  output: Type.Closed({ filename: Type.String(), mime_type: Type.String(), text: Type.String() }),
  async run({ db, caller, now, signal }, { export_id: exportId }) {
    const credentialId = caller.credential.id
    const exported = await requireConnectionExport(db, { exportId, credentialId, now })
    let text = ''
    for await (const piece of connectionExportFile(db, exported, toldTo(caller.limits))) {
      signal.throwIfAborted()
      text += piece
      if (text.length > MAX_RESOURCE_LENGTH) throw tooLargeToRead()
    }
    return { filename: exportFilename(exported), mime_type: exportMimeType(exported), text }
  },
})
