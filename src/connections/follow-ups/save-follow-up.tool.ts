/** save_follow_up: plans follow-ups with people or none, changes open ones, or completes them. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { publicIdPattern } from '../../base/public-id.ts'
import { invalidArgument, nothingToUpdate, RequestError } from '../../base/request-error.ts'
import { dayInZone, localTimeAt } from '../../dates/time-zone.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { fittingOf } from '../../tools/result-pages.ts'
import { defineWriteTool, type WriteCall } from '../../tools/tool.ts'
import { requireConnection, requireConnections } from '../editing/require-connection.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { changeFollowUps, planFollowUps } from './change-follow-ups.ts'
import { dueBefore, listFollowUps } from './follow-up-list.ts'
import {
  firstDueDay,
  formatNamed,
  FollowUpInput,
  formatSaved,
  NamedFollowUp,
  readFields,
} from './follow-up-schemas.ts'
import { requireFollowUp, type FollowUp, type FollowUpFields } from './follow-ups.ts'

const MAX_FOLLOW_UPS = 100
const FIELDS = Object.keys(FollowUpInput.properties) as (keyof FollowUpInput)[]
const WORDS: ReadonlySet<string> = new Set(['open', 'overdue'])

const Input = Type.Closed(
  {
    people: Type.Optional({ ...peopleRefs(), minItems: 0 }),
    follow_up_ids: Type.Optional(
      Type.Array(
        Type.String({
          pattern: `${publicIdPattern('f')}|^(?:${[...WORDS].join('|')})$`,
          examples: ['f_999999'],
        }),
        {
          minItems: 1,
          maxItems: MAX_FOLLOW_UPS,
          description: 'f_… from list_follow_ups; or "overdue" or "open", of people or all',
        },
      ),
    ),
    ...FollowUpInput.properties,
    done: Type.Optional(Type.Boolean({ description: 'Completes them', [PLAIN_KEYWORD]: true })),
  },
  {
    examples: [{ people: ['First Last'], text: 'Send the slides', due_on: 'in two weeks' }],
  },
)
type Input = Static<typeof Input>

const SavedFollowUp = Type.Closed({
  ...NamedFollowUp.properties,
  next: Type.Optional(NamedFollowUp),
})
type SavedFollowUp = Static<typeof SavedFollowUp>

export const saveFollowUpTool = defineWriteTool({
  name: 'save_follow_up',
  title: 'Save follow-up',
  description:
    'Remind me to call, write or send something (a to-do), with 0-100 people; with follow_up_ids ' +
    'moves, changes or marks reminders as done (free): {follow_up_ids: ["overdue"], due_on: ' +
    '"Monday"}. Returns them, and the next of a recurring one. For regular contact use keep_in_touch.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  isFree: ({ done, ...given }) =>
    done === true && FIELDS.every((field) => given[field] === undefined),
  input: Input,
  output: Type.Closed({
    follow_ups: Type.Array(SavedFollowUp),
    truncated: Type.Optional(Type.Boolean()),
    activity_id: Type.Optional(Type.String({ description: 'For undo; absent if unchanged' })),
    hint: Type.Optional(Type.String({ description: 'If planned already or in the past' })),
  }),
  async run(call, { follow_up_ids, ...input }) {
    if (follow_up_ids !== undefined) return change(call, follow_up_ids, input)
    return plan(call, input)
  },
})

type Fields = Omit<Input, 'follow_up_ids'>

async function plan(call: WriteCall, { people = [], done, text, due_on, ...when }: Fields) {
  if (done === true) throw invalidArgument('follow_up_ids', 'is required with done')
  if (text === undefined) throw invalidArgument('text', 'is required unless follow_up_ids is given')
  const today = dayInZone(call.caller.timeZone, call.now)
  const day = due_on ?? firstDueDay(when, today)
  if (day === undefined)
    throw invalidArgument('due_on', 'is required unless follow_up_ids is given')
  const planned = await planFollowUps(call, people, { text, due_on: day, ...when })
  const { known, made } = planned
  return {
    ...answerOf(
      made.map((one) => formatNamed(one, call)),
      planned.activityId,
    ),
    ...(known > 0
      ? { hint: `${known} of ${made.length} was planned already and not planned again.` }
      : hintIfPast(day, today)),
  }
}

function hintIfPast(day: string | undefined, today: string) {
  return day !== undefined && day < today
    ? { hint: `${day} is in the past, so it is overdue. Give a later due_on to move it.` }
    : {}
}

async function change(
  call: WriteCall,
  refs: readonly string[],
  { people, done, ...given }: Fields,
) {
  if (people?.length === 0)
    throw invalidArgument('people', 'must have at least one person with follow_up_ids')
  const { followUps, byPeople } = await selectFollowUps(call, refs, people)
  const fields = await readChange(call, byPeople ? [] : (people ?? []), given)
  if (done !== true && Object.keys(fields).length === 0) throw nothingToUpdate()
  const { timeZone } = call.caller
  const completeIn = done === true ? timeZone : undefined
  const { changed, activityId } = await changeFollowUps(call, followUps, { fields, completeIn })
  const saved: SavedFollowUp[] = []
  for (const { after, next } of changed) {
    const shown = await formatSaved(after, call)
    saved.push(next ? { ...shown, next: await formatSaved(next, call) } : shown)
  }
  return {
    ...answerOf(saved, activityId),
    ...hintIfPast(given.due_on, dayInZone(timeZone, call.now)),
  }
}

async function readChange(
  { tx }: WriteCall,
  [person, ...others]: readonly string[],
  given: FollowUpInput,
): Promise<Partial<FollowUpFields>> {
  if (others.length > 0)
    throw invalidArgument('people', 'must have one person when IDs of follow-ups are given')
  const moved = person === undefined ? undefined : await requireConnection(tx, person)
  return { ...(moved && { connectionId: moved.connectionId }), ...readFields(given) }
}

function answerOf(followUps: readonly SavedFollowUp[], activityId: number | undefined) {
  const { items, end } = fittingOf(followUps)
  return {
    follow_ups: items,
    ...end,
    ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
  }
}

interface Selected {
  readonly followUps: readonly FollowUp[]
  /** Whether the people of the call were used to select them. */
  readonly byPeople: boolean
}

