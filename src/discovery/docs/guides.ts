/** The written documentation: files of `docs/`, with the public URL of this service inserted. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readDataSections } from '../../base/data-file.ts'

const DOCS = new URL('../../../docs/', import.meta.url)

/** Who a document is for. */
export type Readers = 'Members' | 'Agents and programs' | 'Operators'

export interface WrittenText {
  readonly name: string
  readonly readers: Readers
  /** One sentence about the content. */
  readonly summary: string
  readonly markdown: string
}

/** In reading order. The name of a file is the last part of its path `/docs/<name>`. */
export function readGuides(publicUrl: string): WrittenText[] {
  const sections = readDataSections(new URL('data/guides.txt', import.meta.url))
  return [...sections].flatMap(([readers, lines]) =>
    lines.map((line) => {
      const [file = '', summary = ''] = line.split(' = ')
      const markdown = readDoc(file, publicUrl)
      return { name: basename(file, '.md'), readers: readers as Readers, summary, markdown }
    }),
  )
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
