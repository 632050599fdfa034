/** The written documentation: files of `docs/`, with the public URL of this service inserted. */

import { readFileSync } from 'node:fs'

const DOCS = new URL('../../../docs/', import.meta.url)

/** In reading order. `name` is the last part of the path `/docs/<name>`, and the name of the file. */
const GUIDES = [
  {
    name: 'start',
    file: 'start.md',
    summary: 'For members: join, import your contacts, connect an agent, manage your network.',
  },
  {
    name: 'connect',
    file: 'agents/connect.md',
    summary: 'The server URL, OAuth and tokens, credits, errors and long-running jobs.',
  },
  {
    name: 'auth',
    file: 'agents/auth.md',
    summary: 'OAuth step by step, API tokens, and how to handle a 401.',
  },
  {
    name: 'http',
    file: 'agents/http.md',
    summary:
      'Conventions of every endpoint: pagination, batches, errors, limits, retries, versions.',
  },
  {
    name: 'imports',
    file: 'imports.md',
    summary: 'How to import LinkedIn, Google, Outlook and vCard files, and what an import changes.',
  },
  {
    name: 'stay-in-touch',
    file: 'stay-in-touch.md',
    summary:
      'Logging contacts, reminders, cadences, who to contact again, and what to know before a meeting.',
  },
  {
    name: 'calendar',
    file: 'calendar.md',
    summary: 'How Weft reads a calendar, which meetings count, and what a briefing shows.',
  },
  {
    name: 'sign-in',
    file: 'sign-in.md',
    summary:
      'How members join and sign in: invitations, passwords, passkeys, an identity provider.',
  },
  {
    name: 'running',
    file: 'running.md',
    summary: 'For operators: start Weft, make it reachable and keep it safe, in five minutes.',
  },
  {
    name: 'configuration',
    file: 'running/configuration.md',
    summary: 'Every setting, rate limits, semantic search, listings and legal pages.',
  },
  {
    name: 'directories',
    file: 'directories.md',
    summary:
      'What the directories of MCP servers ask, where it is in Weft, and a reviewer account.',
  },
  {
    name: 'commands',
    file: 'running/commands.md',
    summary: 'Every weft command, exit codes, and how to stop and continue an import.',
  },
  {
    name: 'proxies',
    file: 'running/proxies.md',
    summary: 'https, Caddy, nginx and HAProxy, and how cloud apps reach Weft.',
  },
  {
    name: 'deployment',
    file: 'running/deployment.md',
    summary: 'The systemd unit, the container image and Compose.',
  },
  {
    name: 'postgresql',
    file: 'running/postgresql.md',
    summary: 'Roles, connections, several nodes, shared rate limits, database failures.',
  },
  {
    name: 'sizing',
    file: 'running/sizing.md',
    summary: 'How much memory (RAM) and disk a server needs.',
  },
  {
    name: 'backups',
    file: 'running/backups.md',
    summary: 'How to back up, restore, and move to another database engine.',
  },
  {
    name: 'upgrading',
    file: 'running/upgrading.md',
    summary: 'How to install a new version on one node or several.',
  },
  {
    name: 'monitoring',
    file: 'running/monitoring.md',
    summary: 'weft doctor, health checks, metrics, logs and traces.',
  },
  {
    name: 'email',
    file: 'running/email.md',
    summary: 'How to connect a mail server, and which emails Weft sends.',
  },
  {
    name: 'identity-provider',
    file: 'running/identity-provider.md',
    summary: 'How to let members sign in with OpenID Connect.',
  },
  {
    name: 'admins',
    file: 'running/admins.md',
    summary: 'What admins see and do on the website.',
  },
  {
    name: 'data',
    file: 'running/data.md',
    summary: 'Every table, what it holds, and how long its rows are kept.',
  },
] as const

export interface WrittenText {
  readonly name: string
  /** One sentence about the content. */
  readonly summary: string
  readonly markdown: string
}

export function readGuides(publicUrl: string): WrittenText[] {
  return GUIDES.map(({ name, file, summary }) => {
    return { name, summary, markdown: readDoc(file, publicUrl) }
  })
}

/** A file of `docs/` as served. */
export function readDoc(file: string, publicUrl: string): string {
  const text = readFileSync(new URL(file, DOCS), 'utf8').replaceAll('{base_url}', publicUrl)
  // Links between guide files become links between their pages.
  return text.replaceAll(
    /\]\((?:[\w.-]+\/)*([\w-]+)\.md(#[\w-]+)?\)/g,
    (_all, name: string, anchor = '') => {
      return `](${publicUrl}/docs/${name}${String(anchor)})`
    },
  )
}
