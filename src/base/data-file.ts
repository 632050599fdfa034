/** Reads the text files in `data/` folders, such as word lists. Callers read them on first use, with `lazy`. */

import { readFileSync } from 'node:fs'
import { lazy } from './lazy.ts'

/** The lines that are neither empty nor comments, which start with `#`. */
export function readDataLines(file: URL): string[] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

/** The lines of each section; `[section]` starts one. */
export function readDataSections(file: URL): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>()
  let current: string[] = []
  for (const line of readDataLines(file)) {
    const section = /^\[(.+)\]$/.exec(line)?.[1]
    if (section === undefined) current.push(line)
    else sections.set(section, (current = []))
  }
  return sections
}

/** Returns a function for the words of each line in a section. The first call reads the file. */
export function wordLinesOf(file: URL): (section: string) => readonly (readonly string[])[] {
  const sections = lazy(() => readDataSections(file))
  return (section) => {
    const lines = sections().get(section)
    if (lines === undefined) throw new Error(`${file.pathname} has no section [${section}].`)
    return lines.map((line) => line.trim().split(/\s+/))
  }
}

/** The meanings in lines such as `home = home | private`, by the words for them. */
export function readDataMeanings(file: URL): ReadonlyMap<string, string> {
  const pairs = readDataLines(file).map((line) => line.split(' = '))
  return new Map(
    pairs.flatMap(([meaning = '', words = '']) =>
      words.split(' | ').map((word) => [word, meaning] as const),
    ),
  )
}
