// Reads what Weft's own export has besides people: custom fields, cadences of tags, saved views and to-dos.

import * as Type from '../../base/type.ts'
import type { Static, TSchema } from 'typebox'
import { checkSchema } from '../../base/schema.ts'
import { isDay } from '../../base/calendar-day.ts'
import { oneLine } from '../contact/clean-text.ts'
import { CUSTOM_FIELD_KINDS } from '../contact/field-definition.ts'
import type { NetworkSettings, SettingsFile } from '../contact/network-settings.ts'
import {
  MAX_CADENCE,
  MAX_CUSTOM_FIELDS,
  MAX_TAG_LENGTH,
  MAX_TEXT_LENGTH,
} from '../contact/limits.ts'
import { ExportedFollowUp, followUpsIn } from './exported-follow-up.ts'
import { decodeText } from '../bytes/text.ts'
import type { ZipEntry } from '../bytes/zip.ts'

const ExportedField = Type.Object({
  custom_field_id: Type.Optional(Type.String()),
  name: Type.String(),
  kind: Type.Enum([...CUSTOM_FIELD_KINDS]),
  choices: Type.Optional(Type.Array(Type.String())),
  position: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()]),
  ),
  deleted_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

/** How often, of a person or a tag. */
export const CadenceCount = Type.Integer({ minimum: 1, maximum: MAX_CADENCE.day })
export const CadenceUnit = Type.Enum(['day', 'week', 'month'])

const ExportedTagCadence = Type.Object({
  tag: Type.String(),
  every: CadenceCount,
  unit: CadenceUnit,
  set_on: Type.String(),
})

const ExportedView = Type.Object({ name: Type.String(), query: Type.String() })

/** Lists are empty if the file is not from an export. */
export async function readSettings(
  files: Readonly<Partial<Record<SettingsFile, ZipEntry>>>,
): Promise<NetworkSettings> {
  const fields = await listIn(files['custom-fields.json'], ExportedField)
  const cadences = await listIn(files['tag-cadences.json'], ExportedTagCadence)
  const views = await listIn(files['saved-views.json'], ExportedView)
  const toDos = await listIn(files['to-dos.json'], ExportedFollowUp, MAX_TO_DOS)
  return {
    fields: fields.filter(({ deleted_at }) => deleted_at == null).flatMap(definitionIn),
    tagCadences: cadences.flatMap(({ set_on: setOn, ...one }) => {
      const tag = oneLine(one.tag, MAX_TAG_LENGTH)
      const isPossible = tag !== '' && isDay(setOn) && one.every <= MAX_CADENCE[one.unit]
      return isPossible ? [{ ...one, tag, setOn }] : []
    }),
    views,
    toDos: toDos.flatMap(followUpsIn),
  }
}

/** They are restored in one transaction. */
const MAX_TO_DOS = 10_000

/** Characters: 500 fields with many choices. */
const MAX_LENGTH = 5_000_000

async function listIn<Item extends TSchema>(
  file: ZipEntry | undefined,
  item: Item,
  max = MAX_CUSTOM_FIELDS,
): Promise<readonly Static<Item>[]> {
  if (file === undefined) return []
  let text = ''
  for await (const block of decodeText(file.open(), { encoding: 'utf-8' })) {
    text += block
    if (text.length > MAX_LENGTH) return []
  }
  const checked = checkSchema(Type.Array(item), parsed(text))
  return checked.ok ? checked.value.slice(0, max) : []
}

function definitionIn(field: Static<typeof ExportedField>): NetworkSettings['fields'] {
  const { custom_field_id: id, kind, choices = [], position = null } = field
  const name = oneLine(field.name, MAX_TEXT_LENGTH)
  const lines = choices
    .map((choice) => oneLine(choice, MAX_TEXT_LENGTH))
    .filter((choice) => choice !== '')
  const isPossible = name !== '' && (kind === 'choice') === lines.length > 0
  return isPossible
    ? [{ name, kind, choices: lines, position, ...(id !== undefined && { id }) }]
    : []
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
