/** `/robots.txt` (RFC 9309): who may read what, and what for. */

import type { Route } from '../../http/route.ts'

/** They fetch for a person who asked, or for a search that leads people here. */
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

/** They collect text to train models on; members did not put their profiles here for that. */
const TRAINERS = [
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
]

/** draft-romm-aipref-contentsignals-00, and the IETF's own words for the same (draft-ietf-aipref-attach). */
const SIGNALS = [
  'Content-Signal: search=yes, ai-input=yes, ai-train=no',
  'Content-Usage: train-ai=n',
]

export function robotsTxt(routes: readonly Route[], publicUrl: string): string {
  const rules = [...SIGNALS, ...privatePaths(routes).map((path) => `Disallow: ${path}`), 'Allow: /']
  return [
    '# What may be read here, and by whom. For agents that act for a member: /llms.txt and /auth.md.',
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
 * Where nobody gets without a credential. A path ends with `$`, or it would cover what begins like it and is public; one
 * with a parameter ends where that begins.
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
