/** Logs, changes or deletes an interaction and records the change, for the tools and the forms. */

import { idsOf } from '../model/connection.ts'
import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { dayAt, startOfDay, requireDayInRange } from '../../dates/calendar-day.ts'
import { dayInZone, instantAt } from '../../dates/time-zone.ts'
import { MINUTE, HOUR } from '../../base/clock.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import {
  MAX_FOLLOW_UP_LENGTH,
  MAX_INTERACTION_PEOPLE,
  MAX_NOTE_LENGTH,
  MAX_TEXT_LENGTH,
} from '../../base/limits.ts'
import { CalendarDay, TimeOfDay } from '../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD, UNLISTED_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { createFollowUp, FOLLOW_UPS, type FollowUp } from '../follow-ups/follow-ups.ts'
import { readPlan } from '../follow-ups/follow-up-schemas.ts'
import type { Connection } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { PersonRef } from '../person/people-argument.ts'
import { entryOf, identified } from '../../records/activity-entry.ts'
import { isChanged } from '../../records/record-rows.ts'
import { storeRows } from '../../records/recorded-table.ts'
import { InteractionId } from './interaction-schemas.ts'
import {
  addInteractions,
  dayOfInteraction,
  INTERACTION_KINDS,
  INTERACTIONS,
  NO_CONTENT,
  onDay,
  requireInteraction,
  type Interaction,
  type InteractionDraft,
  type InteractionTime,
} from './interaction-store.ts'
import type { Along } from '../../records/undo-rows.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Changing, WriteCall } from '../../tools/tool.ts'

export const InteractionInput = Type.Closed(
  {
    interaction_id: Type.Optional({
      ...InteractionId,
      description: 'i_… from list_timeline, to change one',
    }),
    people: Type.Optional(
      Type.Array(PersonRef, {
        minItems: 1,
        maxItems: MAX_INTERACTION_PEOPLE,
        description: 'IDs, emails or names',
      }),
    ),
    kind: Type.Optional(
      Type.Enum([...INTERACTION_KINDS], { type: 'string', description: 'Default other' }),
    ),
    on: Type.Optional(CalendarDay('Default today', 'latest')),
    time: Type.Optional(TimeOfDay('HH:MM')),
    direction: Type.Optional(
      Type.Enum(['in', 'out'], { type: 'string', description: 'out: by the member' }),
    ),
    subject: Type.Optional(
      Type.String({ maxLength: MAX_TEXT_LENGTH, description: 'One line', [PLAIN_KEYWORD]: true }),
    ),
    text: Type.Optional(
      Type.String({
        maxLength: MAX_NOTE_LENGTH,
        description: 'What was said',
        [PLAIN_KEYWORD]: true,
      }),
    ),
    follow_up: Type.Optional(
      Type.Closed(
        {
          text: Type.Optional(
            Type.String({
              maxLength: MAX_FOLLOW_UP_LENGTH,
              description: 'What to do',
              [PLAIN_KEYWORD]: true,
            }),
          ),
          due_on: { ...CalendarDay('Due date', 'next-first'), [PLAIN_KEYWORD]: true as const },
          time: Type.Optional({
            ...TimeOfDay('HH:MM, local', 'none'),
            [UNLISTED_KEYWORD]: true as const,
          }),
        },
        { description: 'To plan with the first person' },
      ),
    ),
  },
  {
    examples: [
      {
        people: ['First Last'],
        kind: 'meeting',
        on: 'yesterday',
        text: 'Coffee',
      },
    ],
  },
)

/** Forms pass an empty text to clear a field. */
export type InteractionInput = Static<typeof InteractionInput>

