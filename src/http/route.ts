/** A route is a record: what it answers, to whom, and how. Everything that lists routes reads these records. */

import type { Static, TSchema } from 'typebox'
import type { Answer } from './response.ts'
import type { Caller } from './caller.ts'
import type { Deprecation } from './deprecation.ts'
import type { FileForm } from './multipart-form.ts'
import type { RequestError } from '../base/request-error.ts'
import type { LimitPolicy } from './rate-limit-policy.ts'
import type { SignedInRequest, BrowserRequest } from './browser-request.ts'
import type { JsonBody, UncheckedBody, BytesBody } from './body.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `public`: anyone. `bearer`: a caller with a live token; anyone else gets the 401 challenge. `browser`: a person's
 * browser, signed in or not. `session`: a signed-in one; any other is sent to sign in.
 */
export type Access = 'public' | 'bearer' | 'browser' | 'session'

/** The bytes of a body of any content type, as they arrive. Past `maxBytes` the stream fails with a 413. */
export interface StreamBody extends UncheckedBody {
  readonly kind: 'stream'
  readonly maxBytes: number
}

/** `application/x-www-form-urlencoded`. From a browser it carries the visitor's `form_token`. */
export interface FormBody {
  readonly kind: 'form'
  readonly maxBytes: number
  /** What the form is to hold, for the description of the API alone. */
  readonly fields?: TSchema
}

/** `multipart/form-data` with a file, which the handler reads. From a browser its fields begin with the `form_token`. */
export interface FileFormBody extends UncheckedBody {
  readonly kind: 'file-form'
  readonly maxBytes: number
}

export type Body = JsonBody | BytesBody | StreamBody | FormBody | FileFormBody

type BodyValue<B> =
  B extends JsonBody<infer S>
    ? Static<S>
    : B extends BytesBody
      ? Uint8Array
      : B extends StreamBody
        ? AsyncIterable<Uint8Array>
        : B extends FormBody
          ? URLSearchParams
          : B extends FileFormBody
            ? FileForm
            : undefined

type Checked<S> = S extends TSchema ? Static<S> : object

export interface RouteRequest<P = unknown, Q = unknown, B = unknown, A = Access> {
  readonly params: Checked<P>
  readonly query: Checked<Q>
  readonly body: BodyValue<B>
  readonly caller: A extends 'bearer' ? Caller : undefined
  readonly browser: A extends 'session'
    ? SignedInRequest
    : A extends 'browser'
      ? BrowserRequest
      : undefined
  /** The query string as it was sent, without its question mark. */
  readonly search: string
  /** The client's address, an IPv6 one as its /64 network. */
  readonly address: string
  readonly requestId: string
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Whether the answer may be an event stream; an item of a batch may not. */
  readonly streamable: boolean
  /** Fires when the caller has gone. */
  readonly signal: AbortSignal
}

export interface RouteDefinition<P, Q, B, A extends Access> {
  readonly method: Method
  /** With `:name` for a parameter, as in `/api/human/:username.md`. */
  readonly path: string
  /** Unique, for the OpenAPI description. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly access: A
  readonly params?: P
  readonly query?: Q
  /** Query parameters that the handler itself reads and checks; for the API description only. */
  readonly uncheckedQuery?: TSchema
  readonly body?: B
  /** Every status it answers on purpose, with the schema of its JSON or the content type of its text. */
  readonly answers: Readonly<Record<number, AnswerDescription>>
  /** How often it may be asked; the answers carry what is left. */
  readonly limit?: LimitPolicy
  /** Says so in every answer; a path that is supported has none. */
  readonly deprecated?: Deprecation
  /** Answers whoever asked too often, where the refusal depends on the body. `retryAfter` in seconds. */
  whenLimited?(request: { readonly body: BodyValue<B> }, retryAfter: number): Answer
  /** How its refusals are written; as problem documents unless said otherwise. */
  readonly refuse?: ErrorResponder
  /** Honours `Idempotency-Key`: the first answer is replayed to whoever sends the same again. */
  readonly idempotent?: boolean
  /** An anonymous read that may be an item of `POST /api/batch`. */
  readonly batchable?: boolean
  /** A route for browsers that belongs in the API description, because clients send people there. */
  readonly described?: boolean
  /** The path that this one repeats, as `/sandbox/ask` does `/ask`. */
  readonly copyOf?: string
  /** A page at an address that programs use by another method: lists for programs leave it out. */
  readonly forPeople?: boolean
  /** Answers at its path with a slash at the end as well: an address that people paste into clients. */
  readonly trailingSlash?: boolean
  /** Answered before the framework: a GET whose one parameter ends its path. For the few hottest reads. */
  readonly hot?: boolean
  handle(request: RouteRequest<P, Q, B, A>): Promise<Answer>
}

/** A route's path as RFC 6570 and OpenAPI write it: `/api/human/{username}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:([a-z_]+)/g, '{$1}')
}

export type ErrorResponder = (refusal: RequestError, requestId: string) => Answer

export interface AnswerDescription {
  readonly description: string
  /** Of its JSON. */
  readonly schema?: TSchema
  /** What its text is, beside the JSON where there is a schema too; `problem` for a problem document. */
  readonly type?: string | readonly string[]
  /** Headers that belong to this very answer, as clients of the API have to know them. */
  readonly headers?: readonly AnswerHeader[]
}

export type AnswerHeader = 'ETag' | 'Link' | 'Location' | 'Retry-After'

/** A route whose types were checked where it was defined. */
export type Route = RouteDefinition<
  TSchema | undefined,
  TSchema | undefined,
  Body | undefined,
  Access
>

export function defineRoute<
  const P extends TSchema | undefined = undefined,
  const Q extends TSchema | undefined = undefined,
  const B extends Body | undefined = undefined,
  const A extends Access = Access,
>(route: RouteDefinition<P, Q, B, A>): Route {
  // The assembly hands the handler only what it checked against these very schemas.
  return route
}
