/** The OpenAPI tags, assigned by path prefix. */

interface Tag {
  readonly name: string
  readonly description: string
}

/** In reading order. The longest matching prefix wins. */
const SURFACES: readonly (Tag & { readonly prefixes: readonly string[] })[] = [
  {
    name: 'Profiles',
    description: 'Public profiles and the public directory.',
    prefixes: ['/api/human', '/api/network', '/human', '/network'],
  },
  {
    name: 'Batch and questions',
    description: 'Many reads in one request, and natural-language questions.',
    prefixes: ['/api/batch', '/ask'],
  },
  {
    name: 'Tools',
    description: "A member's network over MCP: JSON-RPC 2.0 with a bearer token.",
    prefixes: ['/mcp'],
  },
  {
    name: 'Jobs',
    description: 'Long-running jobs and file uploads.',
    prefixes: ['/api/jobs', '/api/uploads'],
  },
  {
    name: 'Authorization',
    description: 'OAuth 2.1 for agents: registration, tokens, revocation, metadata.',
    prefixes: ['/oauth', '/.well-known/oauth', '/agent'],
  },
  {
    name: 'Sandbox',
    description: 'All public endpoints and the tools of a demo account, without a credential.',
    prefixes: ['/sandbox', '/mcp/sandbox'],
  },
  {
    name: 'Documentation',
    description: 'For people and agents, also as an MCP server.',
    prefixes: ['/docs', '/mcp/docs'],
  },
  {
    name: 'Discovery',
    description: 'Descriptions of the service in standard formats.',
    prefixes: ['/openapi.json', '/v1', '/mcp/server-card', '/mcp/docs/server-card'],
  },
  {
    name: 'Pages',
    description: 'Static files of the pages.',
    prefixes: ['/assets'],
  },
]

/** The tag of all other paths, such as `/robots.txt`. */
export function pathTag(path: string): string {
  return surfaceOf(path)?.name ?? 'Discovery'
}

/** The tags of `paths`, in reading order. */
export function pathTags(paths: readonly string[]): Tag[] {
  const used = new Set(paths.map(pathTag))
  return SURFACES.filter(({ name }) => used.has(name)).map(({ name, description }) => ({
    name,
    description,
  }))
}

function surfaceOf(path: string): Tag | undefined {
  const fitting = SURFACES.flatMap((tag) =>
    tag.prefixes
      .filter((beginning) => path.startsWith(beginning))
      .map((beginning) => ({ tag, length: beginning.length })),
  )
  return fitting.toSorted((one, other) => other.length - one.length)[0]?.tag
}