/** The follow-ups that a call names: by their IDs, or all that are open or overdue. */
async function selectFollowUps(
  call: WriteCall,
  refs: readonly string[],
  people: readonly string[] | undefined,
): Promise<Selected> {
  const [word = '', ...others] = [...new Set(refs)]
  if (!WORDS.has(word)) {
    const named: FollowUp[] = []
    for (const ref of [word, ...others]) named.push(await requireFollowUp(call.tx, ref))
    return { followUps: named, byPeople: false }
  }
  if (others.length > 0) throw invalidArgument('follow_up_ids', `must have only ${word}, or IDs`)
  const followUps = await listSelected(call, word, people)
  if (followUps.length === 0)
    throw new RequestError(
      'not_found',
      `There are no ${word} follow-ups${people ? ' with them' : ''}.`,
    )
  if (followUps.length <= MAX_FOLLOW_UPS) return { followUps, byPeople: people !== undefined }
  throw new RequestError(
    'conflict',
    `There are more than ${MAX_FOLLOW_UPS} ${word} follow-ups, the maximum per call. Give people or IDs.`,
  )
}

async function listSelected(
  { tx, now, caller }: WriteCall,
  word: string,
  people: readonly string[] | undefined,
): Promise<FollowUp[]> {
  const localNow = localTimeAt(caller.timeZone, now)
  const query = { status: 'open', ...(word === 'overdue' && dueBefore(localNow)) } as const
  const found: FollowUp[] = []
  const of = people ? await requireConnections(tx, people) : [undefined]
  for (const person of of) {
    const only = person && { people: [person.connectionId] }
    const page = await listFollowUps(tx, { ...query, ...only }, MAX_FOLLOW_UPS + 1)
    found.push(...page.entries.map(({ followUp }) => followUp))
  }
  return found
}
