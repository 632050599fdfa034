// The labels of emails, phone numbers, addresses and dates, as address books write them.

import { readDataMeanings } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'

/** `* Work`, `WORK` and Apple's `_$!<Work>!$_` are `work`; custom labels are kept. */
export function normalizedLabel(text: string): string {
  const bare = text
    .replace(/^_\$!<|>!\$_$/g, '')
    .replace(/^\* */, '')
    .trim()
  const lower = bare
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[ _-]+/g, ' ')
  return known().get(lower) ?? bare
}

const known = lazy(() => readDataMeanings(new URL('data/labels.txt', import.meta.url)))
