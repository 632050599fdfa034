/** `/v1`: a compact index of all endpoints for agents. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { describedRoutes } from './described-routes.ts'
import { pathTemplate, type Access, type Route } from '../../http/route.ts'

export const EndpointIndex = Type.Object({
  object: Type.Literal('endpoint_index'),
  endpoints: Type.Array(
    Type.Object({
      method: Type.String(),
      url: Type.String({ description: 'URL template with {name} placeholders' }),
      auth: Type.Enum(['none', 'bearer', 'basic', 'browser'], {
        description: 'basic: the password of a device; browser: a person opens it and signs in',
      }),
      description: Type.String(),
    }),
  ),
})
export type EndpointIndex = Static<typeof EndpointIndex>

export function endpointIndex(routes: readonly Route[], publicUrl: string): EndpointIndex {
  return {
    object: 'endpoint_index',
    endpoints: describedRoutes(routes).map(({ method, path, access, summary }) => ({
      method,
      url: publicUrl + pathTemplate(path),
      auth: AUTH[access],
      description: summary,
    })),
  }
}

const AUTH: Readonly<Record<Access, EndpointIndex['endpoints'][number]['auth']>> = {
  public: 'none',
  bearer: 'bearer',
  device: 'basic',
  browser: 'browser',
  session: 'browser',
}
