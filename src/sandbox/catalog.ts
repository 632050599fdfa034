/** `/sandbox`: its description, the tools on the demo account, and copies of every public path. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { defineRoute, type Method, type Route } from '../http/route.ts'
import { descriptionRoute, type DescriptionDeps } from './description.route.ts'
import { findNotMounted, mountRoutes, SANDBOX_PREFIX } from './mount.ts'
import { toolRoutes, type SandboxToolDeps } from './mcp.route.ts'

interface SandboxDeps extends SandboxToolDeps, DescriptionDeps {
  /** Called once. The public routes among these are mounted. */
  readonly routes: () => readonly Route[]
}

export function sandboxRoutes(deps: SandboxDeps): Route[] {
  const mounted = mountRoutes(deps.routes(), deps.publicUrl)
  return [
    descriptionRoute(deps, mounted),
    ...toolRoutes(deps),
    ...mounted,
    ...METHODS.map(notFoundRoute),
  ]
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Any other path below `/sandbox` gets a 404 that gives the reason. */
function notFoundRoute(method: Method): Route {
  return defineRoute({
    method,
    path: `${SANDBOX_PREFIX}/*`,
    operationId: `sandboxNothing${method}`,
    summary: 'Not part of the sandbox',
    access: 'public',
    params: Type.Object({ '*': Type.String() }),
    answers: { 404: { description: 'Not part of the sandbox', type: 'problem' } },
    handle({ params }) {
      const path = `/${params['*']}`
      const reason =
        findNotMounted(path)?.reason ?? 'Only paths that need no credential are included.'
      const quoted = `${SANDBOX_PREFIX}${path}`.slice(0, 200).toWellFormed()
      throw new RequestError('not_found', `${quoted} is not part of the sandbox. ${reason}`, {
        hint: `GET ${SANDBOX_PREFIX} lists its contents.`,
      })
    },
  })
}
