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
  /** Maps the template's variables to the tool's arguments, which are validated like those of any call. */
  argumentsOf(variables: Readonly<Record<string, string>>): object
  /** The contents, if they are a file instead of the tool's result as JSON. */
  readonly fileOf?: (output: object) => { readonly mimeType: string; readonly text: string }
  /** The part of the output whose changes subscribers are notified of; by default all of it. */
  readonly watched?: (output: object) => object
  /** The part of the tool's result that the resource is; by default all of it. */
  readonly partOf?: (output: object) => object
  /** The variables of a URI that fits; undefined for any other URI. */
  readonly match: Matcher
  /** Completions by variable name. */
  readonly complete?: Readonly<Record<string, CompleteArgument>>
}

export function defineResource(resource: Omit<Resource, 'match'>): Resource {
  return { ...resource, match: matcherOf(resource.uri) }
}

type Matcher = (uri: string) => Readonly<Record<string, string>> | undefined

/** The variables of a URI that fits the template; a variable is one segment, percent-decoded. */
function matcherOf(template: string): Matcher {
  const literal = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  // regex-ok: each variable has at most 200 characters and ends at a slash
  const pattern = new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]{1,200})')}$`)
  return (uri) => {
    const found = pattern.exec(uri)
    if (!found) return undefined
    try {
      const variables = Object.entries(found.groups ?? {})
      return Object.fromEntries(variables.map(([name, text]) => [name, decodeURIComponent(text)]))
    } catch {
      return undefined // not percent-encoding: no URI (RFC 3986 section 2.1)
    }
  }
}
