/** What a route declares about its request body. */

import type { TSchema } from 'typebox'

/** A JSON body, checked against its schema before the handler sees it. */
export interface JsonBody<S extends TSchema = TSchema> {
  readonly kind: 'json'
  readonly schema: S
  readonly maxBytes: number
}

/** A body that the handler parses itself. The schemas, by content type, only document the API. */
export interface UncheckedBody {
  readonly content?: Readonly<Record<string, TSchema>>
}

// A complete body with one of these content types. `*/*` leaves the check to the handler.
export interface BytesBody extends UncheckedBody {
  readonly kind: 'bytes'
  readonly types: readonly string[]
  readonly maxBytes: number
}
