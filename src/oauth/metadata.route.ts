/** Discovery documents: RFC 8414 for the authorization server, RFC 9728 for the protected resources. */

import * as Type from '../base/type.ts'
import { SCOPE } from '../access/scope.ts'
import { json } from '../http/response.ts'
import { PRIVACY_PATH, TERMS_PATH } from '../html/site-map.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { RESOURCE_PATHS } from './parameters.ts'

/** The documents change only with a release, and clients cache them for about an hour anyway. */
const CACHED = { 'cache-control': 'public, max-age=3600' }

const URL_TEXT = Type.String({ format: 'uri' })

const PROTECTED_RESOURCE = Type.Object({
  resource: URL_TEXT,
  authorization_servers: Type.Array(URL_TEXT),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
})

const AUTHORIZATION_SERVER = Type.Object({
  issuer: URL_TEXT,
  authorization_endpoint: URL_TEXT,
  token_endpoint: URL_TEXT,
  registration_endpoint: URL_TEXT,
  revocation_endpoint: URL_TEXT,
  code_challenge_methods_supported: Type.Array(Type.String()),
})

export function metadataRoutes(deps: OAuthDeps): Route[] {
  return [
    documentRoute('/.well-known/oauth-authorization-server', {
      operationId: 'readAuthorizationServerMetadata',
      summary: 'The authorization server (RFC 8414)',
      schema: AUTHORIZATION_SERVER,
      document: authorizationServer(deps),
    }),
    ...['', ...RESOURCE_PATHS].map((path) =>
      documentRoute(`/.well-known/oauth-protected-resource${path}`, {
        operationId: `readProtectedResourceMetadata${OPERATION_SUFFIX[path] ?? ''}`,
        summary: `The authorization server for ${path === '' ? 'this service' : path} (RFC 9728)`,
        schema: PROTECTED_RESOURCE,
        document: protectedResource(path, deps),
      }),
    ),
  ]
}

const OPERATION_SUFFIX: Readonly<Record<string, string>> = { '/mcp': 'Mcp', '/mcp/v1': 'McpV1' }

function documentRoute(
  path: string,
  deps: {
    readonly operationId: string
    readonly summary: string
    readonly schema: Type.TSchema
    readonly document: object
  },
): Route {
  const { operationId, summary, schema, document } = deps
  const answer = json(document, 200, CACHED)
  return defineRoute({
    method: 'GET',
    path,
    operationId,
    summary,
    access: 'public',
    answers: { 200: { description: 'The document', schema, headers: ['ETag'] } },
    handle: () => Promise.resolve(answer),
  })
}

function authorizationServer({ publicUrl, privacyPolicy, termsOfService }: OAuthDeps) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: RESOURCE_PATHS.map((path) => publicUrl + path),
    service_documentation: `${publicUrl}/docs`,
    ...(privacyPolicy !== null && { op_policy_uri: publicUrl + PRIVACY_PATH }),
    ...(termsOfService !== null && { op_tos_uri: publicUrl + TERMS_PATH }),
    agent_auth: {
      skill: `${publicUrl}/auth.md`,
      register_uri: `${publicUrl}/agent/identity`,
      identity_endpoint: `${publicUrl}/agent/identity`,
      identity_types_supported: ['anonymous', 'service_auth'],
      anonymous: { credential_types_supported: ['none'] },
      service_auth: { credential_types_supported: ['access_token', 'api_token'] },
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
    },
  }
}

function protectedResource(path: string, { publicUrl, ...deps }: OAuthDeps) {
  return {
    resource: publicUrl + path,
    authorization_servers: [publicUrl],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Weft',
    resource_documentation: `${publicUrl}/docs`,
    ...(deps.privacyPolicy !== null && { resource_policy_uri: publicUrl + PRIVACY_PATH }),
    ...(deps.termsOfService !== null && { resource_tos_uri: publicUrl + TERMS_PATH }),
  }
}
