/**
 * Sizes for people. One unit is 1,024 of the unit below, as in every limit of Weft: an upload of 50 MB has at most
 * 50 × 1,024 × 1,024 bytes.
 */

export const MEGABYTE = 1024 * 1024

/** `1.4 MB`, `84 MB`, `1.2 GB`, with a no-break space. One decimal below ten. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1000 ? inUnit(megabytes, 'MB') : inUnit(megabytes / 1024, 'GB')
}

function inUnit(size: number, unit: string): string {
  const isExact = size >= 10 || (size >= 1 && Number.isInteger(size))
  return `${isExact ? Math.round(size) : size.toFixed(1)}\u00A0${unit}`
}
