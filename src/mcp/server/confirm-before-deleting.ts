/**
 * Asks the person before a tool deletes or merges, if their client can show a form (MCP 2025-11-25 and 2026-07-28,
 * client/elicitation).
 * Other clients are never asked. A call with a stored response is replayed without asking again.
 */

import { RequestError } from '../../base/request-error.ts'
import { findAnswer } from '../../guards/idempotency-record.ts'
import { readArguments } from '../../tools/arguments/read-arguments.ts'
import { takesForms } from '../protocol/client-capabilities.ts'
import { errorResult } from '../protocol/call-result.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { Database, MemberDatabase } from '../../db/database.ts'
import type { MeteredCall } from '../../tools/run-tool-types.ts'
import type { Tool } from '../../tools/tool.ts'
import type { InputRequired } from '../protocol/input-required.ts'
import type { ToolCallOutcome, ToolCallRequest } from '../protocol/tool-messages.ts'

/** The key of the question and its response. */
const KEY = 'confirm'

type Requested = Pick<ToolCallRequest, 'arguments' | 'clientCapabilities' | 'inputs'>

/** Undefined if the tool can run: nothing to ask, or the person agreed. */
export async function confirmFirst(
  { database }: { readonly database: Database },
  tool: Tool,
  call: MeteredCall,
  { arguments: given, clientCapabilities, inputs }: Requested,
): Promise<ToolCallOutcome | undefined> {
  if (tool.effect === 'read' || !tool.question || !takesForms(clientCapabilities)) return undefined
  const response = inputs.responses[KEY]
  if (response && isAgreement(response)) return undefined
  const db = database.member(call.caller.memberId)
  if (call.once && (await findAnswer(db, call.once, call.now)) !== undefined) return undefined
  if (response) return notConfirmed(tool, response)
  const question = await questionOf(db, tool, call, given)
  return question === undefined ? undefined : ask(question)
}

/** Undefined for arguments that the tool will reject. */
async function questionOf(
  db: MemberDatabase,
  tool: Tool & { readonly effect: 'write' | 'destructive' },
  { caller: { timeZone }, now }: MeteredCall,
  given: unknown,
): Promise<string | undefined> {
  const read = readArguments(tool, given, { timeZone, now })
  if (!read.ok) return undefined
  try {
    return await tool.question?.(db, read.value)
  } catch (error) {
    if (error instanceof RequestError && error.status < 500) return undefined
    throw error
  }
}

function ask(message: string): InputRequired {
  const confirm = { type: 'boolean', title: 'Yes, go ahead', default: true }
  const requestedSchema = { type: 'object', properties: { [KEY]: confirm } }
  const params = { mode: 'form', message, requestedSchema }
  return { kind: 'input-required', requests: { [KEY]: { method: 'elicitation/create', params } } }
}

/** Accepting the form is agreement, unless the box is cleared. */
function isAgreement({ action, content }: JsonObject): boolean {
  return action === 'accept' && !(isJsonObject(content) && content[KEY] === false)
}

/** Free and not stored, so that the person can be asked again. */
function notConfirmed({ name }: Tool, { action }: JsonObject): ToolCallOutcome {
  const what = action === 'cancel' ? 'The person closed the question' : 'The person declined'
  return {
    kind: 'serialized',
    ...errorResult({
      code: 'not_confirmed',
      message: `${what}, so ${name} was not run. No changes were made, and no credits charged.`,
      hint: 'Do not call it again unless the person asks for it.',
    }),
  }
}
