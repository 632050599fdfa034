/** Members who have signed in and connected an agent, for the tests of their pages. */

import assert from 'node:assert/strict'
import { mintApiToken } from '../access/api-token.ts'
import { openWorld as openService } from './integrations/integrations-fixture.ts'
import type { TestService } from '../../test/support/service.ts'
import type { Visitor } from '../../test/support/visitor.ts'

export interface World extends AsyncDisposable {
  readonly service: TestService
  join(username: string): Promise<Person>
}

export interface Person {
  readonly memberId: number
  readonly visitor: Visitor
  /** What a tool answers to this member's agent, whose token is called `Claude`. */
  ask(tool: string, input?: object): Promise<Readonly<Record<string, unknown>>>
}

export async function openWorld(): Promise<World> {
  const world = await openService()
  const { service } = world
  return {
    service,
    async join(username) {
      const person = await world.join(username)
      const { memberId, visitor } = person
      // Not by the page: the activity of these tests begins with what the agent does.
      const claude = { name: 'Claude', holder: 'ai_client', lifetimeDays: null } as const
      const { secret: token } = await service.database
        .member(memberId)
        .write((tx) => mintApiToken(tx, claude, service.clock.now()))
      return {
        memberId,
        visitor,
        ask: (tool, input = {}) => askTool(service.url, token, tool, input),
      }
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** The output of a tool call that succeeds. */
export async function askTool(
  url: string,
  token: string,
  tool: string,
  input: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: input },
    }),
  })
  const { result } = (await response.json()) as { result?: ToolResult }
  assert.ok(result?.isError !== true, JSON.stringify(result))
  return result?.structuredContent ?? {}
}

interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: Readonly<Record<string, unknown>>
}
