/** The OpenAPI description of the HTTP API, generated from the route records. */

import { SCOPE } from '../../access/scope.ts'
import { httpRoutes } from './described-routes.ts'
import { createComponents, type OpenApiObject } from './components.ts'
import { operationOf } from './operation.ts'
import { pathTags } from './tags.ts'
import { pathTemplate, type Route } from '../../http/route.ts'

interface OpenApiDeps {
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  readonly version: string
  readonly routes: readonly Route[]
}

/** OpenAPI 3.1.1: every endpoint except pages that need a person's browser. */
export function openApi({ publicUrl, version, routes }: OpenApiDeps): OpenApiObject {
  const components = createComponents()
  const described = httpRoutes(routes)
  const paths = new Map<string, Record<string, OpenApiObject>>()
  for (const route of described) {
    const path = pathTemplate(route.path)
    const operations = paths.get(path) ?? {}
    operations[route.method.toLowerCase()] = operationOf(route, components)
    paths.set(path, operations)
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Weft', version, summary: SUMMARY, description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    externalDocs: { description: 'Documentation', url: `${publicUrl}/docs` },
    tags: pathTags(described.map(({ path }) => path)).map(({ name, description }) => ({
      name,
      description,
    })),
    paths: Object.fromEntries(paths),
    components: { ...components.all(), securitySchemes: securitySchemes(publicUrl) },
  }
}

const SUMMARY = "A member's professional network, for the agents that the member approves."

const DESCRIPTION = `Public profiles and the directory need no credential. A bearer token is bound to one member and gives access only to that member's data.

Errors are problem documents (RFC 9457) with a stable \`code\`, except at the OAuth endpoints (RFC 6749) and the tool endpoint (JSON-RPC). Lists are paginated with \`cursor\` and \`next_cursor\`. Rate-limited endpoints report the remaining requests in \`RateLimit\`. Adding an endpoint, a response field, an optional parameter or a tool is not a breaking change. Deprecated features send \`Deprecation\`.`

function securitySchemes(publicUrl: string): OpenApiObject {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An OAuth access token, or an API token that the member created.',
    },
    oauth: {
      type: 'oauth2',
      description: 'Authorization code with PKCE (S256); clients register themselves.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${publicUrl}/oauth/authorize`,
          tokenUrl: `${publicUrl}/oauth/token`,
          refreshUrl: `${publicUrl}/oauth/token`,
          scopes: { [SCOPE]: "Access to the member's network with every tool" },
        },
      },
    },
  }
}
