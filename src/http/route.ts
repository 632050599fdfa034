/** A route is a record that everything that lists routes reads. */

import type { Static, TObject, TSchema } from 'typebox'
import type { Answer } from './response.ts'
import type { Caller, DeviceCaller } from './caller.ts'
import type { Deprecation } from './deprecation.ts'
import type { RequestError } from '../base/request-error.ts'
import type { LimitPolicy } from './rate-limit-policy.ts'
import type { SignedInRequest, BrowserRequest } from './browser-request.ts'
import type { FileForm } from './body/multipart-form.ts'
import type {
  Body,
  BytesBody,
  FileFormBody,
  FormBody,
  JsonBody,
  StreamBody,
} from './body/body-types.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | WebDavMethod

/** RFC 4918 and RFC 3253. */
type WebDavMethod = 'PROPFIND' | 'PROPPATCH' | 'REPORT'

/**
 * `public`: anyone. `bearer`: a valid token, or the 401 challenge. `device`: the password of a device, or the 401 challenge
 * of Basic. `browser`: any browser. `session`: a signed-in browser, or a redirect to the sign-in page.
 */
export type Access = 'public' | 'bearer' | 'device' | 'browser' | 'session'

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
  readonly caller: A extends 'bearer' ? Caller : A extends 'device' ? DeviceCaller : undefined
  readonly browser: A extends 'session'
    ? SignedInRequest
    : A extends 'browser'
      ? BrowserRequest
      : undefined
  /** The raw query string, without the question mark. */
  readonly search: string
  /** IPv6 by /64. */
  readonly address: string
  readonly requestId: string
  /** `name` is in lowercase. */
  readonly header: (name: string) => string | undefined
  /** Whether the response may be an event stream. False for batch items. */
  readonly streamable: boolean
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal
}

interface RouteDefinition<P, Q, B, A extends Access> {
  readonly method: Method
  /** With parameters, as in `/api/human/:username.md`. */
  readonly path: string
  /** Unique. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly access: A
  readonly params?: P
  readonly query?: Q
  /** Validated by the handler; for the API description only. */
  readonly uncheckedQuery?: TSchema
  readonly body?: B
  /** Every documented status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>
  readonly limit?: LimitPolicy
  /** Announced in every response. */
  readonly deprecated?: Deprecation
  /** Answers a rate-limited request if the error depends on the body. `retryAfter` is in seconds. */
  whenLimited?(request: { readonly body: BodyValue<B> }, retryAfter: number): Answer
  /**
   * Answers, without its effect, a form that was loaded before the browser signed in or in an earlier session. Undefined
   * for the usual error.
   */
  whenSignedInSince?(request: {
    readonly body: BodyValue<B>
    readonly browser: SignedInRequest
  }): Promise<Answer | undefined>
  /**
   * Answers, without its effect, a form of a browser that is signed out; its token was not checked. Undefined for the usual
   * redirect or error.
   */
  whenSignedOutSince?(request: {
    readonly body: BodyValue<B>
    readonly browser: BrowserRequest
  }): Promise<Answer | undefined>
  /** Problem documents by default. */
  readonly onError?: ErrorResponder
  /** Supports `Idempotency-Key`. */
  readonly idempotent?: boolean
  /** Allowed in `POST /api/batch`. */
  readonly batchable?: boolean
  /** In the API description although it is for browsers. */
  readonly described?: boolean
  /** The duplicated path: `/ask` for `/sandbox/ask`. */
  readonly copyOf?: string
  /** Further headers of an OPTIONS response. */
  readonly optionsHeaders?: Readonly<Record<string, string>>
  /** Omitted from lists for programs, which use the path with another method or get its address in a response. */
  readonly forPeople?: boolean
  /** Also answers with a trailing slash. */
  readonly trailingSlash?: boolean
  handle(request: RouteRequest<P, Q, B, A>): Promise<Answer>
}

/** Converts a path to RFC 6570 and OpenAPI syntax: `/api/human/{username}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:([a-z_]+)/g, '{$1}')
}

export type ErrorResponder = (error: RequestError, requestId: string) => Answer

export interface AnswerDescription {
  readonly description: string
  readonly schema?: TSchema
  /** Content types of text, besides JSON if there is a schema; `problem` for a problem document. */
  readonly type?: string | readonly string[]
  /** Headers that API clients need to know. */
  readonly headers?: readonly AnswerHeader[]
}

type AnswerHeader = 'ETag' | 'Link' | 'Location' | 'Retry-After'

/** A route whose types were checked at its definition. */
export type Route = RouteDefinition<
  TSchema | undefined,
  TObject | undefined,
  Body | undefined,
  Access
>

/** Gives the handler the types of the schemas. */
export function defineRoute<
  const P extends TSchema | undefined = undefined,
  const Q extends TObject | undefined = undefined,
  const B extends Body | undefined = undefined,
  const A extends Access = Access,
>(route: RouteDefinition<P, Q, B, A>): Route {
  // Safe: `handle` receives only values that were validated against these schemas.
  return route
}
