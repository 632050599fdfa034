/** A database that records the text of every statement, for tests of statements. */

import { changeText } from '../../src/db/statement.ts'
import type { Database } from '../../src/db/database.ts'

const ASKING = new Set<PropertyKey>(['get', 'all', 'run', 'change'])

type Method = (...values: readonly unknown[]) => unknown

export function recordStatements(database: Database, texts: Set<string>): Database {
  return recorded(database, texts)
}

/** Handles that it returns (members, transactions, readers) are recorded as well. */
function recorded<T extends object>(handle: T, texts: Set<string>): T {
  return new Proxy(handle, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (property === 'heavy') return recorded(value as object, texts)
      if (typeof value !== 'function') return value
      const method = value as Method
      return (...values: readonly unknown[]) => {
        if (ASKING.has(property)) texts.add(textOf(values[0] as Asked))
        if (property === 'write')
          return method.call(target, withRecording(values[0], texts), values[1])
        const result = method.apply(target, [...values])
        return property === 'member' ? recorded(result as object, texts) : result
      }
    },
  })
}

type Asked = { readonly text: string } | { readonly update: string; readonly record: string }

function textOf(asked: Asked): string {
  return 'text' in asked ? asked.text : changeText(asked)
}

function withRecording(work: unknown, texts: Set<string>): Method {
  return (tx) => (work as Method)(recorded(tx as object, texts))
}
