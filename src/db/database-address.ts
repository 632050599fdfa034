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
