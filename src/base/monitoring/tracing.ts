/** The interface through which the service reports spans. `service/tracing.ts` passes them to OpenTelemetry. */

import { RequestError } from '../request-error.ts'

/** Names of OpenTelemetry's semantic conventions, or with the prefix `weft.`. Never a secret or personal data. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'client' | 'consumer' | 'internal'
  readonly attributes?: SpanAttributes
  /** Headers of a request whose `traceparent` is continued (W3C Trace Context). */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Starts a new trace, even inside another span. */
  readonly isRoot?: boolean
}

export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks it as failed. `type` is an error code or class, because messages may contain what members typed. */
  fail(type: string): void
}

/** Runs `work` in a span, which ends with it. Spans that `work` starts are its children. If it throws, the span fails. */
export type Trace = <T>(start: SpanStart, work: (span: Span) => Promise<T>) => Promise<T>

/** What a span says about an error: the code of an expected one, or else the name of its class. */
export function errorType(error: unknown): string {
  if (error instanceof RequestError) return error.code
  return error instanceof Error ? error.name : typeof error
}
