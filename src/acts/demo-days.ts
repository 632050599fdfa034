/** What lately happened in the demo account, and what is ahead: calls of tools at times relative to now. */

import { NO_LIMITS, type Caller } from '../http/caller.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { readDataLines } from '../base/data-file.ts'
import { daysLater } from '../dates/calendar-day.ts'
import { dayInZone, localTimeAt } from '../dates/time-zone.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import { keepInTouchTool } from '../connections/cadence/keep-in-touch.tool.ts'
import { saveFollowUpTool } from '../connections/follow-ups/save-follow-up.tool.ts'
import { logInteractionTool } from '../connections/interactions/log-interaction.tool.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { saveView } from '../connections/people/saved-views.ts'
import { addConnectionsTool } from '../connections/people/add-connections.tool.ts'
import { updateConnectionsTool } from '../connections/people/update-connections.tool.ts'
import { importDemoFile } from './demo-import.ts'
import { recordChange } from '../tools/activity.ts'
import { readArguments } from '../tools/arguments/read-arguments.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Tool } from '../tools/tool.ts'

const TOOLS: readonly Tool[] = [
  addConnectionsTool,
  keepInTouchTool,
  logInteractionTool,
  saveFollowUpTool,
  saveNoteTool,
  updateConnectionsTool,
]

const TIME_ZONE = 'Europe/Stockholm'

const VIEWS = [
  { name: 'Berlin investors', query: 'place=Berlin&tag=investor' },
  { name: 'Climate', query: 'tag=climate' },
  { name: 'Silent for half a year', query: 'has=contact&silent=180&sort=contact' },
]

/** Hours ago, who, the tool and its arguments. */
type DemoCall = readonly [hours: number, by: string, tool: string, input: object]

/** Fills the network of `seedNetwork` with life. */
export async function seedDays(tx: MemberTransaction, now: number): Promise<void> {
  for (const view of VIEWS) await saveView(tx, view, now)
  for (const line of readDataLines(new URL('../connections/demo/data/days.jsonl', import.meta.url)))
    await call(tx, now, JSON.parse(line) as DemoCall)
}

async function call(tx: MemberTransaction, now: number, demoCall: DemoCall): Promise<void> {
  const [hours, by, name, given] = demoCall
  const at = workingTime(Math.round(now - hours * HOUR))
  if (name === 'import') return importDemoFile(tx, at)
  const tool = TOOLS.find((one) => one.name === name)
  if (tool?.effect === undefined || tool.effect === 'read') throw new Error(`no tool ${name}`)
  const caller = callerOf(tx.memberId, by)
  const input = readArguments(tool, withDays(given, now), { now: at, timeZone: TIME_ZONE })
  if (!input.ok)
    throw new Error(`${JSON.stringify(demoCall)}: ${JSON.stringify(input.explanation)}`)
  const isOwn = by === 'you'
  const author = {
    credentialId: isOwn ? null : caller.credential.id,
    actor: isOwn ? DEMO_MEMBER.name : by,
    now: at,
  }
  await tool.run(
    {
      caller,
      now: at,
      signal: new AbortController().signal,
      quota: 0,
      tx,
      record: (change) => recordChange(tx, author, change),
    },
    input.value,
  )
}

/** Minutes of the day between which most things happen. */
const [FIRST, LAST, END] = [8 * 60, 18 * 60, 19 * 60]
const DAY_MINUTES = 24 * 60

/** A time in working hours or shortly after them, in the same order: the nights are an hour long. Never later. */
export function workingTime(at: number): number {
  const local = Math.floor((localTimeAt(TIME_ZONE, at) % DAY) / MINUTE)
  const sinceFirst = (local - FIRST + DAY_MINUTES) % DAY_MINUTES
  const day = END - FIRST
  const shown =
    sinceFirst < day
      ? (sinceFirst * (LAST - FIRST)) / day
      : LAST - FIRST + ((sinceFirst - day) * (END - LAST)) / (DAY_MINUTES - day)
  return at - Math.round(sinceFirst - shown) * MINUTE
}

/** `@3` becomes the day three days from now, and `@3*` its month and day. */
function withDays(given: object, now: number): unknown {
  return JSON.parse(JSON.stringify(given), (_key, value: unknown) => {
    const [, days, birthday] =
      typeof value === 'string' ? (/^@(-?\d+)(\*?)$/.exec(value) ?? []) : []
    if (days === undefined) return value
    const day = daysLater(dayInZone(TIME_ZONE, now), Number(days))
    return birthday === '*' ? `--${day.slice(5)}` : day
  })
}

function callerOf(memberId: number, name: string): Caller {
  const { username, name: member } = DEMO_MEMBER
  const credential = {
    id: `demo-${name.toLowerCase()}`,
    kind: 'oauth_access_token',
    name,
    holder: 'ai_client',
    agent: name,
    clientId: null,
    createdAt: 0,
    expiresAt: null,
  } as const
  return { memberId, username, name: member, timeZone: TIME_ZONE, credential, limits: NO_LIMITS }
}
