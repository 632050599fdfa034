/** The data of the page: everything with access to a member's network, and its number of calls. */

import { listLimits } from '../../access/agent-limits.ts'
import { listApiTokens, type ApiToken } from '../../access/api-token.ts'
import { listCloudAgents, type CloudAgent } from '../../access/cloud-agent.ts'
import { periodOf } from '../../credits/account-row.ts'
import { countCalls } from '../../credits/usage.ts'
import { listGrants, type Grant } from '../../oauth/grant.ts'
import type { AgentLimits } from '../../http/caller.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Times } from '../ui/time.ts'

export interface AgentAccess {
  readonly grants: readonly Grant[]
  readonly tokens: readonly ApiToken[]
  readonly cloudAgents: readonly CloudAgent[]
  /** Charged calls of this calendar month (UTC), by grant or token. */
  readonly calls: ReadonlyMap<string, number>
  /** By grant or token; those without an entry have none. */
  readonly limits: ReadonlyMap<string, AgentLimits>
}

/** What else the sections need: the form token and the time formatters. */
export interface SectionContext {
  readonly formToken: string
  readonly times: Times
}

export async function readAgentAccess(db: MemberDatabase, now: number): Promise<AgentAccess> {
  const [grants, tokens, cloudAgents, calls, limits] = await Promise.all([
    listGrants(db, now),
    listApiTokens(db),
    listCloudAgents(db),
    countCalls(db.heavy, periodOf(now).periodStart),
    listLimits(db),
  ])
  return { grants, tokens, cloudAgents, calls, limits }
}
