/** A progress bar on a terminal. */

import { systemClock, type Clock } from '../../base/clock.ts'
import { TimeLeft } from '../../jobs/time-left.ts'
import type { JobProgress } from '../../jobs/job.ts'
import { cutToWidth } from './table.ts'
import type { Terminal } from './terminal.ts'

interface ProgressBar {
  show(progress: JobProgress): void
  /** Removes the bar, so that the next output starts on an empty line. */
  stop(): void
}

const WIDTH = 30
/** Some terminals report 0 columns. */
const DEFAULT_COLUMNS = 80
/** Moves to the start of the line and clears it; ECMA-48 section 8.3.41. */
const CLEAR_LINE = '\r\u001B[2K'

/**
 * Writes nothing if standard error is not a terminal.
 *
 * Not from a prompt library: those read the keyboard, and their Ctrl-C ends the process with exit code 0.
 */
export function progressBar(
  { stderr }: Terminal,
  label: string,
  clock: Clock = systemClock,
): ProgressBar {
  if (stderr.isTTY !== true) return { show: () => {}, stop: () => {} }
  const timeLeft = new TimeLeft()
  let current = ''
  return {
    show(progress) {
      const room = (stderr.columns || DEFAULT_COLUMNS) - 1
      const short = cutToWidth(lineOf(label, progress), room)
      const left = timeLeft.observe(progress, clock.now())
      const long = left === undefined ? short : `${short}, ${left}`
      const line = cutToWidth(long, room) === long ? long : short
      if (line !== current) stderr.write(`${CLEAR_LINE}${line}`)
      current = line
    },
    stop() {
      if (current !== '') stderr.write(CLEAR_LINE)
      current = ''
    },
  }
}

function lineOf(label: string, { done, total, message }: JobProgress): string {
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const filled = Math.floor(WIDTH * share)
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
  const percent = String(Math.floor(100 * share)).padStart(3)
  return `${label}  ${bar} ${percent} %  ${message ?? ''}`
}
