/** How far a command is, for the person at a terminal. */

import type { JobProgress } from '../jobs/job.ts'
import type { Terminal } from './terminal.ts'

export interface ProgressBar {
  show(progress: JobProgress): void
  /** Removes the bar, so that what is printed next starts at the beginning of a line. */
  stop(): void
}

const WIDTH = 30
/** Moves to the beginning of the line and clears it; ECMA-48 section 8.3.41. */
const CLEAR_LINE = '\r\u001B[2K'

/**
 * A bar on a terminal; nothing where standard error is something else.
 *
 * Written here because a bar of a prompt library reads the keyboard, and its Ctrl-C then ends the process with 0.
 */
export function progressBar({ stderr }: Terminal, doing: string): ProgressBar {
  if (stderr.isTTY !== true) return { show: () => {}, stop: () => {} }
  let shown = ''
  return {
    show(progress) {
      const line = lineOf(doing, progress).slice(0, (stderr.columns ?? 80) - 1)
      if (line !== shown) stderr.write(`${CLEAR_LINE}${line}`)
      shown = line
    },
    stop() {
      if (shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
    },
  }
}

function lineOf(doing: string, { done, total, message }: JobProgress): string {
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const filled = Math.floor(WIDTH * share)
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
  const percent = String(Math.floor(100 * share)).padStart(3)
  return `${doing}  ${bar} ${percent} %  ${message ?? ''}`
}
