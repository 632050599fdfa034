/** `/sandbox`: what it is, the tools on the demo account, copies of every anonymous path, and nothing else. */

import Type from 'typebox'
import { Refusal } from '../base/request-error.ts'
import { defineRoute, type Method, type Route } from '../http/route.ts'
import { descriptionRoute, type DescriptionParts } from './description.route.ts'
import { findNotMounted, mountRoutes, SANDBOX } from './mount.ts'
import { toolRoutes, type SandboxToolParts } from './mcp.route.ts'

export interface SandboxParts extends SandboxToolParts, DescriptionParts {
  /** Called once, here: what of the routes made so far needs no credential is mounted. */
  readonly routes: () => readonly Route[]
}

export function sandboxRoutes(parts: SandboxParts): Route[] {
  const mounted = mountRoutes(parts.routes(), parts.publicUrl)
  return [
    descriptionRoute(parts, mounted),
    ...toolRoutes(parts),
    ...mounted,
    ...METHODS.map(nothingRoute),
  ]
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Whoever looks for something else below `/sandbox` is told why it is not there. */
function nothingRoute(method: Method): Route {
  return defineRoute({
    method,
    path: `${SANDBOX}/*`,
    operationId: `sandboxNothing${method}`,
    summary: 'Nothing',
    access: 'public',
    params: Type.Object({ '*': Type.String() }),
    answers: { 404: { description: 'Not part of the sandbox', type: 'problem' } },
    handle({ params }) {
      const path = `/${params['*']}`
      const reason = findNotMounted(path)?.reason ?? 'Only paths that need no credential are.'
      const quoted = `${SANDBOX}${path}`.slice(0, 200).toWellFormed()
      throw new Refusal('not_found', `${quoted} is not part of the sandbox. ${reason}`, {
        hint: `GET ${SANDBOX} lists what is.`,
      })
    },
  })
}
