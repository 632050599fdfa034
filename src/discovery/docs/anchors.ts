/** The anchors of headings, as GitHub makes them, so that links lead to the same place there and here. */

/** For one document: a heading that comes again is numbered. */
export function anchors(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
}
