/** Discovery: the API description, the documents for agents, and the documentation. */

import { JSON_TYPE, MARKDOWN_TYPE } from '../http/response.ts'
import { SKILL_PATH, skillIndex } from './well-known/agent-skill.ts'
import { AI_CATALOG_TYPE, aiCatalog } from './well-known/ai-catalog.ts'
import { API_CATALOG_PATH, apiCatalog, LINKSET_TYPE } from './well-known/api-catalog.ts'
import { docsRoutes } from './docs/docs.route.ts'
import { documentRoute } from './docs/document-route.ts'
import { EndpointIndex, endpointIndex } from './openapi/endpoints.ts'
import { readDoc } from './docs/guides.ts'
import { homeRoutes } from './home/home.page.ts'
import { llmsFullTxt, llmsTxt } from './well-known/llms-txt.ts'
import { mcpPageRoutes } from './docs/mcp-page.route.ts'
import { openApi } from './openapi/openapi.ts'
import { robotsTxt } from './well-known/robots-txt.ts'
import { securityTxtRoutes } from './well-known/security-txt.route.ts'
import {
  DOCS_MOUNT,
  NETWORK_MOUNT,
  SERVER_CARD_TYPE,
  registryEntry,
  serverCard,
} from './well-known/server-card.ts'
import { PROFILES_A_FILE } from './well-known/sitemap.ts'
import { verificationRoutes } from './well-known/verification.route.ts'
import { operatorPageRoutes } from './legal/operator-pages.route.ts'
import { sitemapRoutes } from './well-known/sitemap.route.ts'
import type { DiscoveryDeps } from './docs/discovery-deps.ts'
import type { Route } from '../http/route.ts'

export function discoveryRoutes(deps: DiscoveryDeps): Route[] {
  return [
    ...homeRoutes(deps),
    ...apiRoutes(deps),
    ...agentDocumentRoutes(deps),
    ...wellKnownRoutes(deps),
    ...securityTxtRoutes(deps),
    ...verificationRoutes(deps),
    ...operatorPageRoutes(deps),
    ...sitemapRoutes({ ...deps, profilesAFile: PROFILES_A_FILE }),
    ...docsRoutes(deps),
    ...mcpPageRoutes(deps),
  ]
}

const PLAIN_TYPE = 'text/plain; charset=utf-8'

function apiRoutes({ publicUrl, version, routes }: DiscoveryDeps): Route[] {
  return [
    documentRoute({
      path: '/openapi.json',
      operationId: 'readOpenApi',
      summary: 'OpenAPI description of this service',
      type: JSON_TYPE,
      write: () => JSON.stringify(openApi({ publicUrl, version, routes: routes() })),
    }),
    documentRoute({
      path: '/v1',
      operationId: 'readEndpoints',
      summary: 'Every endpoint with method, URL and credential',
      type: JSON_TYPE,
      schema: EndpointIndex,
      write: () => JSON.stringify(endpointIndex(routes(), publicUrl)),
    }),
  ]
}

function agentDocumentRoutes(deps: DiscoveryDeps): Route[] {
  const { publicUrl, routes } = deps
  return [
    documentRoute({
      path: '/llms.txt',
      operationId: 'readLlmsTxt',
      summary: 'Overview for agents',
      type: PLAIN_TYPE,
      write: () => llmsTxt(deps),
    }),
    documentRoute({
      path: '/llms-full.txt',
      operationId: 'readLlmsFullTxt',
      summary: 'The complete documentation on one page',
      type: PLAIN_TYPE,
      write: () => llmsFullTxt(deps),
    }),
    documentRoute({
      path: '/auth.md',
      operationId: 'readAuthMd',
      summary: 'How agents authenticate',
      type: MARKDOWN_TYPE,
      write: () => readDoc('agents/auth.md', publicUrl),
    }),
    documentRoute({
      path: '/robots.txt',
      operationId: 'readRobotsTxt',
      summary: 'Rules for crawlers',
      type: PLAIN_TYPE,
      write: () => robotsTxt(routes(), publicUrl),
    }),
  ]
}

function wellKnownRoutes(deps: DiscoveryDeps): Route[] {
  const { publicUrl } = deps
  const skill = () => readDoc('agents/skill.md', publicUrl)
  return [
    documentRoute({
      path: API_CATALOG_PATH,
      operationId: 'readApiCatalog',
      summary: 'The APIs of this host (RFC 9727)',
      type: LINKSET_TYPE,
      headers: { link: `<${publicUrl}${API_CATALOG_PATH}>; rel="api-catalog"` },
      write: () => JSON.stringify(apiCatalog(publicUrl)),
    }),
    ...cardRoutes(deps),
    documentRoute({
      path: '/server.json',
      operationId: 'readRegistryEntry',
      summary: 'Entry for the MCP registry',
      type: JSON_TYPE,
      write: () => JSON.stringify(registryEntry(NETWORK_MOUNT, deps)),
    }),
    documentRoute({
      path: '/.well-known/ai-catalog.json',
      operationId: 'readAiCatalog',
      summary: 'Servers and documents for agents (AI Catalog)',
      type: AI_CATALOG_TYPE,
      write: () => JSON.stringify(aiCatalog(publicUrl)),
    }),
    documentRoute({
      path: '/.well-known/agent-skills/index.json',
      operationId: 'readSkillIndex',
      summary: 'Skills that agents can load (Agent Skills)',
      type: JSON_TYPE,
      write: () => JSON.stringify(skillIndex(skill(), publicUrl)),
    }),
    documentRoute({
      path: SKILL_PATH,
      operationId: 'readSkill',
      summary: "Skill for working with a member's network",
      type: MARKDOWN_TYPE,
      write: skill,
    }),
  ]
}

/** The first path is from the draft; scanners and older clients use the others. */
function cardRoutes(deps: DiscoveryDeps): Route[] {
  const cards = [
    [`${NETWORK_MOUNT.path}/server-card`, 'readServerCard', NETWORK_MOUNT],
    ['/.well-known/mcp/server-card.json', 'readWellKnownServerCard', NETWORK_MOUNT],
    ['/.well-known/mcp.json', 'readWellKnownMcp', NETWORK_MOUNT],
    [`${DOCS_MOUNT.path}/server-card`, 'readDocsServerCard', DOCS_MOUNT],
  ] as const
  return cards.map(([path, operationId, mount]) =>
    documentRoute({
      path,
      operationId,
      summary: `Server card of the MCP server at ${mount.path}`,
      type: SERVER_CARD_TYPE,
      write: () => JSON.stringify(serverCard(mount, deps)),
    }),
  )
}
