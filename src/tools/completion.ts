/** Completions of tool arguments from the member's own data. */

import type { AgentLimits } from '../http/caller.ts'
import type { ReadCall } from './tool.ts'

/**
 * Best match first, at most `MAX_COMPLETIONS`. Called on every keystroke and free of charge, so it returns only names and
 * IDs, and nothing for empty input. Reading other data costs credits.
 */
export type CompleteArgument = (
  db: ReadCall['db'],
  typed: string,
  limits: AgentLimits,
) => Promise<readonly string[]>

export const MAX_COMPLETIONS = 10
