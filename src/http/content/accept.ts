/**
 * Content negotiation with the Accept header (RFC 9110 section 12.5). Parameters other than `q` are ignored, so that
 * `application/json;charset=utf-8` accepts JSON. The `negotiator` package would reject that type.
 */

/** Returns the type in `offers` that the Accept header prefers. Defaults to the first, also without a header. */
export function negotiate<Type extends string>(
  accept: string | undefined,
  offers: readonly [Type, ...Type[]],
): Type {
  return offers.reduce((best, offer) => (prefers(accept, offer, best) ? offer : best))
}

/**
 * Whether to send `type` instead of the default type `usual`. A range such as `text/*` matches every type in it. When
 * both have the same quality, the more specific range wins, then the one listed first.
 */
export function prefers(accept: string | undefined, type: string, usual: string): boolean {
  // Fast path: most API clients send no Accept header or the wildcard.
  if (accept === undefined || accept === '*/*') return false
  const ranges = parseAccept(accept)
  const match = findRange(ranges, type)
  const fallback = findRange(ranges, usual)
  if (!match || match.quality === 0) return false
  if (!fallback || fallback.quality === 0) return true
  const difference =
    match.quality - fallback.quality ||
    specificity(match) - specificity(fallback) ||
    fallback.index - match.index
  return difference > 0
}

/** Whether an Accept or Accept-Encoding header names exactly this, not only a range that includes it, such as `*`. */
export function names(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return false
  return parseAccept(accept).some((range) => range.type === type && range.quality > 0)
}

/** Whether the Accept header accepts this type, by name or wildcard; the most specific range decides. False without a header. */
export function acceptsType(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return false
  return (findRange(parseAccept(accept), type)?.quality ?? 0) > 0
}

/** What an Accept or Accept-Language header names (RFC 9110 sections 12.5.1 and 12.5.4), in lower case, most preferred first. */
export function namesByPreference(header: string | undefined): readonly string[] {
  return parseAccept(header ?? '')
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ type }) => type)
}

interface Range {
  readonly type: string
  readonly quality: number
  readonly index: number
}

/** The most specific range that matches the type. */
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
    .map((range, index) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      const value = quality === undefined ? 1 : Number(quality.slice(2))
      return { type, quality: value >= 0 && value <= 1 ? value : 0, index }
    })
}
