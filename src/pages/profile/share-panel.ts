/** How to pass on a public profile: its URL, the share menu of the device, and a QR code for someone beside you. */

import { t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { qrCode } from '../../html/qr-code.ts'
import { copyable, panel } from '../../ui/sections.ts'

/** `address` is the URL of the public page. */
export function sharePanel(address: string): Html {
  return panel(
    'share',
    t('Share your profile'),
    html`${copyable(address, t('the URL'))}
      <div class="actions">
        <button type="button" class="plain" data-share="${address}" hidden>Share</button>
      </div>
      <details>
        <summary>QR code</summary>
        ${qrCode(address, t('QR code of your profile'))}
      </details>`,
  )
}
