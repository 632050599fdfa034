/**
 * The log: buffered JSON lines on standard error or a stream, with secrets redacted. An outage of the database, or of
 * another server, takes one line per cause and minute; errors that are bugs are logged with their stack each time.
 */

import { pino, type DestinationStream, type Logger } from 'pino'
import { MINUTE } from './clock.ts'
import { RequestError } from './request-error.ts'

export type Log = Logger

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/** Fields that may carry a secret are redacted at the first two levels. */
const SECRET_FIELDS = ['authorization', 'token', 'password', 'secret', 'cookie'].flatMap(
  (field) => [field, `*.${field}`],
)

/** `destination` defaults to standard error. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): Log {
  const outages = new RepeatedLines()
  return pino(
    {
      hooks: {
        logMethod(args, write) {
          const [fields, message] = args as readonly unknown[]
          const error = outageOf(fields)
          if (!error) return write.apply(this, args)
          const { message: text, cause } = error
          const { err: _, ...others } = fields as Record<string, unknown>
          const shared = { error: text, cause: textOf(cause) }
          outages.write(`${text} ${shared.cause}`, (repeats) =>
            write.apply(
              this,
              repeats === 0
                ? [{ ...others, ...shared }, String(message)]
                : [{ ...shared, repeats }, 'more failures with this cause'],
            ),
          )
        },
      },
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS, censor: '[cut]' },
    },
    destination,
  )
}

/** Skips redaction for frequent lines whose fixed fields carry no secret. It takes longer than writing the line. */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { redact: [] })
}

/** The maximum number of causes to count separately. An outage has a few; more would be messages with varying text. */
const MAX_KEYS = 50

/** Writes the first of several similar lines, and then one per minute with the number of those that it left out. */
export class RepeatedLines {
  /** How many lines of a key were left out since the last one that was written. */
  readonly #repeats = new Map<string, number>()

  /** `write` gets the number of lines that this one stands for in addition to those written before; 0 for the first. */
  write(text: string, write: (repeats: number) => void): void {
    const similar = text.replaceAll(/\d+/g, '#')
    const key = this.#repeats.size < MAX_KEYS || this.#repeats.has(similar) ? similar : ''
    const repeats = this.#repeats.get(key)
    if (repeats !== undefined) {
      this.#repeats.set(key, repeats + 1)
      return
    }
    write(0)
    this.#leaveOut(key, write)
  }

  #leaveOut(key: string, write: (repeats: number) => void): void {
    this.#repeats.set(key, 0)
    setTimeout(() => {
      const repeats = this.#repeats.get(key) ?? 0
      this.#repeats.delete(key)
      if (repeats === 0) return
      write(repeats)
      this.#leaveOut(key, write)
    }, MINUTE).unref()
  }
}

/** The error of a line that reports an outage, not a bug. */
function outageOf(fields: unknown): RequestError | undefined {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return undefined
  const { err } = fields
  return err instanceof RequestError && err.code === 'unavailable' && err.isFailure
    ? err
    : undefined
}

/** Connecting to a host with several addresses fails with one error per address and no message. */
function textOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(textOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
