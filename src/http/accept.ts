/** Which representation a caller would rather have: RFC 9110 section 12.5. */

/**
 * Whether `type` is to be sent rather than `usual`, which everybody else gets: only when the Accept header asks for it
 * by name, and no less than for the usual one. Of two that are asked for alike, the one named first.
 */
export function prefers(accept: string | undefined, type: string, usual: string): boolean {
  // Nearly every caller of an API: no ranges are parsed for them.
  if (accept === undefined || !accept.toLowerCase().includes(type)) return false
  const ranges = parseAccept(accept)
  const asked = ranges.find((range) => range.type === type)
  if (!asked || asked.quality === 0) return false
  const other = ranges.find((range) => range.type === usual)
  if (!other || other.quality !== asked.quality)
    return asked.quality >= (other ?? wildcard(ranges, usual)).quality
  return asked.place < other.place
}

/** Whether the Accept header takes this type, by its name or a wildcard: the most specific range decides. No header takes none. */
export function acceptsType(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return false
  const ranges = parseAccept(accept)
  return (ranges.find((range) => range.type === type) ?? wildcard(ranges, type)).quality > 0
}

/** Whether an Accept-Encoding header names this coding (RFC 9110 section 12.5.3); `*` is no name. */
export function accepts(acceptEncoding: string | undefined, coding: string): boolean {
  if (acceptEncoding === undefined) return false
  return parseAccept(acceptEncoding).some(({ type, quality }) => type === coding && quality > 0)
}

interface Range {
  readonly type: string
  readonly quality: number
  readonly place: number
}

/** What the header says of a type without naming it. */
function wildcard(ranges: readonly Range[], type: string): Range {
  const family = type.replace(/\/.*/, '/*')
  const found =
    ranges.find((range) => range.type === family) ?? ranges.find((range) => range.type === '*/*')
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
