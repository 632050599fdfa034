/** Where the directory is, and the address of what was asked of it. */

export interface Asked {
  readonly q?: string | undefined
  /** Where the page before ended. */
  readonly cursor?: string | undefined
}

export function addressOf(path: string, { q, cursor }: Asked): string {
  const query = new URLSearchParams({
    ...(q !== undefined && q !== '' && { q }),
    ...(cursor !== undefined && { cursor }),
  })
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
