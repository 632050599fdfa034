/** Pauses a device that changes too many people within an hour. */

import { pauseDevice } from '../../access/device-password.ts'
import { memberStatement } from '../../db/statement.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { countRecentChanges } from './device-changes.ts'
import type { WriteProblem } from '../../dav/book.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { DeviceCaller } from '../../http/caller.ts'

/** When a device changes this many people within an hour, its changes wait for the member. Null switches the rule off. */
export interface BurstRule {
  readonly people: number
  /** Share of the network. */
  readonly percent: number
}

/** The device that changes cards, and the rule for its bursts. */
export interface CardWriter {
  readonly device: DeviceCaller
  readonly burst: BurstRule | null
  readonly now: number
}

/** Pauses a device that changes too many people, and tells the member. What it changed before stays, and can be undone. */
export async function burstProblem(
  tx: MemberTransaction,
  people: number,
  { device, burst, now }: CardWriter,
): Promise<WriteProblem | undefined> {
  if (!burst) return undefined
  const { id, name } = device.credential
  const changed = (await countRecentChanges(tx, id, now)) + people
  if (changed <= burst.people) return undefined
  const all = (await tx.get(COUNT, {}))?.people ?? 0
  if (changed <= (all * burst.percent) / 100) return undefined
  if (await pauseDevice(tx, id, now))
    await recordSecurityEvent(tx, { event: 'device_paused', actor: name, details: { name } }, now)
  return { code: 'paused' }
}

const COUNT = memberStatement<object, { people: number }>()(`
  select count(*) as people from connections
  where member_id = :member_id and deleted_at is null`)
