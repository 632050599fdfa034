/** How to pass on a public profile: its URL, the share menu of the device, and a QR code for someone beside you. */

import { t } from '../../languages/message.ts'
import { encode } from 'uqr'
import { html, type Html } from '../../html/html.ts'
import { copyable, panel } from '../ui/sections.ts'

/** `address` is the URL of the public page. */
export function sharePanel(address: string): Html {
  return panel(
    'share',
    t('Share your profile'),
    html`${copyable(address, t('the URL'))}
      <div class="actions">
        <button type="button" class="plain" data-share="${address}" hidden>Share</button>
      </div>
      ${qrCode(address)}`,
  )
}

/** Dark squares on white, with the quiet zone of ISO/IEC 18004, so that cameras read it in dark mode too. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="QR code of your profile"
  >
    <path d="${squares.join('')}" />
  </svg>`
}
