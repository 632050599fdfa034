/** The OpenAPI description of the HTTP API, made of the very records that answer it. */

import { SCOPE } from '../../access/bearer.ts'
import { describedRoutes } from './described-routes.ts'
import { createComponents } from './components.ts'
import { operationOf } from './operation.ts'
import { tagsOf } from './tags.ts'
import { pathTemplate, type Route } from '../../http/route.ts'
import type { JsonObject } from './json.ts'

export interface OpenApiDeps {
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  readonly version: string
  readonly routes: readonly Route[]
}

/** OpenAPI 3.1.1: everything that is live, but for pages that only a person's browser can use. */
export function openApi({ publicUrl, version, routes }: OpenApiDeps): JsonObject {
  const components = createComponents()
  const described = describedRoutes(routes)
  const paths = new Map<string, Record<string, JsonObject>>()
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
    tags: tagsOf(described.map(({ path }) => path)).map(({ name, description }) => ({
      name,
      description,
    })),
    paths: Object.fromEntries(paths),
    components: { ...components.all(), securitySchemes: securitySchemes(publicUrl) },
  }
}

const SUMMARY = "A member's professional network, for the agents that member lets in."

const DESCRIPTION = `Public profiles and the directory need no credential. A bearer token is bound to one member and reaches that member's data alone.

Every refusal is a problem document (RFC 9457) with a stable \`code\`, but for the OAuth endpoints (RFC 6749) and the tool endpoint (JSON-RPC). Lists are paged by \`cursor\` and \`next_cursor\`. Limited endpoints tell in \`RateLimit\` what is left. Adding an endpoint, a field of an answer, an optional parameter or a tool is not a breaking change; what is on its way out says so by \`Deprecation\`.`

function securitySchemes(publicUrl: string): JsonObject {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An OAuth access token, or an API token that the member made by hand.',
    },
    oauth: {
      type: 'oauth2',
      description: 'Authorization code with PKCE (S256); clients register themselves.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${publicUrl}/oauth/authorize`,
          tokenUrl: `${publicUrl}/oauth/token`,
          refreshUrl: `${publicUrl}/oauth/token`,
          scopes: { [SCOPE]: "The member's network, by every tool" },
        },
      },
    },
  }
}
