/** A resource is a record: a URI or URI template that exposes a tool's result. */

import type { CompleteArgument } from './completion.ts'
import type { Tool } from './tool.ts'

export interface Resource {
  /** RFC 6570; templates use simple expressions only, as in `weft://connections/{id}`. */
  readonly uri: string
  /** kebab-case. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Reading calls this tool at its normal price, so resources do not bypass credits. */
  readonly tool: Tool
  /** Maps the template's variables to the tool's arguments, which are validated as in any call. */
  argumentsOf(variables: Readonly<Record<string, string>>): object
  /** The contents, if they are a file and not the tool's result as JSON. */
  readonly fileOf?: (output: object) => { readonly mimeType: string; readonly text: string }
  /** Completions by variable name. */
  readonly complete?: Readonly<Record<string, CompleteArgument>>
}

export function defineResource(resource: Resource): Resource {
  return resource
}
