/**
 * Brings the catalogs of `src/languages/catalogs/` up to date with the source: adds new messages with an empty
 * translation, removes unused ones, and sorts them by source file. Prints what is left to translate.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { LANGUAGES } from '../src/languages/language.ts'
import { sourceMessages } from './source-messages.ts'

const FOLDER = join(import.meta.dirname, '../src/languages/catalogs')

const messages = new Set([...sourceMessages().values()].flat())
for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
  const path = join(FOLDER, `${language}.json`)
  const known = new Map(Object.entries<string>(JSON.parse(readFileSync(path, 'utf8'))))
  const catalog = [...messages].map((message) => [message, known.get(message) ?? ''] as const)
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(catalog), null, 2)}\n`)
  const missing = catalog.filter(([, text]) => text === '').map(([message]) => message)
  process.stdout.write(`${language}: ${missing.length} to translate\n`)
  for (const message of missing) process.stdout.write(`  ${JSON.stringify(message)}\n`)
}
