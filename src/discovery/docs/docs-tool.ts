/** A free, anonymous tool: its schemas and implementation. */

import { RequestError } from '../../base/request-error.ts'
import { checkSchema } from '../../base/schema.ts'
import { errorResult, successResult } from '../../mcp/protocol/call-result.ts'
import type { Static, TSchema } from 'typebox'
import type { ToolCallOutcome, ToolListing } from '../../mcp/protocol/tool-messages.ts'

export interface DocsTool {
  readonly listing: ToolListing
  call(input: unknown): ToolCallOutcome
}

interface DocsToolDefinition<Input extends TSchema, Output extends TSchema> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  run(input: Static<Input>): Static<Output>
}

export function docsTool<const Input extends TSchema, const Output extends TSchema>(
  definition: DocsToolDefinition<Input, Output>,
): DocsTool {
  const { name, title, description, input, output } = definition
  return {
    listing: {
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      annotations: READS,
    },
    call(given) {
      const checked = checkSchema(input, given)
      if (!checked.ok) {
        const errors = checked.problems
        return failure(
          new RequestError('invalid_request', `Invalid arguments for ${name}.`, { errors }),
        )
      }
      try {
        return { kind: 'serialized', ...successResult(definition.run(checked.value)) }
      } catch (error) {
        if (error instanceof RequestError) return failure(error)
        throw error
      }
    },
  }
}

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

function failure({ code, message, details: { hint, errors } }: RequestError): ToolCallOutcome {
  const error = {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(errors !== undefined && { errors }),
  }
  return { kind: 'serialized', ...errorResult(error) }
}
