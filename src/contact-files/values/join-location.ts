// Joins the parts of an address.

/** City, region and country, as far as known, on one line. */
export function joinLocation(parts: readonly string[]): string {
  const known = parts.map((part) => part.trim()).filter((part) => part !== '')
  return [...new Set(known)].join(', ')
}
