/** The log: buffered JSON lines on standard error or a stream, with secrets redacted. */

import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Fields that may carry a secret are redacted at the first two levels. */
const SECRET_FIELDS = ['authorization', 'token', 'password', 'secret', 'cookie'].flatMap(
  (field) => [field, `*.${field}`],
)

/** `destination` defaults to standard error. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS, censor: '[cut]' },
    },
    destination,
  )
}

/** For frequent lines with fixed fields that carry no secret: redaction takes longer than writing the line. */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { redact: [] })
}
