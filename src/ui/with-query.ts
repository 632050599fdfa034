/** Paths with another query parameter. */

/** `path` may have a query; the parameters replace those of the same name. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const [page = path, query] = path.split('?', 2)
  const all = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) all.set(name, value)
  return all.size === 0 ? page : `${page}?${all.toString()}`
}
