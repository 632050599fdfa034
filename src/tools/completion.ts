/** What an argument could be, as far as it is typed: help while typing, from the member's own data. */

import type { ReadCall } from './tool.ts'

/**
 * Best first, at most `MAX_COMPLETIONS`. It is asked at every key and charged for at none, so it tells names and ids
 * alone, and nothing before something is typed: what else there is to read has its price.
 */
export type CompleteArgument = (db: ReadCall['db'], typed: string) => Promise<readonly string[]>

export const MAX_COMPLETIONS = 10
