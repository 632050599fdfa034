/** `/llms.txt` (llmstxt.org), the overview for agents, and `/llms-full.txt`, the complete documentation. */

import { originalRoutes } from '../openapi/described-routes.ts'
import { pathTag, pathTags } from '../openapi/tags.ts'
import { pathTemplate } from '../../http/route.ts'
import type { DiscoveryDeps } from '../docs/discovery-deps.ts'
import type { Library } from '../docs/library.ts'

const SUMMARY =
  "> Weft stores a member's professional network and lets the member's AI agents work with it: search, notes, tags, follow-ups, imports. Profiles and the directory are public."

/** The overview, with links to the documents of the library. */
export function llmsTxt(deps: DiscoveryDeps): string {
  return [
    '# Weft',
    SUMMARY,
    whenToUse(deps.publicUrl),
    documentList(deps.library),
    toolList(deps),
    ...endpointLists(deps),
    optional(deps.publicUrl),
    '',
  ].join('\n\n')
}

/** The same introduction, followed by every document. */
export function llmsFullTxt({ publicUrl, library }: DiscoveryDeps): string {
  const documents = library.documents().map(({ url, markdown }) => `<!-- ${url} -->\n\n${markdown}`)
  return ['# Weft', SUMMARY, whenToUse(publicUrl), ...documents, ''].join('\n\n')
}

function whenToUse(publicUrl: string): string {
  return `## When to use

- Someone asks who they know at a company, in a field or in a city, or wants to remember something about a person, tag people or follow up: use the tools at \`${publicUrl}/mcp\` with that member's token. How to get one: ${publicUrl}/auth.md
- Someone asks about a member by username, or searches for members: \`${publicUrl}/api/human/{username}.md\` and \`${publicUrl}/api/network/members?q=\` need no credential; \`${publicUrl}/ask?query=\` answers natural-language questions.
- You want to try Weft without anyone's consent: \`${publicUrl}/sandbox/mcp\` is a demo account that needs no credential.
- Not for: people who are not members or in the network of the member you work for; another member's network; sending messages.`
}

function documentList(library: Library): string {
  const list = library
    .documents()
    .map(({ title, url, summary }) => `- [${title}](${url}.md): ${summary}`)
  return ['## Documentation', list.join('\n')].join('\n\n')
}

function toolList({ publicUrl, tools }: DiscoveryDeps): string {
  const list = tools.map(
    ({ name, title, effect, credits }) =>
      `- \`${name}\`: ${title} (${effect}, ${credits === 1 ? '1 credit' : `${credits} credits`})`,
  )
  return ['## Tools', `At \`${publicUrl}/mcp\`, with a bearer token:`, list.join('\n')].join('\n\n')
}

/** Tags that are left out: discovery documents, and static files of the pages. */
const SKIPPED_NOTE = new Set(['Discovery', 'Pages'])

function endpointLists({ publicUrl, routes }: DiscoveryDeps): string[] {
  const described = originalRoutes(routes()).filter(({ path }) => !SKIPPED_NOTE.has(pathTag(path)))
  return pathTags(described.map(({ path }) => path)).map(({ name }) => {
    const list = described
      .filter(({ path }) => pathTag(path) === name)
      .map(
        ({ method, path, summary, access }) =>
          `- \`${method} ${publicUrl}${pathTemplate(path)}\`: ${summary}${access === 'bearer' ? ' (bearer)' : ''}`,
      )
    return `## ${name} over HTTP\n\n${list.join('\n')}`
  })
}

function optional(publicUrl: string): string {
  return `## Optional

- [OpenAPI description](${publicUrl}/openapi.json): every endpoint, for programs
- [Endpoint index](${publicUrl}/v1): method, URL and credential of each endpoint, as JSON
- [MCP server for the documentation](${publicUrl}/mcp/docs): search_docs, list_docs, read_doc; no credential
- [Everything on one page](${publicUrl}/llms-full.txt)`
}
