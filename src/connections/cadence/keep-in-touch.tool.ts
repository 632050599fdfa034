/** keep_in_touch: how often the member wants to be in touch with people or a tag. */

import { idsOf } from '../model/connection.ts'
import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { UNLISTED_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { invalidArgument } from '../../base/request-error.ts'
import { readCadence } from '../../dates/cadence.ts'
import { isNever } from '../../dates/spoken-interval.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import { CadenceInput, setCadence } from './set-cadence.ts'
import type { ContactTimes } from '../last-contact/read-contact-times.ts'
import type { Connection } from '../model/connection.ts'

/** What a person has now. Fields that are not set are omitted. */
const CadenceState = Type.Closed({
  ...NamedConnection.properties,
  every: Type.Optional(Type.Integer()),
  unit: Type.Optional(Type.String()),
  due_on: Type.Optional(Type.String()),
  paused_until: Type.Optional(Type.String()),
  muted: Type.Optional(Type.Boolean()),
})

const { every: _every, unit: UNIT, ...FIELDS } = CadenceInput.properties

const Input = Type.Closed(
  {
    ...FIELDS,
    every: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'month, 6 weeks, quarterly …; none removes it',
        examples: ['6 weeks'],
      }),
    ),
    unit: Type.Optional({
      ...UNIT,
      description: 'If every is a number',
      [UNLISTED_KEYWORD]: true,
    }),
  },
  { examples: [{ people: ['First Last'], every: '6 weeks' }] },
)

/** @throws {RequestError} `invalid_request` when `every` is not an interval. */
function intervalIn({ every: text, unit, ...input }: Type.Static<typeof Input>): CadenceInput {
  if (text === undefined) return { ...input, ...(unit && { unit }) }
  if (/^\s*\d+\s*$/.test(text)) return { ...input, every: Number(text), ...(unit && { unit }) }
  if (isNever(text)) return { ...input, every: 0 }
  const cadence = readCadence(text)
  if (!cadence) throw invalidArgument('every', EXPECTED)
  return { ...input, ...cadence }
}

const EXPECTED = 'must be an interval of up to ten years, such as month, 6 weeks or quarterly'

function stateOf(person: Connection, times: ContactTimes | undefined) {
  return {
    ...namedOf(person),
    ...times?.cadence,
    ...(times?.dueOn != null && { due_on: times.dueOn }),
    ...(times?.pausedUntil != null && { paused_until: times.pausedUntil }),
    ...(times?.isMuted === true && { muted: true }),
  }
}

export const keepInTouchTool = defineWriteTool({
  name: 'keep_in_touch',
  title: 'Set cadence',
  description:
    'Keep in touch with people or a tag every month, two weeks or quarter; or pause or stop ' +
    'suggesting them in list_who_to_contact. Returns the activity_id. For a single reminder use ' +
    'save_follow_up.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: Input,
  output: Type.Closed({
    changed: Type.Integer(),
    people: Type.Optional(Type.Array(CadenceState)),
    activity_id: Type.Optional(Type.String()),
  }),
  async run(call, input) {
    const { changed, people = [], activityId } = await setCadence(call, intervalIn(input))
    const ids = idsOf(people)
    const times = await contactTimesOf(call.tx, ids)
    return {
      changed,
      ...(people.length > 0 && {
        people: people.map((one) => stateOf(one, times.get(one.connectionId))),
      }),
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})
