/** URLs of the directory with its search parameters. */

export interface DirectoryQuery {
  readonly q?: string | undefined
  /** The cursor from the previous page. */
  readonly cursor?: string | undefined
}

export function addressOf(path: string, { q, cursor }: DirectoryQuery): string {
  const query = new URLSearchParams({
    ...(q !== undefined && q !== '' && { q }),
    ...(cursor !== undefined && { cursor }),
  })
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
