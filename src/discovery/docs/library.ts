/** The complete documentation: written guides and generated references. */

import { endpointReference } from './endpoint-reference.ts'
import { readGuides, type WrittenText } from './guides.ts'
import { jobReference } from './job-reference.ts'
import {
  indexSections,
  searchSections,
  type Document,
  type Hit,
  type SectionIndex,
} from './docs-search.ts'
import { toolReference } from './tool-reference.ts'
import type { Route } from '../../http/route.ts'
import type { Job } from '../../jobs/job.ts'
import type { Tool } from '../../tools/tool.ts'

interface LibraryDeps {
  readonly publicUrl: string
  readonly tools: readonly Tool[]
  readonly jobs: readonly Job[]
  /** All routes of the service, once they are known. */
  readonly routes: () => readonly Route[]
}

export interface Library {
  documents(): readonly Document[]
  find(name: string): Document | undefined
  /** Matching sections, best first. */
  search(query: string, limit: number): Hit[]
}

/** Assembled on first use, when all routes are known. */
export function createLibrary(deps: LibraryDeps): Library {
  let documents: readonly Document[] | undefined
  let index: SectionIndex | undefined
  const all = () => (documents ??= writeDocuments(deps))
  return {
    documents: all,
    find: (name) => all().find((document) => document.name === name),
    search: (query, limit) => searchSections((index ??= indexSections(all())), query, limit),
  }
}

function writeDocuments({ publicUrl, tools, jobs, routes }: LibraryDeps): Document[] {
  const made: WrittenText[] = [
    {
      name: 'tools',
      summary: 'Every tool with its arguments, effect and cost.',
      markdown: toolReference(tools),
    },
    {
      name: 'jobs',
      summary: 'Long-running jobs: how to start and poll them, and all job kinds.',
      markdown: jobReference(jobs, publicUrl),
    },
    {
      name: 'endpoints',
      summary: 'Every path of the HTTP API with its parameters and responses.',
      markdown: endpointReference(routes(), publicUrl),
    },
  ]
  return [...readGuides(publicUrl), ...made].map(({ name, summary, markdown }) => {
    return { name, title: titleOf(markdown), summary, url: `${publicUrl}/docs/${name}`, markdown }
  })
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}
