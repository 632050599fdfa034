// Reads what Weft's own export has besides people: custom fields, cadences of tags, saved views, to-dos and the profile.

import { jsonOf } from '../../base/parse-text.ts'
import * as Type from '../../base/type.ts'
import type { Static, TSchema } from 'typebox'
import { checkSchema } from '../../base/schema.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { oneLine } from '../contact/clean-text.ts'
import { CUSTOM_FIELD_KINDS } from '../contact/field-definition.ts'
import { dataUrlBytes } from '../contact/photo.ts'
import type {
  ArchivedFile,
  ArchivedProfile,
  NetworkSettings,
  SettingsFile,
} from '../contact/network-settings.ts'
import {
  MAX_CADENCE,
  MAX_CUSTOM_FIELDS,
  MAX_TAG_LENGTH,
  MAX_TEXT_LENGTH,
} from '../../base/limits.ts'
import { CADENCE_UNITS } from '../../dates/cadence.ts'
import { ExportedFollowUp, followUpsIn, optionalText } from './exported-follow-up.ts'
import { readBlocks, wholeText } from '../bytes/blocks.ts'
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
  deleted_at: optionalText,
})

/** How often, of a person or a tag. */
export const CadenceCount = Type.Integer({ minimum: 1, maximum: MAX_CADENCE.day })
export const CadenceUnit = Type.Enum([...CADENCE_UNITS])

const ExportedTagCadence = Type.Object({
  tag: Type.String(),
  every: CadenceCount,
  unit: CadenceUnit,
  set_on: Type.String(),
})

const ExportedView = Type.Object({ name: Type.String(), query: Type.String() })

const ExportedProfile = Type.Object({
  username: Type.String(),
  email: optionalText,
  is_public: Type.Optional(Type.Boolean()),
  joined_at: Type.String(),
  photo: optionalText,
  archive_version: Type.Optional(Type.Integer({ minimum: 1 })),
})

/** Files that only repeat what connections.json has of live people, or have no data. */
const REPEATED: ReadonlySet<string> = new Set([
  'README.txt',
  'connections.csv',
  'connections.vcf',
  'notes.json',
  'follow-ups.json',
  'interactions.json',
  'cadences.json',
])

/** Lists are empty if the file is not from an export. `names` are those of all files of the archive. */
export async function readSettings(
  files: Readonly<Partial<Record<SettingsFile, ZipEntry>>>,
  names: readonly string[] = [],
): Promise<NetworkSettings> {
  const fields = await listIn(files['custom-fields.json'], ExportedField)
  const cadences = await listIn(files['tag-cadences.json'], ExportedTagCadence)
  const views = await listIn(files['saved-views.json'], ExportedView)
  const toDos = await listIn(files['to-dos.json'], ExportedFollowUp, MAX_TO_DOS)
  const profile = await profileIn(files['profile.json'])
  const read = new Map<string, unknown>([
    ['connections.json', true],
    ['custom-fields.json', fields],
    ['tag-cadences.json', cadences],
    ['saved-views.json', views],
    ['to-dos.json', toDos],
    ['profile.json', profile],
  ])
  return {
    version: profile?.version ?? 1,
    files: filesOf(names, read),
    ...(profile && { profile: profile.profile }),
    fields: (fields ?? []).filter(({ deleted_at }) => deleted_at == null).flatMap(definitionIn),
    tagCadences: (cadences ?? []).flatMap(({ set_on: setOn, ...one }) => {
      const tag = oneLine(one.tag, MAX_TAG_LENGTH)
      const isPossible = tag !== '' && isDay(setOn) && one.every <= MAX_CADENCE[one.unit]
      return isPossible ? [{ ...one, tag, setOn }] : []
    }),
    views: views ?? [],
    toDos: (toDos ?? []).flatMap(followUpsIn),
  }
}

const MAX_FILES = 100
const MAX_PATH_LENGTH = 200 // characters

/** The first ones, because any file can be in a zip. */
function filesOf(names: readonly string[], read: ReadonlyMap<string, unknown>): ArchivedFile[] {
  const files = names
    .slice(0, MAX_FILES)
    .map((path): ArchivedFile => ({ name: path.slice(-MAX_PATH_LENGTH), use: useOf(path, read) }))
  const more = names.length - files.length
  return more === 0 ? files : [...files, { name: `${more} more files`, use: 'not_restored' }]
}

function useOf(path: string, read: ReadonlyMap<string, unknown>): ArchivedFile['use'] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (read.get(name) !== undefined) return 'restored'
  return REPEATED.has(name) ? 'repeated' : 'not_restored'
}

/** They are restored in one transaction. */
const MAX_TO_DOS = 10_000

/** Characters: 500 fields with many choices, or a photo. */
const MAX_LENGTH = 5_000_000

/** Undefined if the file is missing, damaged or too long. */
async function listIn<Item extends TSchema>(
  file: ZipEntry | undefined,
  item: Item,
  max = MAX_CUSTOM_FIELDS,
): Promise<readonly Static<Item>[] | undefined> {
  const checked = checkSchema(Type.Array(item), await jsonIn(file))
  return checked.ok && checked.value.length <= max ? checked.value : undefined
}

async function profileIn(
  file: ZipEntry | undefined,
): Promise<{ readonly version: number; readonly profile: ArchivedProfile } | undefined> {
  const written = await jsonIn(file)
  const checked = checkSchema(ExportedProfile, written)
  if (!checked.ok) return undefined
  const {
    username,
    email = null,
    is_public = true,
    joined_at,
    photo,
    archive_version,
  } = checked.value
  const bytes = photo == null ? undefined : dataUrlBytes(photo)
  const profile = {
    username,
    email,
    joinedAt: joined_at,
    isPublic: is_public,
    // An object, as the schema requires.
    fields: written as Readonly<Record<string, unknown>>,
    ...(bytes && { photo: bytes }),
  }
  return { version: archive_version ?? 1, profile }
}

async function jsonIn(file: ZipEntry | undefined): Promise<unknown> {
  if (file === undefined) return undefined
  const text = await wholeText(decodeText(await readBlocks(file.open()), 'utf-8'), MAX_LENGTH)
  return text === undefined ? undefined : jsonOf(text)
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
