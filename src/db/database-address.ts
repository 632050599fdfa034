/** The location of the data: `WEFT_DATABASE`, parsed. */
export type DatabaseAddress = { readonly engine: 'sqlite'; readonly path: string } | PostgresAddress

export interface PostgresAddress {
  readonly engine: 'postgres'
  readonly url: string
  /** `WEFT_OWNER_DATABASE`: the role that owns the tables and migrates them; that of `url` by default. */
  readonly ownerUrl?: string
  /** `pool_mode=transaction` in `WEFT_DATABASE`: each transaction may get another session of the server. */
  readonly poolMode?: 'transaction' | undefined
}

/** Parses `sqlite:<file>` or `postgres://…`, which may have `pool_mode=transaction` among its parameters. */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  if (/^postgres(ql)?:\/\//.test(text)) return parsePostgresAddress(text)
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1]
  return path === undefined ? undefined : { engine: 'sqlite', path }
}

/** Without the parameter, which only Weft knows. */
function parsePostgresAddress(text: string): DatabaseAddress | undefined {
  const url = URL.parse(text)
  const poolMode = url?.searchParams.get('pool_mode') ?? undefined
  if (!url || poolMode === undefined) return { engine: 'postgres', url: text }
  url.searchParams.delete('pool_mode')
  if (poolMode === 'session') return { engine: 'postgres', url: url.href }
  return poolMode === 'transaction' ? { engine: 'postgres', url: url.href, poolMode } : undefined
}

/** Returns the address without the password. */
export function describeDatabase(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return address.path
  if (!URL.canParse(address.url)) return 'PostgreSQL'
  const { hostname, port, pathname } = new URL(address.url)
  return `PostgreSQL ${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
