/** The tools on the demo account, without a credential. Reads are free; writes are listed but rejected. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import {
  findAnonymousAnswer,
  recordAnonymousAnswer,
  REPLAYED,
} from '../guards/idempotency-record.ts'
import { findMemberByUsername } from '../members/member.ts'
import { rpcErrorOf } from '../mcp/protocol/http-errors.ts'
import { createToolServer, listingOf, type ToolServerDeps } from '../mcp/server/tool-server.ts'
import { defineReadTool, type Tool } from '../tools/tool.ts'
import type { Reader } from '../db/database.ts'
import type { RequestKey } from '../guards/idempotency-key.ts'
import { NO_LIMITS, type Caller, type Credential } from '../http/caller.ts'
import type { McpServer } from '../mcp/protocol/server.ts'
import type { ToolCallOutcome } from '../mcp/protocol/tool-messages.ts'

/** An anonymous request to the endpoint. */
export interface Visitor {
  readonly address: string
  readonly requestId: string
  /** Returns the key of the next call: each call of a batch has its own position under the key of the request. */
  readonly nextKey?: (() => RequestKey) | undefined
  /** Aborts when the connection closes. */
  readonly disconnected: AbortSignal
}

const INSTRUCTIONS =
  'This is the sandbox of Weft: the tools of the real service on a demo account, the network of an invented member ' +
  'with 200 invented people. No credential is needed. Reading is free here; the normal cost is ' +
  'weft/cost in the _meta of each tool. Tools that write are listed, but rejected with sandbox_read_only. Use search_connections to ' +
  'find people and get_connections to read one in full.'

export function createSandboxToolServer(deps: ToolServerDeps): McpServer<Visitor> {
  const server = createToolServer({ ...deps, tools: deps.tools.map(sandboxed) })
  return {
    serverInfo: { ...server.serverInfo, name: 'weft-sandbox', title: 'Weft sandbox' },
    instructions: INSTRUCTIONS,
    toolsList: deps.tools.map((tool) => listingOf(tool)),
    async callTool(visitor, call) {
      const { requestId, disconnected } = visitor
      // Before the first await, because the calls of a batch run concurrently and each must keep its position.
      const key = visitor.nextKey?.()
      try {
        const caller = await requireDemoCaller(deps.database)
        // A call with a key continues if the client disconnects, because a retry with the same key gets its response.
        const by = { caller, requestId, ...(!key && { disconnected }) }
        const answer = () => server.callTool(by, call)
        return key ? await answerKeyed(deps, key, answer) : await answer()
      } catch (error) {
        if (error instanceof RequestError)
          return { kind: 'error', error: rpcErrorOf(error, requestId) }
        throw error
      }
    },
    onInternalError: (error) => server.onInternalError(error),
  }
}

async function requireDemoCaller(database: Reader): Promise<Caller> {
  const member = await findMemberByUsername(database, DEMO_MEMBER.username)
  if (!member)
    throw new RequestError('unavailable', 'The demo account does not exist.', {
      hint: 'Ask the operator to create it with `weft demo seed`.',
    })
  const { memberId, username, name, joinedAt } = member
  const credential = { ...NO_CREDENTIAL, createdAt: joinedAt }
  return { memberId, username, name, timeZone: 'UTC', credential, limits: NO_LIMITS }
}

/** Used where tools expect a credential. */
export const NO_CREDENTIAL: Credential = {
  id: 'sandbox',
  kind: 'api_token',
  name: 'sandbox',
  holder: 'ai_client',
  agent: null,
  clientId: null,
  createdAt: 0,
  expiresAt: null,
}

/**
 * Stores only that the key was used, so that strangers cannot fill the database with responses. The demo data never
 * changes, so a retry computes the same response again.
 *
 * @throws {RequestError} `idempotency_key_reused` when the key was used for another request.
 */
async function answerKeyed(
  { database, clock }: ToolServerDeps,
  key: RequestKey,
  answer: () => Promise<ToolCallOutcome>,
): Promise<ToolCallOutcome> {
  const now = clock.now()
  const seen = await findAnonymousAnswer(database, key, now)
  const outcome = await answer()
  if (outcome.kind !== 'serialized') return outcome
  if (seen !== undefined) return { ...outcome, headers: REPLAYED }
  await database.write((tx) => recordAnonymousAnswer(tx, key, '', now))
  return outcome
}

/** Makes reads free, so that no one can use up the credits of the demo account, and rejects writes. */
function sandboxed(tool: Tool): Tool {
  if (tool.effect === 'read') return { ...tool, credits: 0 }
  const { name, title, description, output } = tool
  return defineReadTool({
    name,
    title,
    description,
    output,
    credits: 0,
    // Accepts any arguments, because correcting them would not help.
    input: Type.Unknown(),
    run: () => Promise.reject(readOnly(name)),
  })
}

function readOnly(name: string): RequestError {
  return new RequestError(
    'sandbox_read_only',
    `${name} writes data, and the sandbox is read-only.`,
    {
      hint: 'Call it at /mcp with the access token of a member. /auth.md describes how to get one.',
    },
  )
}
