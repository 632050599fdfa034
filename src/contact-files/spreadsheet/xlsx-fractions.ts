// Fractions in cells: `# ?/?` shows 2.5 as 2 1/2, `# ?/8` as 2 4/8 (ECMA-376 part 1, 18.8.31).

export interface FractionFormat {
  /** Whether the whole part is apart from the fraction. */
  readonly isMixed: boolean
  /** Denominators up to this one; the only one if `isFixed`. */
  readonly denominator: number
  readonly isFixed: boolean
}

/** `spaced` is a format code without texts. Null if it shows no fraction. */
export function fractionIn(spaced: string): FractionFormat | null {
  const [, whole = '', below = ''] = FRACTION.exec(spaced) ?? []
  if (below === '') return null
  const isFixed = /^[1-9]\d*$/.test(below)
  const denominator = isFixed ? Number(below) : 10 ** Math.min(below.length, MAX_PLACES) - 1
  return denominator > MAX_DENOMINATOR ? null : { isMixed: whole !== '', denominator, isFixed }
}

const FRACTION = /^\s*(?:([#0?]+)\s+)?[#0?]+\s*\/\s*([#0?]+|\d+)\s*$/
const MAX_PLACES = 3
const MAX_DENOMINATOR = 999

/** Without a sign. */
export function fractionText(value: number, format: FractionFormat): string {
  const size = Math.abs(value)
  const whole = format.isMixed ? Math.floor(size) : 0
  const [above, below] = nearest(size - whole, format)
  if (above === 0) return String(whole)
  if (format.isMixed && above === below) return String(whole + 1)
  return whole === 0 ? `${above}/${below}` : `${whole} ${above}/${below}`
}

/** The simplest of the nearest fractions. */
function nearest(value: number, { denominator, isFixed }: FractionFormat): [number, number] {
  if (isFixed) return [Math.round(value * denominator), denominator]
  let best: [number, number] = [Math.round(value), 1]
  const errorOf = ([above, below]: readonly [number, number]) => Math.abs(value - above / below)
  for (let below = 2; below <= denominator; below += 1) {
    const next: [number, number] = [Math.round(value * below), below]
    if (errorOf(next) < errorOf(best) - SAME) best = next
  }
  return best
}

/** Fractions that differ less are one: 1/3 and 2/6. */
const SAME = 1e-12
