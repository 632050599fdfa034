/** The limits that a member sets for one agent: for an OAuth grant or an API token. */

import * as Type from '../base/type.ts'
import { DAY, rfc3339 } from '../base/clock.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, serviceStatement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import { NO_LIMITS, type AgentLimits } from '../http/caller.ts'
import type { Static } from 'typebox'
import type { MemberReader, MemberTransaction, Transaction } from '../db/database.ts'

interface LimitedCredential {
  readonly credentialId: string
  /** Client of a grant; null for an API token. */
  readonly clientId: string | null
}

/** The columns of `agent_limits` that `limitsOf` reads. All are null in the result of a left join without a row. */
export const LIMIT_COLUMNS = asProperties(
  'l.read_only, l.tool_groups, l.withholds_text, l.monthly_credits, l.ends_at',
)

export interface LimitRow extends Pick<AgentLimits, 'monthlyCredits' | 'endsAt'> {
  readonly readOnly: number | null
  readonly toolGroups: string | null
  readonly withholdsText: number | null
}

export function limitsOf(row: LimitRow): AgentLimits {
  const { readOnly, toolGroups, withholdsText, monthlyCredits, endsAt } = row
  return {
    readOnly: readOnly === 1,
    groups: toolGroups === null ? null : toolGroups.split(','),
    withholdsText: withholdsText === 1,
    monthlyCredits,
    endsAt,
  }
}

/** Whether any limit is set. */
export function isLimited(limits: AgentLimits): boolean {
  const { readOnly, groups, withholdsText, monthlyCredits, endsAt } = limits
  return readOnly || groups !== null || withholdsText || monthlyCredits !== null || endsAt !== null
}

export const PublishedLimits = Type.Closed(
  {
    read_only: Type.Optional(Type.Boolean()),
    tools: Type.Optional(Type.Array(Type.String(), { description: 'Groups of tools' })),
    free_text: Type.Optional(Type.String({ description: 'withheld: notes and other free text' })),
    monthly_credits: Type.Optional(Type.Integer()),
    ends_at: Type.Optional(Type.String()),
  },
  { description: 'What the member allows this agent; {}: everything' },
)

/** The limits of an agent, as tools and `/agent/identity` report them. */
export function publishedLimits(limits: AgentLimits): Static<typeof PublishedLimits> {
  const { readOnly, groups, withholdsText, monthlyCredits, endsAt } = limits
  return {
    ...(readOnly && { read_only: true }),
    ...(groups !== null && { tools: [...groups] }),
    ...(withholdsText && { free_text: 'withheld' }),
    ...(monthlyCredits !== null && { monthly_credits: monthlyCredits }),
    ...(endsAt !== null && { ends_at: rfc3339(endsAt) }),
  }
}

/** Replaces the limits of a credential. Credits that it spent in this month count toward a new budget. */
export async function saveLimits(
  tx: MemberTransaction,
  { credentialId, clientId }: LimitedCredential,
  limits: AgentLimits,
  now: number,
): Promise<void> {
  await tx.run(LOCK_ACCOUNT, {})
  const row = {
    credential_id: credentialId,
    client_id: clientId,
    read_only: limits.readOnly ? 1 : 0,
    tool_groups: limits.groups === null ? null : limits.groups.join(','),
    withholds_text: limits.withholdsText ? 1 : 0,
    monthly_credits: limits.monthlyCredits,
    ends_at: limits.endsAt,
    changed_at: now,
    spent: 0,
    spent_in: null,
  }
  await insertRow(tx, 'agent_limits', row, 'replace')
}

/** The limits of a credential; none if the member set none. */
export async function findLimits(reader: MemberReader, credentialId: string): Promise<AgentLimits> {
  const row = await reader.get(BY_CREDENTIAL, { credential_id: credentialId })
  return row ? limitsOf(row) : NO_LIMITS
}

/** By credential ID, including ended credentials. */
export async function listLimits(reader: MemberReader): Promise<ReadonlyMap<string, AgentLimits>> {
  const rows = await reader.all(ALL, {})
  return new Map(rows.map((row) => [row.credential_id, limitsOf(row)]))
}

/** The limits that the member last set for this client; undefined if it was never connected. */
export async function findLimitsOfClient(
  reader: MemberReader,
  clientId: string,
): Promise<AgentLimits | undefined> {
  const row = await reader.get(LATEST_OF_CLIENT, { client_id: clientId })
  return row && limitsOf(row)
}

const REMEMBERED = 365 * DAY

/** Deletes limits of ended credentials that last changed a year ago. Returns how many. */
export async function sweepAgentLimits(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { before: now - REMEMBERED })
}

/** A no-op that locks the row, so that no charge is counted against limits that are being replaced. */
const LOCK_ACCOUNT = memberStatement()(
  'update credit_accounts set remaining = remaining where member_id = :member_id',
)

/** By the primary key, like the next statement. */
const BY_CREDENTIAL = memberStatement<{ credential_id: string }, LimitRow>()(`
  select ${LIMIT_COLUMNS} from agent_limits l
  where l.member_id = :member_id and l.credential_id = :credential_id`)

const ALL = memberStatement<object, LimitRow & { readonly credential_id: string }>()(`
  select l.credential_id, ${LIMIT_COLUMNS} from agent_limits l where l.member_id = :member_id`)

/** By agent_limits_by_client. */
const LATEST_OF_CLIENT = memberStatement<{ client_id: string }, LimitRow>()(`
  select ${LIMIT_COLUMNS} from agent_limits l
  where l.member_id = :member_id and l.client_id = :client_id
  order by l.changed_at desc, l.credential_id desc limit 1`)

/** By agent_limits_by_change. */
const SWEEP = serviceStatement<{ before: number }>(`
  delete from agent_limits where (member_id, credential_id) in (
    select l.member_id, l.credential_id from agent_limits l
    where l.changed_at <= :before
      and not exists (select 1 from grants g where g.member_id = l.member_id and g.grant_id = l.credential_id)
      and not exists (select 1 from api_tokens t where t.token_id = l.credential_id and t.revoked_at is null)
    order by l.changed_at limit ${SWEEP_BATCH})`)
