/** The schema of a person in `connections.json` of Weft's own export. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { ExportedFollowUp, optionalText } from './exported-follow-up.ts'
import { CadenceCount, CadenceUnit } from './weft-settings.ts'

const texts = Type.Optional(Type.Array(Type.String()))

export const ExportedRecord = Type.Object({
  connection_id: optionalText,
  name: Type.String(),
  given_name: optionalText,
  family_name: optionalText,
  company: optionalText,
  title: optionalText,
  location: optionalText,
  emails: texts,
  phones: texts,
  profile_url: optionalText,
  links: texts,
  birthday: optionalText,
  connected_on: optionalText,
  tags: texts,
  notes: Type.Optional(
    Type.Array(
      Type.Object({
        text: Type.String(),
        happened_on: optionalText,
        origin: optionalText,
        created_at: optionalText,
      }),
    ),
  ),
  follow_ups: Type.Optional(Type.Array(ExportedFollowUp)),
  interactions: Type.Optional(
    Type.Array(
      Type.Object({
        interaction_id: Type.String(),
        kind: Type.String(),
        on: Type.String(),
        at: optionalText,
        zone: optionalText,
        direction: optionalText,
        subject: optionalText,
        text: optionalText,
      }),
    ),
  ),
  cadence: Type.Optional(
    Type.Object({
      every: Type.Optional(CadenceCount),
      unit: Type.Optional(CadenceUnit),
      set_on: optionalText,
      paused_until: optionalText,
      muted: Type.Optional(Type.Boolean()),
    }),
  ),
  details: Type.Optional(Type.Object({})),
  /** A data URL. */
  photo: optionalText,
  created_at: optionalText,
  deleted_at: optionalText,
  source: Type.Optional(Type.Unknown()),
  field_sources: Type.Optional(Type.Unknown()),
  field_times: Type.Optional(Type.Unknown()),
  /** Connections that the member decided are other people. */
  different_from: texts,
})
export type ExportedRecord = Static<typeof ExportedRecord>

const ValueSource = Type.Enum([
  'typed',
  'contacts_app',
  'linkedin',
  'google',
  'outlook',
  'vcard',
  'monica',
  'table',
])

/** Where the values of a person come from. */
export const ExportedOrigin = Type.Object({
  source: ValueSource,
  field_sources: Type.Record(Type.String(), ValueSource),
  field_times: Type.Record(Type.String(), Type.String()),
})
