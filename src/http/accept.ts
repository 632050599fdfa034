/** Which representation a caller would rather have: RFC 9110 section 12.5. */

/** The one of `offers` that the Accept header prefers; the first where it prefers none, or there is no header. */
export function negotiate<Type extends string>(
  accept: string | undefined,
  offers: readonly [Type, ...Type[]],
): Type {
  return offers.reduce((best, offer) => (prefers(accept, offer, best) ? offer : best))
}

/**
 * Whether `type` is to be sent rather than `usual`, which everyone else gets. A range such as `text/*` counts for each
 * type in it. Of two types with the same quality, the one with the more specific range wins, then the one named first.
 */
export function prefers(accept: string | undefined, type: string, usual: string): boolean {
  // Nearly every caller of an API: no ranges are parsed for them.
  if (accept === undefined || accept === '*/*') return false
  const ranges = parseAccept(accept)
  const asked = findRange(ranges, type)
  const other = findRange(ranges, usual)
  if (!asked || asked.quality === 0) return false
  if (!other || other.quality === 0) return true
  const difference =
    asked.quality - other.quality ||
    specificity(asked) - specificity(other) ||
    other.place - asked.place
  return difference > 0
}

/** Whether an Accept header names this very type, not only a range that it is in. */
export function names(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return false
  return parseAccept(accept).some((range) => range.type === type && range.quality > 0)
}

/** Whether the Accept header takes this type, by its name or a wildcard: the most specific range decides. No header takes none. */
export function acceptsType(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return false
  return (findRange(parseAccept(accept), type)?.quality ?? 0) > 0
}

/** Whether an Accept-Encoding header names this coding (RFC 9110 section 12.5.3); `*` is no name. */
export function accepts(acceptEncoding: string | undefined, coding: string): boolean {
  return names(acceptEncoding, coding)
}

interface Range {
  readonly type: string
  readonly quality: number
  readonly place: number
}

/** The most specific range that the type is in. */
function findRange(ranges: readonly Range[], type: string): Range | undefined {
  const family = type.replace(/\/.*/, '/*')
  for (const name of [type, family, '*/*']) {
    const found = ranges.find((range) => range.type === name)
    if (found) return found
  }
  return undefined
}

function specificity({ type }: Range): number {
  return type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2
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
