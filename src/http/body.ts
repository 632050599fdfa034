/** What a route declares about the request body it accepts. */

import type { TSchema } from 'typebox'

/** A JSON body, checked against its schema before the handler sees it. */
export interface JsonBody<S extends TSchema = TSchema> {
  readonly kind: 'json'
  readonly schema: S
  readonly maxBytes: number
}

/** A body that the handler itself reads: what it is to hold, by content type, for the description of the API alone. */
export interface UncheckedBody {
  readonly content?: Readonly<Record<string, TSchema>>
}

// A body of one of the content types, whole. The type `*/*` leaves the judgement to the handler.
export interface BytesBody extends UncheckedBody {
  readonly kind: 'bytes'
  readonly types: readonly string[]
  readonly maxBytes: number
}
