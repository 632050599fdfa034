/** The busiest reads bypass the router. They use the same handlers and response writer. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { deprecationHeaders } from './deprecation.ts'
import { headerReader, readParams, assertWithinLimit, type Guards } from './run-route.ts'
import type { Handle, MatchedRoute } from './handle-request.ts'
import type { Route } from './route.ts'

/** A path value that needs no decoding. Any other value goes through the router. */
const PLAIN_VALUE = /^[A-Za-z0-9_-]{1,256}$/

interface HotRead {
  readonly route: Route
  readonly matched: MatchedRoute
  readonly before: string
  readonly name: string
  readonly after: string
}

/** Returns a function that answers a request for a hot route and returns true, or returns false for any other request. */
export function hotReads(
  routes: readonly Route[],
  guards: Guards,
  answer: (
    request: IncomingMessage,
    response: ServerResponse,
    handle: Handle,
    matched: MatchedRoute,
  ) => void,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const reads = routes.filter(({ hot }) => hot === true).map(hotRead)
  const longestFirst = reads.toSorted((a, b) => b.after.length - a.after.length)
  return (request, response) => {
    if (request.method !== 'GET') return false
    const url = request.url ?? ''
    for (const { route, matched, before, name, after } of longestFirst) {
      if (!url.startsWith(before) || !url.endsWith(after)) continue
      const value = url.slice(before.length, url.length - after.length)
      if (!PLAIN_VALUE.test(value)) continue
      const handle: Handle = async (exchange) => {
        if (route.deprecated) Object.assign(exchange.headers, deprecationHeaders(route.deprecated))
        const address = guards.addressOf(request)
        await assertWithinLimit(guards.limits, route, address, exchange)
        return route.handle({
          params: readParams(route, { [name]: value }),
          query: {},
          body: undefined,
          caller: undefined,
          browser: undefined,
          search: '',
          address,
          requestId: exchange.requestId,
          header: headerReader(request),
          streamable: true,
          signal: NEVER,
        })
      }
      answer(request, response, handle, matched)
      return true
    }
    return false
  }
}

const NEVER = new AbortController().signal

function hotRead(route: Route): HotRead {
  const parts = /^([^:]*):([a-z_]+)([^/:]*)$/.exec(route.path)
  if (!parts || route.method !== 'GET' || route.access !== 'public' || route.query)
    throw new Error(
      `${route.path} cannot bypass the router: hot routes must be public GET routes with one parameter and no query`,
    )
  return {
    route,
    matched: { path: route.path },
    before: parts[1] ?? '',
    name: parts[2] ?? '',
    after: parts[3] ?? '',
  }
}
