/** A database whose transactions, searches and computations are spans of traces. Statements and values are not in them. */

import type { Trace } from '../base/monitoring/tracing.ts'
import type {
  ComputeOptions,
  Database,
  MemberDatabase,
  MemberReader,
  Reader,
  WriteOptions,
} from './database.ts'

/** The names of `db.system.name` in OpenTelemetry's semantic conventions. */
const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const

type InSpan = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Disposing the returned database disposes `database`. */
export function traceDatabase(
  database: Database,
  engine: keyof typeof SYSTEMS,
  trace: Trace,
): Database {
  const attributes = { 'db.system.name': SYSTEMS[engine] }
  const inSpan: InSpan = (name, work) => trace({ name, kind: 'client', attributes }, work)
  return {
    get: (statement, params) => database.get(statement, params),
    all: (statement, params) => database.all(statement, params),
    heavy: traceReader(database.heavy, inSpan),
    anonymous: traceReader(database.anonymous, inSpan),
    get memoryBytes() {
      return database.memoryBytes
    },
    get memory() {
      return database.memory
    },
    compute: (computation, input, options?: ComputeOptions) =>
      inSpan(`compute ${computation.name}`, () => database.compute(computation, input, options)),
    write: (work, options) => inSpan(nameOf(options), () => database.write(work, options)),
    member: (memberId) => traceMember(database.member(memberId), inSpan),
    shareRead: (key, read) => database.shareRead(key, read),
    erase: () => database.erase(),
    describe: () => database.describe(),
    isReady: () => database.isReady(),
    clockAheadMs: () => database.clockAheadMs(),
    usage: () => database.usage(),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

function traceReader(reader: Reader, inSpan: InSpan): Reader {
  return {
    get: (statement, params) => inSpan('search', () => reader.get(statement, params)),
    all: (statement, params) => inSpan('search', () => reader.all(statement, params)),
  }
}

function traceMember(member: MemberDatabase, inSpan: InSpan): MemberDatabase {
  const { memberId, heavy } = member
  const search: MemberReader = {
    memberId,
    get: (statement, params) => inSpan('search', () => heavy.get(statement, params)),
    all: (statement, params) => inSpan('search', () => heavy.all(statement, params)),
  }
  return {
    memberId,
    heavy: search,
    get memory() {
      return member.memory
    },
    get: (statement, params) => member.get(statement, params),
    all: (statement, params) => member.all(statement, params),
    compute: (computation, input, options?: ComputeOptions) =>
      inSpan(`compute ${computation.name}`, () => member.compute(computation, input, options)),
    write: (work, options) => inSpan(nameOf(options), () => member.write(work, options)),
    change: (change, params) => inSpan('transaction', () => member.change(change, params)),
  }
}

function nameOf({ bulk = false }: WriteOptions = {}): string {
  return bulk ? 'bulk transaction' : 'transaction'
}
