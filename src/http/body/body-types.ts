/** What a route declares about its request body. */

import type { TSchema } from 'typebox'

/** A JSON body, checked against its schema before the handler sees it. */
export interface JsonBody<S extends TSchema = TSchema> {
  readonly kind: 'json'
  readonly schema: S
  readonly maxBytes: number
}

/** A body that the handler parses itself. The schemas, by content type, only document the API. */
interface UncheckedBody {
  readonly content?: Readonly<Record<string, TSchema>>
}

// A complete body with one of these content types. `*/*` leaves the check to the handler.
export interface BytesBody extends UncheckedBody {
  readonly kind: 'bytes'
  readonly types: readonly string[]
  readonly maxBytes: number
}

/** Any content type. Fails with a 413 beyond `maxBytes`. */
export interface StreamBody extends UncheckedBody {
  readonly kind: 'stream'
  readonly maxBytes: number
}

/** `application/x-www-form-urlencoded`, with the `form_token`. */
export interface FormBody {
  readonly kind: 'form'
  readonly maxBytes: number
  /** Fields, only for the API description. */
  readonly fields?: TSchema
}

/** `multipart/form-data`, parsed by the handler. Browsers must send `form_token` first. */
export interface FileFormBody extends UncheckedBody {
  readonly kind: 'file-form'
  readonly maxBytes: number
}

export type Body = JsonBody | BytesBody | StreamBody | FormBody | FileFormBody
