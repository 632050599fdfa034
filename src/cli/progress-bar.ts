/** How far a command is, for whoever waits at a terminal. */

import type { WriteStream } from 'node:tty'
import type { JobProgress } from '../jobs/job.ts'
import type { Terminal } from './terminal.ts'

export interface ProgressBar {
  show(progress: JobProgress): void
  stop(): void
}

/** A bar on a terminal, counted in hundredths; nothing at all where no terminal is. */
export async function progressBar(
  { stderr }: Terminal,
  doing: string,
  done: string,
): Promise<ProgressBar> {
  if (stderr.isTTY !== true) return { show: () => {}, stop: () => {} }
  const { progress } = await import('@clack/prompts')
  const bar = progress({ max: 100, size: 30, output: stderr as WriteStream })
  let shown = 0
  bar.start(doing)
  return {
    show({ done: sofar, total, message }) {
      const reached =
        total === null || total === 0 ? 0 : Math.floor((100 * Math.min(sofar, total)) / total)
      bar.advance(Math.max(0, reached - shown), `${reached} %  ${message ?? ''}`)
      shown = Math.max(shown, reached)
    },
    stop: () => bar.stop(done),
  }
}
