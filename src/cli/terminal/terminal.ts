/** The parts of the process that a command uses. */

import type { ReadStream, WriteStream } from 'node:tty'
import type { Environment } from '../../config/settings.ts'

export interface Terminal {
  readonly environment: Environment
  /** Input from a person or another program. */
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  /** Results only, so that another program can read them. */
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  /** Messages for people. */
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>
  /** Calls `stop` when the process receives a stop signal. */
  onStop(stop: (signal: string) => void): void
}

/** Thrown by a command that a signal stops early. Its exit code is the shell's code for that signal. */
export class StoppedBySignal extends Error {
  readonly signal: string

  constructor(signal: string, message: string) {
    super(message)
    this.name = 'StoppedBySignal'
    this.signal = signal
  }
}

/** Aborts when the process receives a stop signal; the reason is the name of the signal. */
export function stopSignal(terminal: Terminal): AbortSignal {
  const stop = new AbortController()
  terminal.onStop((signal) => stop.abort(signal))
  return stop.signal
}

/** The scripts in package.json that start Weft. */
const NPM_SCRIPTS = new Set(['start', 'dev', 'weft'])

/** A command to paste, with npm if npm started this process. */
export function commandLine({ environment }: Terminal, args: string): string {
  const isNpmScript = NPM_SCRIPTS.has(environment['npm_lifecycle_event'] ?? '')
  return `${isNpmScript ? 'npm run -s weft --' : 'weft'} ${args}`
}

/** Writes a line of the result. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`)
}

/** Writes a message for people. It may contain names that members typed, so characters that could move the cursor become spaces. */
export function say(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text.split('\n').map(visible).join('\n')}\n`)
}

/** With spaces instead of control characters and marks of direction, but with the joiners of emoji. */
export function visible(text: string): string {
  return text.replace(/[^\P{C}\u200d]/gu, ' ')
}

/** `1 member`, `2 members` */
export function plural(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${countText(number)} ${noun}s`
}

/** As `1,204`. */
export function countText(number: number): string {
  return number.toLocaleString('en')
}
