/** Whether a caller would rather have markdown than JSON: RFC 9110 section 12.5.1, for these two types. */

/** Markdown only when it is asked for by name, and no less than JSON. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // Nearly every caller of an API: no ranges are parsed for them.
  if (accept === undefined || !accept.includes('markdown')) return false
  const ranges = parseAccept(accept)
  const markdown = ranges.find(({ type }) => type === 'text/markdown')
  if (!markdown || markdown.quality === 0) return false
  const json = ranges.find(({ type }) => type === 'application/json')
  if (!json || json.quality !== markdown.quality)
    return markdown.quality >= (json ?? wildcard(ranges)).quality
  return markdown.place < json.place
}

interface Range {
  readonly type: string
  readonly quality: number
  readonly place: number
}

/** What the header says of JSON without naming it. */
function wildcard(ranges: readonly Range[]): Range {
  const found =
    ranges.find(({ type }) => type === 'application/*') ?? ranges.find(({ type }) => type === '*/*')
  return found ?? { type: '*/*', quality: 0, place: 0 }
}

function parseAccept(accept: string): Range[] {
  return accept
    .slice(0, 1_000)
    .split(',')
    .map((range, place) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      const value = quality === undefined ? 1 : Number(quality.slice(2))
      return { type, quality: value >= 0 && value <= 1 ? value : 0, place }
    })
}
