/** Cloud agents: a member's agents that run on servers. API tokens are created for them by name. */

import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { ENDED_RETENTION_MS } from './api-token.ts'
import { checkVisibleName } from './validate-name.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

export interface CloudAgent {
  readonly agentId: string
  readonly name: string
  readonly createdAt: number
}

/** By name. */
export async function listCloudAgents(reader: MemberReader): Promise<CloudAgent[]> {
  return reader.all(LIVE, {})
}

/**
 * @throws {RequestError} `conflict` when the name is in use.
 * @throws {RequestError} `invalid_request` when the name has no visible characters.
 */
export async function createCloudAgent(
  tx: MemberTransaction,
  givenName: string,
  now: number,
): Promise<CloudAgent> {
  const name = checkVisibleName(givenName, 'A cloud agent')
  if (await tx.get(BY_NAME, { name }))
    throw new RequestError(
      'conflict',
      `A cloud agent named “${name}” already exists. Choose another name.`,
    )
  const agent = { agentId: newId('agent'), name, createdAt: now }
  await insertRow(tx, 'cloud_agents', { agent_id: agent.agentId, name, created_at: now })
  return agent
}

/** The agent with this exact name, without spaces around it. */
export async function findCloudAgent(
  reader: MemberReader,
  name: string,
): Promise<CloudAgent | undefined> {
  return reader.get(BY_NAME, { name: name.trim() })
}

/** Revokes its tokens immediately. Returns false if the agent does not exist. */
export async function removeCloudAgent(
  tx: MemberTransaction,
  agentId: string,
  now: number,
): Promise<boolean> {
  if ((await tx.run(REMOVE, { agent_id: agentId, now })) === 0) return false
  await tx.run(REVOKE_TOKENS, { agent_id: agentId, now })
  return true
}

const COLUMNS = asProperties('agent_id, name, created_at')

/** By cloud_agents_by_name, like BY_NAME. All other statements use the primary key. */
const LIVE = memberStatement<object, CloudAgent>()(`
  select ${COLUMNS} from cloud_agents
  where member_id = :member_id and removed_at is null order by name`)

const BY_NAME = memberStatement<{ name: string }, CloudAgent>()(`
  select ${COLUMNS} from cloud_agents
  where member_id = :member_id and name = :name and removed_at is null`)

const REMOVE = memberStatement<{ agent_id: string; now: number }>()(`
  update cloud_agents set removed_at = :now
  where member_id = :member_id and agent_id = :agent_id and removed_at is null`)

/** By api_tokens_by_member_and_name: a member has few. */
const REVOKE_TOKENS = memberStatement<{ agent_id: string; now: number }>()(`
  update api_tokens set revoked_at = :now
  where member_id = :member_id and agent_id = :agent_id and revoked_at is null`)

/** Deletes cloud agents that were removed at least 90 days ago. By cloud_agents_by_removal. */
export const sweepCloudAgents = sweepOf(
  'cloud_agents',
  'member_id, agent_id',
  'removed_at',
  ENDED_RETENTION_MS,
)
