/** A free, anonymous tool: its schemas and implementation. */

import { RequestError } from '../../base/request-error.ts'
import { errorResult, successResult } from '../../mcp/protocol/call-result.ts'
import { publishedOutput, publishedSchema } from '../../tools/arguments/published-schema.ts'
import { readArguments } from '../../tools/arguments/read-arguments.ts'
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
      inputSchema: publishedSchema(input),
      outputSchema: publishedOutput(output),
      annotations: { title, ...READS },
    },
    call(given) {
      const read = readArguments(definition, given, NO_DATES)
      if (!read.ok) {
        const { message, hint, errors } = read.explanation
        return failure(new RequestError('invalid_request', message, { hint, errors }))
      }
      try {
        return { kind: 'serialized', ...successResult(definition.run(read.value)) }
      } catch (error) {
        if (error instanceof RequestError) return failure(error)
        throw error
      }
    },
  }
}

/** No document tool takes a date. */
const NO_DATES = { timeZone: 'UTC', now: 0 }

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
