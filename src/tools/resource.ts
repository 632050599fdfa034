/** A resource is a record: a URI, or a template of URIs, under which clients read what a tool answers. */

import type { CompleteArgument } from './completion.ts'
import type { Tool } from './tool.ts'

export interface Resource {
  /** RFC 6570; a template has simple expressions alone, as in `weft://connections/{id}`. */
  readonly uri: string
  /** kebab-case. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Reading is a call of this tool, at the tool's own price: no resource is a way around the credits. */
  readonly tool: Tool
  /** The tool's arguments, from the variables of the template; they are checked as in any call. */
  argumentsOf(variables: Readonly<Record<string, string>>): object
  /** Of variables, by name. */
  readonly complete?: Readonly<Record<string, CompleteArgument>>
}

export function defineResource(resource: Resource): Resource {
  return resource
}
