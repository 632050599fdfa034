/** Finds the agent that a caller names among the agents in the member's activity log. */

import { RequestError } from '../../base/request-error.ts'
import { normalize } from '../../base/tokenize.ts'
import * as Type from '../../base/type.ts'
import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'

/** As a tool argument. */
export function AgentName(description: string) {
  return Type.String({
    pattern: '\\S',
    maxLength: MAX_LENGTH,
    description,
    examples: ['Cursor'],
  })
}

/** The longest name of an agent fits. */
const MAX_LENGTH = 200

/**
 * The name as the log has it: capitals do not matter, and the beginning is enough if only one agent has it.
 *
 * @throws {RequestError} `not_found` when no agent or several agents match. The hint lists the agents.
 */
export async function requireAgentName(reader: MemberReader, text: string): Promise<string> {
  const agents = (await reader.all(AGENTS, {})).map(({ actor }) => actor)
  if (agents.includes(text)) return text
  const wanted = normalize(text).trim()
  const same = agents.filter((agent) => normalize(agent) === wanted)
  const found = same.length > 0 ? same : agents.filter((one) => normalize(one).startsWith(wanted))
  const [agent, ...others] = found
  if (agent !== undefined && others.length === 0) return agent
  const listed = (others.length > 0 ? found : agents).slice(0, MAX_LISTED)
  throw new RequestError(
    'not_found',
    others.length > 0
      ? `More than one agent matches ${JSON.stringify(text)}.`
      : `No agent named ${JSON.stringify(text)} is in the activity log.`,
    {
      hint:
        listed.length > 0
          ? `Agents: ${listed.map((name) => JSON.stringify(name)).join(', ')}.`
          : 'No agent has changed anything.',
    },
  )
}

const MAX_LISTED = 20

/** Reads the member's whole log, which `MAX_CHANGES` limits. */
const AGENTS = memberStatement<object, { actor: string }>()(`
  select distinct actor from activity
  where member_id = :member_id and credential_id is not null order by actor`)
