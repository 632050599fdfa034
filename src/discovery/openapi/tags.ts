/** The surfaces of the API, by where their paths begin: what belongs together in a description of it. */

export interface Tag {
  readonly name: string
  readonly description: string
}

/** In the order in which a reader wants them; a path belongs where the longest beginning fits. */
const SURFACES: readonly (Tag & { readonly beginnings: readonly string[] })[] = [
  {
    name: 'Profiles',
    description: 'Public profiles and the public directory.',
    beginnings: ['/api/human', '/api/network', '/human', '/network'],
  },
  {
    name: 'Batch and questions',
    description: 'Many reads in one request, and questions in plain words.',
    beginnings: ['/api/batch', '/ask'],
  },
  {
    name: 'Tools',
    description: "A member's own network by MCP: JSON-RPC 2.0 with a bearer token.",
    beginnings: ['/mcp'],
  },
  {
    name: 'Jobs',
    description: 'Work that takes longer than a request, and files for it.',
    beginnings: ['/api/jobs', '/api/uploads'],
  },
  {
    name: 'Authorization',
    description: 'OAuth 2.1 for agents: registration, tokens, revocation, metadata.',
    beginnings: ['/oauth', '/.well-known/oauth', '/agent'],
  },
  {
    name: 'Sandbox',
    description: 'Everything public, and the tools of a demo account, without a credential.',
    beginnings: ['/sandbox', '/mcp/sandbox'],
  },
  {
    name: 'Documentation',
    description: 'For people, for agents, and as an MCP server of its own.',
    beginnings: ['/docs', '/mcp/docs'],
  },
  {
    name: 'Discovery',
    description: 'What there is and where, in the form that each kind of reader looks for.',
    beginnings: ['/openapi.json', '/v1', '/mcp/server-card', '/mcp/docs/server-card'],
  },
  {
    name: 'Pages',
    description: 'What the pages for people are made of.',
    beginnings: ['/assets'],
  },
]

/** Whatever is at no surface of its own, such as `/robots.txt`, is there to be discovered by. */
export function tagOf(path: string): string {
  return surfaceOf(path)?.name ?? 'Discovery'
}

/** Those of `paths`, in the order in which a reader wants them. */
export function tagsOf(paths: readonly string[]): Tag[] {
  const used = new Set(paths.map(tagOf))
  return SURFACES.filter(({ name }) => used.has(name)).map(({ name, description }) => ({
    name,
    description,
  }))
}

function surfaceOf(path: string): Tag | undefined {
  const fitting = SURFACES.flatMap((tag) =>
    tag.beginnings
      .filter((beginning) => path.startsWith(beginning))
      .map((beginning) => ({ tag, length: beginning.length })),
  )
  return fitting.toSorted((one, other) => other.length - one.length)[0]?.tag
}
