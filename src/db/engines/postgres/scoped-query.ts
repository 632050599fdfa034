/**
 * One statement that acts for a member, in one round trip: the scope and the statement are sent before one Sync message, so
 * they are one implicit transaction (PostgreSQL, chapter 55.2.3). The scope ends with it. If setting the scope fails, the
 * server skips the statement.
 */

import { Query, type ClientBase, type QueryConfig, type QueryResult, type Submittable } from 'pg'

/** Names and values of settings of the server. */
export type Settings = Readonly<Record<string, string>>

/** The last argument makes the setting local to the transaction. */
const SCOPE = { name: 'weft_scope', text: "select set_config('weft.member_id', $1, true)" }

/** Prepares the statement that sets the scope. Every connection needs it before a `ScopedQuery`. */
export async function prepareScope(connection: ClientBase, timeout: number): Promise<void> {
  const query = { ...SCOPE, values: [''], query_timeout: timeout }
  await connection.query(query)
}

/**
 * `scope` is the value of the setting `weft.member_id`. With further settings of the transaction, neither statement is
 * prepared: the session may be another one each time.
 */
export function queryInScope(
  connection: ClientBase,
  scope: string,
  query: QueryConfig,
  settings?: Settings,
): Promise<QueryResult> {
  const all = settings && { 'weft.member_id': scope, ...settings }
  return new Promise((resolve, reject) => {
    connection.query(
      new ScopedQuery(all ?? scope, all ? unnamed(query) : query, (error, result) => {
        if (error) reject(error)
        else resolve(result)
      }),
    )
  })
}

/** The same statement, not prepared. */
export function unnamed({ name: _name, ...query }: QueryConfig): QueryConfig {
  return query
}

function settingStatement(settings: Settings): string {
  const calls = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 1}, true)`)
  return `select ${calls.join(', ')}`
}

type Answered = (error: Error | null, result: QueryResult) => void

/** The methods of a connection and of `Query` that `@types/pg` leaves out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(config: { readonly name: string; readonly text: string }): void
  bind(config: { readonly statement: string; readonly values: readonly string[] }): void
  execute(config: object): void
}

interface PlainQuery extends Submittable {
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: unknown): void
  submit(connection: unknown): Error | null
}

const PlainQuery = Query as unknown as new (config: QueryConfig, answered: Answered) => PlainQuery

class ScopedQuery extends PlainQuery {
  /** The scope for the prepared statement, or all settings. */
  readonly #scope: string | Settings
  /** Whether the response to the scope has arrived; what follows belongs to the statement. */
  #isScoped = false

  constructor(scope: string | Settings, query: QueryConfig, answered: Answered) {
    super(query, answered)
    this.#scope = scope
  }

  override submit(connection: unknown): Error | null {
    const wire = connection as Wire
    wire.stream.cork()
    try {
      if (typeof this.#scope === 'string')
        wire.bind({ statement: SCOPE.name, values: [this.#scope] })
      else {
        wire.parse({ name: '', text: settingStatement(this.#scope) })
        wire.bind({ statement: '', values: Object.values(this.#scope) })
      }
      wire.execute({})
      return super.submit(connection)
    } finally {
      wire.stream.uncork()
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#isScoped) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#isScoped) super.handleCommandComplete(message, connection)
    this.#isScoped = true
  }
}
