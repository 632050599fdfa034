/** Log lines for people: time, level, message, then the other fields. Programs get JSON lines. */

import type { DestinationStream } from 'pino'
import type { Terminal } from './terminal.ts'

/** A destination for `createLog` if standard error is a terminal; undefined otherwise, for JSON lines. */
export function readableLog({ stderr }: Pick<Terminal, 'stderr'>): DestinationStream | undefined {
  if (stderr.isTTY !== true) return undefined
  return { write: (line) => void stderr.write(`${readableLine(line)}\n`) }
}

const LEVELS: Readonly<Record<number, string>> = {
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
}

interface LogLine {
  readonly level: number
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [field: string]: unknown
}

/** From one JSON line of pino. */
export function readableLine(line: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as LogLine
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`)
  const first = [time.slice(11, 19), (LEVELS[level] ?? String(level)).padEnd(5), msg, ...pairs]
  const stack = err?.stack ?? err?.message
  return [
    clean(first.join(' ')),
    ...(stack === undefined ? [] : stack.split('\n').map(clean)),
  ].join('\n')
}

function textOf(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

/** Control characters could move the cursor. */
function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
