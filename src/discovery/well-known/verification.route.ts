/** Tokens by which registries verify that the operator owns the domain, served only if they are set. */

import { content } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { DiscoveryDeps } from '../docs/discovery-deps.ts'

const TYPE = 'text/plain; charset=utf-8'

export function verificationRoutes({
  mcpRegistryAuth,
  openaiAppsChallenge,
}: DiscoveryDeps): Route[] {
  return [
    ...tokenRoute('mcp-registry-auth', 'readMcpRegistryAuth', mcpRegistryAuth),
    ...tokenRoute('openai-apps-challenge', 'readOpenaiAppsChallenge', openaiAppsChallenge),
  ]
}

function tokenRoute(name: string, operationId: string, text: string | null): Route[] {
  if (text === null) return []
  return [
    defineRoute({
      method: 'GET',
      path: `/.well-known/${name}`,
      operationId,
      summary: 'Proof that the operator owns this domain',
      access: 'public',
      answers: { 200: { description: 'The token', type: TYPE, headers: ['ETag'] } },
      handle: () => Promise.resolve(content(text, TYPE, 200, { 'cache-control': 'no-cache' })),
    }),
  ]
}
