/** Number formatting. */

import { lazy } from '../../base/lazy.ts'

/** `1,204` */
export function numberText(number: number): string {
  return NUMBER().format(number)
}

/** `+1,000`, `-5` */
export function signedText(number: number): string {
  return SIGNED().format(number)
}

const NUMBER = lazy(() => new Intl.NumberFormat('en'))
const SIGNED = lazy(() => new Intl.NumberFormat('en', { signDisplay: 'exceptZero' }))
