// Reads `custom-fields.json` of Weft's own export: the fields of the network, including unused ones.

import * as Type from '../../base/type.ts'
import { checkSchema } from '../../base/schema.ts'
import { oneLine } from '../contact/clean-text.ts'
import { CUSTOM_FIELD_KINDS, type FieldDefinition } from '../contact/field-definition.ts'
import { MAX_CUSTOM_FIELDS, MAX_TEXT_LENGTH } from '../contact/limits.ts'
import { decodeText } from '../bytes/text.ts'

const ExportedFields = Type.Array(
  Type.Object({
    name: Type.String(),
    kind: Type.Enum([...CUSTOM_FIELD_KINDS]),
    choices: Type.Optional(Type.Array(Type.String())),
    position: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()]),
    ),
    deleted_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
)

/** Characters: 500 fields with many choices. */
const MAX_LENGTH = 5_000_000

/** Without deleted fields; empty if the file is not from an export. */
export async function readFieldDefinitions(
  bytes: AsyncIterable<Uint8Array>,
): Promise<readonly FieldDefinition[]> {
  let text = ''
  for await (const block of decodeText(bytes, { encoding: 'utf-8' })) {
    text += block
    if (text.length > MAX_LENGTH) return []
  }
  const checked = checkSchema(ExportedFields, parsed(text))
  if (!checked.ok) return []
  return checked.value
    .filter(({ deleted_at }) => deleted_at == null)
    .slice(0, MAX_CUSTOM_FIELDS)
    .flatMap(({ name, kind, choices = [], position = null }) => {
      const line = oneLine(name, MAX_TEXT_LENGTH)
      const lines = choices
        .map((choice) => oneLine(choice, MAX_TEXT_LENGTH))
        .filter((choice) => choice !== '')
      const isPossible = line !== '' && (kind === 'choice') === lines.length > 0
      return isPossible ? [{ name: line, kind, choices: lines, position }] : []
    })
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
