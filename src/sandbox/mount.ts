/** Which routes are also available under `/sandbox`, and which are not. */

import type { Answer } from '../http/response.ts'
import type { Route } from '../http/route.ts'

export const SANDBOX_PREFIX = '/sandbox'

interface NotMounted {
  /** The path in the service; `*` at the end matches any rest. */
  readonly path: string
  readonly reason: string
}

const NEEDS_MEMBER = 'It requires a member, and the sandbox has no credentials.'
const ONE_TOOL_ENDPOINT = `The tool endpoint of the sandbox is ${SANDBOX_PREFIX}/mcp.`
const ONE_ORIGIN = 'It describes the whole service and exists only once.'

/** Public paths that the sandbox does not include, and others that callers may expect. */
export const NOT_MOUNTED: readonly NotMounted[] = [
  { path: '/oauth/*', reason: 'The sandbox needs no credentials and gives none out.' },
  { path: '/.well-known/*', reason: ONE_ORIGIN },
  { path: '/api/jobs*', reason: NEEDS_MEMBER },
  { path: '/api/uploads*', reason: NEEDS_MEMBER },
  { path: '/user/*', reason: NEEDS_MEMBER },
  { path: '/calendar/*', reason: NEEDS_MEMBER },
  { path: '/unsubscribe', reason: NEEDS_MEMBER },
  { path: '/push-worker.js', reason: ONE_ORIGIN },
  { path: '/mcp/v1', reason: ONE_TOOL_ENDPOINT },
  { path: '/mcp/sandbox', reason: ONE_TOOL_ENDPOINT },
  { path: '/assets/*', reason: ONE_ORIGIN },
  { path: '/', reason: `${SANDBOX_PREFIX} describes the sandbox.` },
]

export function findNotMounted(path: string): NotMounted | undefined {
  return NOT_MOUNTED.find(({ path: pattern }) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  )
}

/** Copies of every public route. Each uses the same handler and shares the rate limit of its original. */
export function mountRoutes(routes: readonly Route[], publicUrl: string): Route[] {
  return routes.filter(isMounted).map((route) => mount(route, publicUrl))
}

function isMounted({ access, path }: Route): boolean {
  return access === 'public' && findNotMounted(path) === undefined
}

function mount(route: Route, publicUrl: string): Route {
  const { operationId, path, summary, ...record } = route
  return {
    ...record,
    path: SANDBOX_PREFIX + path,
    copyOf: path,
    operationId: `sandbox${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    summary: `${summary} (sandbox)`,
    async handle(request) {
      const header = (name: string) => (CREDENTIALS.has(name) ? undefined : request.header(name))
      return withinSandbox(await route.handle({ ...request, header }), path, publicUrl)
    },
  }
}

/** The sandbox ignores credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/** Links to further pages stay within the sandbox. */
function withinSandbox(answer: Answer, path: string, publicUrl: string): Answer {
  const { link } = answer.headers
  if (link === undefined) return answer
  const moved = link
    .replaceAll(`<${publicUrl}${path}?`, `<${publicUrl}${SANDBOX_PREFIX}${path}?`)
    .replaceAll(`<${path}?`, `<${SANDBOX_PREFIX}${path}?`)
  return { ...answer, headers: { ...answer.headers, link: moved } }
}
