/**
 * Traces for OpenTelemetry. Weft starts spans if an SDK was loaded before it (`node --import …`), and loads nothing
 * otherwise. The SDK decides about sampling, propagation and export.
 */

import { errorType, type Span, type Trace } from '../base/monitoring/tracing.ts'
import { readVersion } from './version.ts'

/** Where every version 1 of `@opentelemetry/api` shares what an SDK registered, whichever copy of it the SDK uses. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1')

function isSdkLoaded(): boolean {
  const { [REGISTRY]: registered } = globalThis as { [REGISTRY]?: { readonly trace?: object } }
  return registered?.trace !== undefined
}

/** Resolves with undefined if no SDK is loaded. */
export async function openTracing(): Promise<Trace | undefined> {
  if (!isSdkLoaded()) return undefined
  const api = await import('@opentelemetry/api')
  const tracer = api.trace.getTracer('weft', readVersion())
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    consumer: api.SpanKind.CONSUMER,
    internal: api.SpanKind.INTERNAL,
  } as const
  return (start, work) => {
    const active = api.context.active()
    // An instrumentation of the SDK may have continued the trace already.
    const isRemote = start.headers !== undefined && api.trace.getSpan(active) === undefined
    const parent = isRemote ? api.propagation.extract(active, start.headers) : active
    const { name, kind, attributes = {}, isRoot = false } = start
    const options = { kind: kinds[kind], attributes: { ...attributes }, root: isRoot }
    return tracer.startActiveSpan(name, options, parent, async (span) => {
      const own: Span = {
        set: (more) => void span.setAttributes({ ...more }),
        fail(type) {
          span.setAttribute('error.type', type)
          span.setStatus({ code: api.SpanStatusCode.ERROR })
        },
      }
      try {
        return await work(own)
      } catch (error) {
        own.fail(errorType(error))
        throw error
      } finally {
        span.end()
      }
    })
  }
}
