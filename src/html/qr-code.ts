/** QR codes as SVG. */

import { encode } from 'uqr'
import { html, type Html } from './html.ts'

/** Dark squares on white, with the quiet zone of ISO/IEC 18004, so that cameras read it in dark mode too. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
    <path d="${squares.join('')}" />
  </svg>`
}
