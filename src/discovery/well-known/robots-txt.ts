/** `/robots.txt` (RFC 9309): access rules and usage preferences. */

import type { Route } from '../../http/route.ts'

/** Agents that fetch for a person's request, or for a search engine that links here. */
const READERS = [
  'Applebot',
  'Amazonbot',
  'ChatGPT-User',
  'Claude-SearchBot',
  'Claude-User',
  'DuckAssistBot',
  'MistralAI-User',
  'OAI-SearchBot',
  'PerplexityBot',
  'Perplexity-User',
]

/** Crawlers that collect training data. Members did not publish their profiles for that. */
const TRAINERS = [
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
]

/** draft-romm-aipref-contentsignals-00, and the IETF's equivalent (draft-ietf-aipref-attach). */
const SIGNALS = [
  'Content-Signal: search=yes, ai-input=yes, ai-train=no',
  'Content-Usage: train-ai=n',
]

export function robotsTxt(routes: readonly Route[], publicUrl: string): string {
  const rules = [...SIGNALS, ...privatePaths(routes).map((path) => `Disallow: ${path}`), 'Allow: /']
  return [
    '# Access rules for crawlers. For agents that act for a member: /llms.txt and /auth.md.',
    '',
    'User-agent: *',
    ...rules,
    '',
    ...READERS.map((name) => `User-agent: ${name}`),
    ...rules,
    '',
    ...TRAINERS.map((name) => `User-agent: ${name}`),
    ...SIGNALS,
    'Disallow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    `Agentmap: ${publicUrl}/.well-known/ai-catalog.json`,
    '',
  ].join('\n')
}

/**
 * Paths that need a credential. A path ends with `$`, so that it does not match public paths with the same prefix. A path
 * with a parameter is cut before the parameter.
 */
function privatePaths(routes: readonly Route[]): string[] {
  const open = new Set(routes.filter(isOpen).map(({ path }) => path))
  const paths = routes
    .filter((route) => !isOpen(route) && !open.has(route.path))
    .map(({ path }) => (path.includes(':') ? path.replace(/:.*/, '') : `${path}$`))
  return [...new Set(paths)].toSorted()
}

function isOpen({ access }: Route): boolean {
  return access === 'public' || access === 'browser'
}
