/** The written documentation: files of `docs/`, with the public URL of this service inserted. */

import { readFileSync } from 'node:fs'

const DOCS = new URL('../../../docs/', import.meta.url)

/** In reading order. `name` is the last part of the path `/docs/<name>`. */
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
    name: 'sign-in',
    file: 'sign-in.md',
    summary:
      'How members join and sign in: invitations, passwords, passkeys, an identity provider.',
  },
  {
    name: 'running',
    file: 'running.md',
    summary: 'For operators: settings, commands, data, PostgreSQL.',
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
  return text.replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_all, name: string, anchor = '') => {
    return `](${publicUrl}/docs/${name}${String(anchor)})`
  })
}
