/** The documentation that people wrote: files of `docs/`, with this service's own address put in. */

import { readFileSync } from 'node:fs'

const DOCS = new URL('../../../docs/', import.meta.url)

/** By the name it has at `/docs/<name>`, in the order in which it is read. */
const GUIDES = [
  {
    name: 'start',
    file: 'start.md',
    summary: 'For people: join, bring your contacts, connect an agent, look after it.',
  },
  {
    name: 'connect',
    file: 'agents/connect.md',
    summary: 'The address, the ways in, credits, and how long work is waited for.',
  },
  {
    name: 'auth',
    file: 'agents/auth.md',
    summary: 'OAuth step by step, API tokens, and what to do when a call answers 401.',
  },
  {
    name: 'http',
    file: 'agents/http.md',
    summary: 'What holds for every path: pages, batches, errors, limits, retries, versions.',
  },
  {
    name: 'imports',
    file: 'imports.md',
    summary:
      'LinkedIn, Google, Outlook and vCard files: three ways in, and what an import changes.',
  },
  {
    name: 'sign-in',
    file: 'sign-in.md',
    summary: 'How members join and sign in: invitations, passwords, an identity provider.',
  },
  {
    name: 'running',
    file: 'running.md',
    summary: 'For whoever runs the service: settings, commands, the data, PostgreSQL.',
  },
] as const

export interface WrittenText {
  readonly name: string
  /** What a reader finds in it. */
  readonly summary: string
  readonly markdown: string
}

export function readGuides(publicUrl: string): WrittenText[] {
  return GUIDES.map(({ name, file, summary }) => {
    return { name, summary, markdown: readDoc(file, publicUrl) }
  })
}

/** A file of `docs/` as it is served. */
export function readDoc(file: string, publicUrl: string): string {
  const text = readFileSync(new URL(file, DOCS), 'utf8').replaceAll('{base_url}', publicUrl)
  // In the repository a guide links to the file beside it, here to its page.
  return text.replaceAll(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (_all, name: string, anchor = '') => {
    return `](${publicUrl}/docs/${name}${String(anchor)})`
  })
}
