/** Sets how often the member wants to be in touch with people or a tag, for the tool and the forms. */

import { idsOf } from '../model/connection.ts'
import { phrase, t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { dayInZone } from '../../dates/time-zone.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { MAX_CADENCE, MAX_TAG_LENGTH } from '../../base/limits.ts'
import { CADENCE_UNITS } from '../../dates/cadence.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { PersonRef } from '../person/people-argument.ts'
import { newTag } from '../model/tag-store.ts'
import { cadenceChangeOf, tagRuleChangeOf } from './cadence-changes.ts'
import { cadencesOf, storeCadences, storeTagRule, tagRuleOf } from './cadence-store.ts'
import type { Connection } from '../model/connection.ts'
import type { OwnCadence } from '../last-contact/contact-times.ts'
import type { Changing, WriteCall } from '../../tools/tool.ts'

const MAX_PEOPLE = 200

export const CadenceInput = Type.Closed({
  people: Type.Optional(
    Type.Array(PersonRef, {
      minItems: 1,
      maxItems: MAX_PEOPLE,
      description: 'Or tag',
    }),
  ),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TAG_LENGTH,
      description: 'For people without their own',
      [PLAIN_KEYWORD]: true,
    }),
  ),
  every: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_CADENCE.day })),
  unit: Type.Optional(Type.Enum([...CADENCE_UNITS], { type: 'string' })),
  paused_until: Type.Optional({
    ...CalendarDay('Snoozes until then', 'next-first'),
    [PLAIN_KEYWORD]: true,
  }),
  muted: Type.Optional(Type.Boolean({ description: 'Never suggested' })),
})
export type CadenceInput = Static<typeof CadenceInput>

type Call = Changing & {
  readonly caller: Pick<WriteCall['caller'], 'timeZone'>
}

interface SetCadence {
  /** How many people it was set for; of a tag, those without their own. */
  readonly changed: number
  /** The people it is for; undefined for a tag. */
  readonly people?: readonly Connection[]
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

/**
 * Omitted fields stay as they are. A day in the past ends a pause.
 *
 * @throws {RequestError} `invalid_request` when a value is missing or invalid.
 * @throws {RequestError} `not_found` when one of the people does not exist.
 */
export async function setCadence(call: Call, input: CadenceInput): Promise<SetCadence> {
  const { people, tag } = input
  if ((people === undefined) === (tag === undefined))
    throw new RequestError('invalid_request', t('Provide either people or a tag.'))
  checkCadence(input)
  return people === undefined ? setForTag(call, input) : setForPeople(call, people, input)
}

function checkCadence({ every, unit = 'day', paused_until, muted }: CadenceInput): void {
  if (every === undefined && paused_until === undefined && muted === undefined)
    throw new RequestError(
      'invalid_request',
      'Nothing to set. Provide every, paused_until or muted.',
    )
  if (every !== undefined && every > MAX_CADENCE[unit])
    throw invalidArgument('every', t(AT_MOST[unit], { max: MAX_CADENCE[unit] }))
}

const AT_MOST = {
  day: phrase('must be at most {max} days'),
  week: phrase('must be at most {max} weeks'),
  month: phrase('must be at most {max} months'),
}

async function setForPeople(
  { tx, now, caller, record }: Call,
  people: readonly string[],
  input: CadenceInput,
): Promise<SetCadence> {
  const found = await requireConnections(tx, people)
  const ids = idsOf(found)
  const before = await cadencesOf(tx, ids)
  const today = dayInZone(caller.timeZone, now)
  const changed = [...before].flatMap(([id, own]) => {
    const after = cadenceAfter(own, input, today)
    return JSON.stringify(after) === JSON.stringify(own) ? [] : [{ id, before: own, after }]
  })
  if (changed.length === 0) return { changed: 0, people: found, activityId: undefined }
  await storeCadences(tx, new Map(changed.map(({ id, after }) => [id, after])))
  const activityId = await record(cadenceChangeOf(changed))
  return { changed: changed.length, people: found, activityId }
}

function cadenceAfter(
  own: OwnCadence,
  { every, unit = 'day', paused_until, muted }: CadenceInput,
  today: string,
): OwnCadence {
  const isSame = own.every === every && own.unit === unit
  const until =
    paused_until === undefined ? own.pausedUntil : requireDay(paused_until, 'paused_until')
  const pausedUntil = until !== null && until > today ? until : null
  const state = { pausedUntil, isMuted: muted === undefined ? own.isMuted : Number(muted) }
  if (every === undefined || isSame) return { ...own, ...state }
  return every === 0
    ? { every: null, unit: null, setOn: null, ...state }
    : { every, unit, setOn: today, ...state }
}

async function setForTag(
  { tx, now, caller, record }: Call,
  { tag = '', every, unit = 'day', paused_until, muted }: CadenceInput,
): Promise<SetCadence> {
  if (every === undefined || paused_until !== undefined || muted !== undefined)
    throw new RequestError(
      'invalid_request',
      'Provide only every and unit for a tag. Pausing and muting need people.',
    )
  const named = newTag(tag)
  const before = await tagRuleOf(tx, named)
  const isSame = before ? before.every === every && before.unit === unit : every === 0
  if (isSame) return { changed: 0, activityId: undefined }
  const setOn = dayInZone(caller.timeZone, now)
  const after = every === 0 ? undefined : { every, unit, setOn }
  const changed = await storeTagRule(tx, named, after)
  return { changed, activityId: await record(tagRuleChangeOf(named, before, after)) }
}
