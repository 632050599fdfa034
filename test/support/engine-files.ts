/** Finds the test files that depend on the engine: those that open a database or start a program that does. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The modules that open databases for tests, directly or in another process. */
const OPENS_DATABASES = /(?:^|\/)test\/support\/(?:store|postgres|command-line)\.ts$/

/** @param file - relative to the project's folder, like the result */
export function usesDatabase(file: string, seen = new Set<string>()): boolean {
  if (OPENS_DATABASES.test(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some((imported) => usesDatabase(imported, seen))
}

const imports = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const known = imports.get(file)
  if (known) return known
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    // Text that looks like an import, as in test/exports.test.ts, names no file.
    .filter((path) => existsSync(path))
  imports.set(file, found)
  return found
}
