/** Work that is done in slices, so that other work runs in between. */

interface SliceLimits {
  /** How long a slice should take, in milliseconds. */
  readonly target: number
  readonly min: number
  readonly max: number
}

/** How many items the next slice should have, from how long the last one took. At most doubles. */
export function nextSliceSize(
  size: number,
  milliseconds: number,
  { target, min, max }: SliceLimits,
): number {
  const factor = Math.min(2, target / Math.max(milliseconds, 1))
  return Math.min(max, Math.max(min, Math.round(size * factor)))
}
