/** undo: reverts a change, including an undo. */

import * as Type from '../../base/type.ts'
import { rfc3339 } from '../../base/clock.ts'
import { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import { startOfDay } from '../../dates/calendar-day.ts'
import { instantAt } from '../../dates/time-zone.ts'
import { readDateText } from '../../dates/read-date.ts'
import { parsePublicId } from '../../base/public-id.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { ActivityId, publicActivityId, activityNumber } from '../activity.ts'
import { AgentName, requireAgentName } from '../activity-log/agent-name.ts'
import {
  findChange,
  namesOf,
  type ChangesByAgent,
  type ListedChange,
} from '../activity-log/read-activity.ts'
import { defineWriteTool, type Tool, type ToolCall, type WriteCall } from '../tool.ts'
import type { MemberReader } from '../../db/database.ts'
import { fittingOf } from '../result-pages.ts'
import { prepareUndo, undoChange, undoSince, type Undone, type UndoTarget } from './undo-change.ts'
import type { Undoer } from '../undo.ts'

const UndoneChange = Type.Closed({
  activity_id: Type.String(),
  action: Type.String(),
  subject_id: Type.String(),
  names: Type.Optional(Type.Array(Type.String())),
  actor: Type.String(),
  at: Type.String(),
})

interface UndoDeps {
  readonly undoers: readonly Undoer[]
  /** Shared with the undo buttons of the pages. */
  readonly turns?: KeyedSemaphore<number>
}

/** As for computations: see decisions/0023. */
const MAX_WAITING_PER_MEMBER = 16

/** Lets each member undo one change at a time in this process; up to `waitingPerKey` more calls wait. */
export function undoTurns(waitingPerKey = MAX_WAITING_PER_MEMBER): KeyedSemaphore<number> {
  return new KeyedSemaphore({
    permits: Number.MAX_SAFE_INTEGER,
    permitsPerKey: 1,
    waitingPerKey,
  })
}

/** `undoers` come from all features; by default, only this tool uses `turns`. */
export function undoTool({ undoers, turns = undoTurns() }: UndoDeps): Tool {
  return defineWriteTool({
    name: 'undo',
    title: 'Undo a change',
    description:
      'Undo or revert a change, or your own last one without activity_id; {since: "today", agent: "Cursor"} undoes all ' +
      'of these. Fails if the data changed since. Undoing an undo redoes. Returns what was undone.',
    effect: 'write',
    idempotent: false,
    bulk: true,
    turns,
    credits: 0,
    input: Type.Closed(
      {
        activity_id: Type.Optional(ActivityId),
        since: Type.Optional(
          Type.String({
            pattern: '\\S',
            maxLength: MAX_SINCE_LENGTH,
            description: 'Or all your changes from this ID or date on',
            examples: ['today'],
          }),
        ),
        agent: Type.Optional(AgentName('With since: changes of this agent')),
      },
      { examples: [{ activity_id: 'a_999999' }, { since: 'today', agent: 'Agent Name' }] },
    ),
    output: Type.Closed({
      activity_id: Type.String({
        description: 'ID of the undo itself; of the last one with since',
      }),
      undone: Type.Array(UndoneChange, { description: 'Newest first' }),
      truncated: Type.Optional(Type.Boolean()),
      left_alone_count: Type.Optional(Type.Integer()),
      left_alone: Type.Optional(
        Type.Array(Type.String(), { description: 'Later edits that were kept: the first 20' }),
      ),
    }),
    // With `since` all or none is undone, in one transaction.
    prepare: async (call, { activity_id, since, agent }) =>
      since === undefined && agent === undefined
        ? prepareUndo(call, undoers, targetOf(call, activity_id))
        : undefined,
    async run(call, { activity_id, since, agent }) {
      if (since === undefined) {
        if (agent !== undefined) throw invalidArgument('since', 'is required with agent')
        return answerOf(call, [await undoChange(call, undoers, targetOf(call, activity_id))])
      }
      if (activity_id !== undefined)
        throw new RequestError('invalid_request', 'Provide activity_id or since, not both.', {
          errors: [{ pointer: '/since', detail: 'is not allowed with activity_id' }],
        })
      return answerOf(call, await undoSince(call, undoers, await selectedBy(call, since, agent)))
    },
  })
}

function targetOf({ caller }: ToolCall, activityId: string | undefined): UndoTarget {
  return activityId === undefined
    ? { latestBy: caller.credential.id }
    : { activityId: activityNumber(activityId) }
}

/** Longer than any date in words. */
const MAX_SINCE_LENGTH = 60

/** @throws {RequestError} `invalid_request` when `since` is neither an ID nor a date; `not_found` for an unknown agent. */
async function selectedBy(
  { tx, caller, now }: Pick<WriteCall, 'tx' | 'caller' | 'now'>,
  since: string,
  name: string | undefined,
): Promise<ChangesByAgent> {
  const by =
    name === undefined
      ? { credentialId: caller.credential.id }
      : { agent: await requireAgentName(tx, name) }
  const id = parsePublicId('a', since)
  if (id !== undefined) {
    const first = await findChange(tx, id)
    if (first && name === undefined && first.credentialId !== caller.credential.id)
      throw notOwn(first)
    return { ...by, since: id }
  }
  const { timeZone } = caller
  const reading = readDateText(since, { timeZone, now }, 'latest-first')
  if (!reading.ok)
    throw invalidArgument('since', 'must be an activity_id or a date, for example a_12 or today')
  return { ...by, from: instantAt(timeZone, startOfDay(reading.day)) }
}

/** For a change of another author, from which only one's own changes would be undone. */
function notOwn({ activityId, actor, isByAgent }: ListedChange): RequestError {
  const id = publicActivityId(activityId)
  return new RequestError(
    'conflict',
    `${id} is a change by ${actor}, not yours. No changes were made.`,
    {
      hint: isByAgent
        ? `Add agent ${JSON.stringify(actor)} to undo its changes, or give the ID of your own first one.`
        : 'Give the ID of your own first change, from list_activity.',
    },
  )
}

async function answerOf({ tx }: Pick<WriteCall, 'tx'>, undos: readonly Undone[]) {
  const last = undos.at(-1)
  if (!last) throw new Error('nothing was undone')
  const entries = []
  for (const { change } of undos)
    entries.push({
      activity_id: publicActivityId(change.activityId),
      action: change.action,
      subject_id: change.subjectId,
      ...(await peopleOf(tx, change)),
      actor: change.actor,
      at: rfc3339(change.at),
    })
  const { items, end } = fittingOf(entries, MAX_UNDONE_LENGTH)
  const skipped = undos.flatMap((undo) => undo.skipped)
  return {
    activity_id: publicActivityId(last.undoId),
    undone: items,
    ...end,
    ...(skipped.length > 0 && {
      left_alone_count: skipped.length,
      left_alone: skipped.slice(0, MAX_SKIPPED_LISTED),
    }),
  }
}

async function peopleOf(reader: MemberReader, change: ListedChange) {
  const names = await namesOf(reader, change)
  return names.length > 0 ? { names: [...names] } : {}
}

const MAX_SKIPPED_LISTED = 20
/** Characters of JSON; with what was left alone they fit into one answer. */
const MAX_UNDONE_LENGTH = 15_000
