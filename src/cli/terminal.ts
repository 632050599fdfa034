/** What a command is given of the process it runs in. */

import type { ReadStream, WriteStream } from 'node:tty'
import type { Environment } from '../service/config.ts'

export interface Terminal {
  readonly environment: Environment
  /** What a person types, or another program hands over. */
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  /** Results alone, so that another program can read them. */
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  /** Everything said to the person. */
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  /** Calls back when the person or the system asks the process to stop. */
  onStop(stop: (signal: string) => void): void
}

/** Thrown by a command that was asked to stop before it was done. Its exit code is the shell's for the signal. */
export class StoppedBySignal extends Error {
  readonly signal: string

  constructor(signal: string, message: string) {
    super(message)
    this.name = 'StoppedBySignal'
    this.signal = signal
  }
}

/** Aborts when the person or the system asks the process to stop; the reason is the name of the signal. */
export function stopSignal(terminal: Terminal): AbortSignal {
  const stop = new AbortController()
  terminal.onStop((signal) => stop.abort(signal))
  return stop.signal
}

/** Writes a line of result. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`)
}

/** Writes a line for the person. */
export function say(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${line}\n`)
}

/** Rows under their headings, columns as wide as they need; nothing a row holds can move the cursor. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = [headings, ...rows].map((row) => row.map((cell) => cell.replace(/\p{C}/gu, ' ')))
  const widths = headings.map((_, column) =>
    Math.max(...clean.map((row) => row[column]?.length ?? 0)),
  )
  return clean
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
