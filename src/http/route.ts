/** A route is a record: method, path, access, schemas and handler. Everything that lists routes reads these records. */

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
 * `public`: anyone. `bearer`: a caller with a valid token; others get the 401 challenge. `browser`: any browser, signed in
 * or not. `session`: a signed-in browser; others are redirected to the sign-in page.
 */
export type Access = 'public' | 'bearer' | 'browser' | 'session'

/** A stream of bytes with any content type. Fails with a 413 beyond `maxBytes`. */
interface StreamBody extends UncheckedBody {
  readonly kind: 'stream'
  readonly maxBytes: number
}

/** `application/x-www-form-urlencoded`. Browsers must include the `form_token`. */
interface FormBody {
  readonly kind: 'form'
  readonly maxBytes: number
  /** The form's fields, for the API description only. */
  readonly fields?: TSchema
}

/** `multipart/form-data` with a file, parsed by the handler. Browsers must send `form_token` as the first field. */
interface FileFormBody extends UncheckedBody {
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

interface RouteRequest<P = unknown, Q = unknown, B = unknown, A = Access> {
  readonly params: Checked<P>
  readonly query: Checked<Q>
  readonly body: BodyValue<B>
  readonly caller: A extends 'bearer' ? Caller : undefined
  readonly browser: A extends 'session'
    ? SignedInRequest
    : A extends 'browser'
      ? BrowserRequest
      : undefined
  /** The raw query string, without the question mark. */
  readonly search: string
  /** The client's IP address; for IPv6, its /64 network. */
  readonly address: string
  readonly requestId: string
  /** Returns a request header by its lowercase name. */
  readonly header: (name: string) => string | undefined
  /** Whether the response may be an event stream. False for batch items. */
  readonly streamable: boolean
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal
}

interface RouteDefinition<P, Q, B, A extends Access> {
  readonly method: Method
  /** Parameters are written as `:name`, as in `/api/human/:username.md`. */
  readonly path: string
  /** Unique; used in the OpenAPI description. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly access: A
  readonly params?: P
  readonly query?: Q
  /** Query parameters that the handler validates itself; for the API description only. */
  readonly uncheckedQuery?: TSchema
  readonly body?: B
  /** Every documented status, with the schema of its JSON or the content type of its text. */
  readonly answers: Readonly<Record<number, AnswerDescription>>
  /** Rate limit; responses report the remaining requests. */
  readonly limit?: LimitPolicy
  /** Set for a deprecated route; announced in every response. */
  readonly deprecated?: Deprecation
  /** Answers a rate-limited request if the error depends on the body. `retryAfter` is in seconds. */
  whenLimited?(request: { readonly body: BodyValue<B> }, retryAfter: number): Answer
  /**
   * Answers a form that a signed-in browser loaded in an earlier session or before it signed in, without its effect.
   * Undefined for the usual error that the form has expired.
   */
  whenSignedInSince?(request: {
    readonly body: BodyValue<B>
    readonly browser: SignedInRequest
  }): Promise<Answer | undefined>
  /**
   * Answers a form of a browser that is no longer signed in, without its effect. Its form token was not checked. Undefined
   * for the usual answer: `session` routes redirect to the sign-in page, others say that the form has expired.
   */
  whenSignedOutSince?(request: {
    readonly body: BodyValue<B>
    readonly browser: BrowserRequest
  }): Promise<Answer | undefined>
  /** Renders errors; problem documents by default. */
  readonly onError?: ErrorResponder
  /** Supports `Idempotency-Key`: a repeated request gets the first response again. */
  readonly idempotent?: boolean
  /** An anonymous read that is allowed in `POST /api/batch`. */
  readonly batchable?: boolean
  /** A browser route that appears in the API description because clients send people to it. */
  readonly described?: boolean
  /** The path this route duplicates; for example, `/sandbox/ask` duplicates `/ask`. */
  readonly copyOf?: string
  /** A page whose path programs use with another method; omitted from lists for programs. */
  readonly forPeople?: boolean
  /** Also answers with a trailing slash, because people paste this URL into clients. */
  readonly trailingSlash?: boolean
  /** Bypasses the router: a GET whose path ends with its only parameter. For the busiest reads. */
  readonly hot?: boolean
  handle(request: RouteRequest<P, Q, B, A>): Promise<Answer>
}

/** A route's path in RFC 6570 and OpenAPI syntax: `/api/human/{username}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:([a-z_]+)/g, '{$1}')
}

export type ErrorResponder = (error: RequestError, requestId: string) => Answer

export interface AnswerDescription {
  readonly description: string
  /** Schema of the JSON body. */
  readonly schema?: TSchema
  /** Content types of the text, in addition to the JSON if there is a schema; `problem` for a problem document. */
  readonly type?: string | readonly string[]
  /** Headers specific to this response that API clients need to know. */
  readonly headers?: readonly AnswerHeader[]
}

type AnswerHeader = 'ETag' | 'Link' | 'Location' | 'Retry-After'

/** A route whose types were checked at its definition. */
export type Route = RouteDefinition<
  TSchema | undefined,
  TSchema | undefined,
  Body | undefined,
  Access
>

/** Gives the handler the types of the schemas. */
export function defineRoute<
  const P extends TSchema | undefined = undefined,
  const Q extends TSchema | undefined = undefined,
  const B extends Body | undefined = undefined,
  const A extends Access = Access,
>(route: RouteDefinition<P, Q, B, A>): Route {
  // Safe: `handle` receives only values that were validated against these schemas.
  return route
}
