/** The complete documentation: written guides, and the reference of tools. */

import { phrase } from '../../languages/message.ts'
import { readGuides, type Readers, type WrittenText } from './guides.ts'
import {
  indexSections,
  searchSections,
  type Document,
  type Hit,
  type SectionIndex,
} from './docs-search.ts'
import { toolReference } from './tool-reference.ts'
import type { Tool } from '../../tools/tool.ts'

interface LibraryDeps {
  readonly publicUrl: string
  readonly tools: readonly Tool[]
}

/** What pages in other languages say. */
export const LANGUAGE_NOTE = phrase('The documentation is in English.')

export interface Library {
  documents(): readonly Document[]
  /** The same by readers. */
  groups(): readonly (readonly [Readers, readonly Document[]])[]
  find(name: string): Document | undefined
  /** Matching sections, best first. */
  search(query: string, limit: number): Hit[]
}

/** Assembled on first use. */
export function createLibrary(deps: LibraryDeps): Library {
  let documents: readonly Document[] | undefined
  let index: SectionIndex | undefined
  const all = () => (documents ??= writeDocuments(deps))
  return {
    documents: all,
    groups: () => [...Map.groupBy(all(), ({ readers }) => readers)],
    find: (name) => all().find((document) => document.name === name),
    search: (query, limit) => searchSections((index ??= indexSections(all())), query, limit),
  }
}

function writeDocuments({ publicUrl, tools }: LibraryDeps): Document[] {
  const made: WrittenText[] = [
    {
      name: 'tools',
      readers: 'Agents and programs',
      summary: 'Every tool with its arguments, effect and cost.',
      markdown: toolReference(tools),
    },
  ]
  return [...readGuides(publicUrl), ...made].map((text) =>
    Object.assign(text, {
      title: titleOf(text.markdown),
      url: `${publicUrl}/docs/${text.name}`,
    }),
  )
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}
