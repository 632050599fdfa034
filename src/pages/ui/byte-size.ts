/** Human-readable file sizes. */

import { countOf } from './count-of.ts'

const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

export function sizeText(bytes: number): string {
  if (bytes < KILOBYTE) return countOf(bytes, 'byte')
  return bytes < MEGABYTE
    ? `${Math.round(bytes / KILOBYTE)}\u00A0KB`
    : `${(bytes / MEGABYTE).toFixed(1)}\u00A0MB`
}
