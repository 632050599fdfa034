/** The interface between the protocol and resources: listing, reading and result. */

import type { JsonObject, RpcError } from './json-rpc.ts'
import type { InputRequired, Inputs } from './input-required.ts'

interface Described {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Omitted for a file, and if it differs between resources of a template. */
  readonly mimeType?: string
}

/** MCP 2026-07-28, schema: Resource. */
export interface ResourceListing extends Described {
  readonly uri: string
}

/** MCP 2026-07-28, schema: ResourceTemplate. */
interface ResourceTemplateListing extends Described {
  /** RFC 6570, with simple expressions only: `weft://connections/{id}`. */
  readonly uriTemplate: string
}

export interface ResourceRequest {
  readonly uri: string
  readonly inputs: Inputs
  /** Modern era only, where a closed connection cancels the request. */
  readonly signal: AbortSignal | undefined
}

export type ResourceOutcome =
  | InputRequired
  | {
      readonly kind: 'contents'
      /** At least one. */
      readonly contents: readonly JsonObject[]
      readonly meta?: object
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'error'; readonly error: RpcError }

/** The readable resources of a server. The lists are the same for every caller. */
export interface ResourceProvider<Caller> {
  readonly list: readonly ResourceListing[]
  readonly templates: readonly ResourceTemplateListing[]
  read(caller: Caller, request: ResourceRequest): Promise<ResourceOutcome>
}
