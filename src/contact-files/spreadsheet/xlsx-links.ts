// Reads the hyperlinks of a sheet (ECMA-376 part 1, 18.3.1.47), which are in the XML after its cells.

import { parse } from './xlsx-xml.ts'
import type { ZipEntry } from '../bytes/zip.ts'

/** The target by row number (as in the sheet, from 1) and column index. */
export type CellLinks = ReadonlyMap<number, ReadonlyMap<number, string>>

const MAX_LINKS = 200_000

/** `relations` has the targets; without it there are none. */
export async function readSheetLinks(
  sheet: ZipEntry,
  relations: ZipEntry | undefined,
): Promise<CellLinks> {
  const links = new Map<number, Map<number, string>>()
  const targets = await readTargets(relations)
  if (targets.size === 0) return links
  let count = 0
  await parse(sheet, {
    open(name, { ref = '', 'r:id': id = '' }) {
      const target = name === 'hyperlink' ? targets.get(id) : undefined
      if (target === undefined || count === MAX_LINKS) return
      const row = Number(/\d+/.exec(ref)?.[0])
      const inRow = links.get(row) ?? new Map<number, string>()
      links.set(row, inRow.set(columnIndex(ref), target))
      count++
    },
  })
  return links
}

/** Targets outside of the workbook, by ID. */
async function readTargets(entry: ZipEntry | undefined): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>()
  await parse(entry, {
    open(name, { Id = '', Target = '', TargetMode = '' }) {
      if (name === 'Relationship' && TargetMode === 'External' && LINK.test(Target))
        targets.set(Id, Target)
    },
  })
  return targets
}

const LINK = /^(?:https?|mailto|tel):/i

/** The target in a formula, if it is written there. */
export function formulaTarget(formula: string): string | null {
  const [, quoted = ''] = /^=?\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/i.exec(formula) ?? []
  const target = quoted.replaceAll('""', '"')
  return LINK.test(target) ? target : null
}

/** `B3` is column 1. */
export function columnIndex(reference: string): number {
  let index = 0
  for (const letter of reference.toUpperCase()) {
    if (letter < 'A' || letter > 'Z') break
    index = index * 26 + letter.charCodeAt(0) - 64
  }
  return Math.max(index - 1, 0)
}
