/** The follow-ups that a call names: by their IDs, or all that are open or overdue. */

import * as Type from '../../base/type.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { publicIdPattern } from '../../base/public-id.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { dueBefore, listFollowUps } from './follow-up-list.ts'
import { requireFollowUp, type FollowUp } from './follow-ups.ts'
import type { WriteCall } from '../../tools/tool.ts'

const MAX_FOLLOW_UPS = 100
const WORDS: ReadonlySet<string> = new Set(['open', 'overdue'])

/** As a tool argument. */
export const FollowUpRefs = Type.Array(
  Type.String({
    pattern: `${publicIdPattern('f')}|^(?:${[...WORDS].join('|')})$`,
    examples: ['f_999999'],
  }),
  {
    minItems: 1,
    maxItems: MAX_FOLLOW_UPS,
    description: 'f_… from list_follow_ups; or "overdue" or "open", of people or all',
  },
)

interface Selected {
  readonly followUps: readonly FollowUp[]
  /** Whether the people of the call were used to select them. */
  readonly byPeople: boolean
}

/**
 * @throws {RequestError} `not_found` when one does not exist, or none is open or overdue.
 * @throws {RequestError} `conflict` when there are too many.
 */
export async function selectFollowUps(
  call: Pick<WriteCall, 'tx' | 'now' | 'caller'>,
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
  { tx, now, caller }: Pick<WriteCall, 'tx' | 'now' | 'caller'>,
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
    found.push(...page.followUps.map(({ followUp }) => followUp))
  }
  return found
}