interface LoggedInteraction {
  readonly interaction: Interaction
  /** In the order given. */
  readonly people: readonly Connection[]
  readonly followUp: FollowUp | undefined
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

type Call = Changing & {
  readonly caller: Pick<WriteCall['caller'], 'timeZone'>
}

/**
 * Logs an interaction, or changes the one with `interaction_id`: omitted fields stay, an empty subject or text clears it.
 * `along` is what the caller changed as a part of it.
 *
 * @throws {RequestError} `invalid_request` when a value is missing or invalid.
 * @throws {RequestError} `not_found` when the interaction or one of the people does not exist.
 */
export async function logInteraction(
  call: Call,
  { interaction_id, follow_up, ...input }: InteractionInput,
  along?: Along,
): Promise<LoggedInteraction> {
  const { tx } = call
  const before =
    interaction_id === undefined ? undefined : await requireInteraction(tx, interaction_id)
  const people = input.people && (await readPeople(tx, input.people))
  const fields = {
    ...readFields(call, input, before),
    ...(people && { people: idsOf(people).toSorted((one, other) => one - other) }),
  }
  if (fields.localAt !== undefined)
    assertBorn(people ?? (await findConnections(tx, before?.people ?? [])), dayAt(fields.localAt))
  const states = before ? await change(call, before, fields) : await add(call, fields)
  const interaction = states.after
  const shown = people ?? (await findConnections(tx, interaction.people))
  const [first] = shown
  const followUp = follow_up && first ? await plan(call, first.connectionId, follow_up) : undefined
  const isSame = before === interaction && !followUp
  const activityId = isSame
    ? undefined
    : await call.record(
        entryOf(INTERACTIONS, [{ ...states, attached: { ...planned(followUp), ...along } }]),
      )
  return { interaction, people: shown, followUp, activityId }
}

function planned(followUp: FollowUp | undefined) {
  return followUp && { follow_ups: [identified(FOLLOW_UPS, followUp)] }
}

async function plan(
  { tx, now }: Call,
  connectionId: number,
  { text = 'Get in touch again', ...when }: NonNullable<InteractionInput['follow_up']>,
): Promise<FollowUp> {
  return createFollowUp(tx, { ...readPlan({ text, ...when }), connectionId }, now)
}

interface States {
  readonly before: Interaction | undefined
  readonly after: Interaction
}

async function add({ tx, now }: Call, fields: Partial<InteractionDraft>): Promise<States> {
  const { kind = 'other', people } = fields
  if (people === undefined) throw missing('people')
  const draft = { ...NO_CONTENT, ...onDay('1970-01-01'), ...fields, kind, people }
  const [after] = await addInteractions(tx, [draft], now)
  if (!after) throw new Error('no interaction was added')
  return { before: undefined, after }
}

/** Returns the same interaction if nothing changes. */
async function change(
  { tx, now }: Call,
  before: Interaction,
  fields: Partial<InteractionDraft>,
): Promise<States> {
  const after = { ...before, ...fields }
  if (!isChanged(INTERACTIONS, before, after)) return { before, after: before }
  await storeRows(INTERACTIONS, tx, [{ before, after }], now)
  return { before, after }
}

/** In the order given, each once. */
async function readPeople(
  tx: MemberTransaction,
  given: readonly string[],
): Promise<readonly Connection[]> {
  const people = await requireConnections(tx, given)
  if (people.length <= MAX_INTERACTION_PEOPLE) return people
  throw invalidArgument(
    'people',
    t('must have at most {maxInteractionPeople} people', {
      maxInteractionPeople: MAX_INTERACTION_PEOPLE,
    }),
  )
}

/** A birthday without a year (`--05-04`) is before every day. */
function assertBorn(people: readonly Connection[], day: string): void {
  const unborn = people.find(({ birthday }) => birthday !== null && birthday > day)
  if (unborn)
    throw invalidArgument(
      'on',
      t('is before the birth of {name} on {birthday}', {
        name: unborn.name,
        birthday: unborn.birthday ?? '',
      }),
    )
}

function readFields(
  { now, caller }: Call,
  { kind, on, time, direction, subject, text }: InteractionInput,
  before: Interaction | undefined,
): Partial<InteractionDraft> {
  const isTimed = on !== undefined || time !== undefined || !before
  const day = on ?? (before ? dayOfInteraction(before) : dayInZone(caller.timeZone, now))
  return {
    ...(kind && { kind }),
    ...(isTimed && readTime(day, time, caller.timeZone)),
    ...(direction !== undefined && { direction }),
    ...(subject !== undefined && { subject: readSubject(subject) }),
    ...(text !== undefined && { text: text.trim() || null }),
  }
}

function readTime(day: string, time: string | undefined, timeZone: string): InteractionTime {
  const on = requireDayInRange(day, 'on')
  if (time === undefined) return onDay(on)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const localAt = startOfDay(on) + hours * HOUR + minutes * MINUTE
  return { localAt, happenedAt: instantAt(timeZone, localAt), zone: timeZone }
}

function readSubject(subject: string): string | null {
  const line = subject.replace(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(line))
    throw invalidArgument('subject', t('must not contain control characters'))
  return line || null
}

function missing(argument: string): RequestError {
  return invalidArgument(argument, t('is required unless interaction_id is given'))
}
