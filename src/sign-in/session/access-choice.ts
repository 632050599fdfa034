/** The checkboxes in a new-password form that revoke other access to the account: agents, tokens, devices, passkeys. */

import { phrase, t } from '../../languages/message.ts'
import { listApiTokens } from '../../access/api-token.ts'
import { listDevices } from '../../access/device-password.ts'
import { listPasskeys } from '../../access/passkey.ts'
import { hiddenField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { listGrants } from '../../oauth/grant.ts'
import { ACCESS_KINDS, type AccessKind } from './end-access.ts'
import type { MemberReader } from '../../db/database.ts'

export type AccessCounts = Readonly<Record<AccessKind, number>>

/** How many agents, tokens, devices and passkeys the member has. */
export async function countAccess(reader: MemberReader, now: number): Promise<AccessCounts> {
  const [grants, tokens, devices, passkeys] = await Promise.all([
    listGrants(reader, now),
    listApiTokens(reader),
    listDevices(reader),
    listPasskeys(reader),
  ])
  return {
    agents: grants.length,
    tokens: tokens.length,
    devices: devices.length,
    passkeys: passkeys.length,
  }
}

/**
 * Leaves out the kinds that the member has none of. If `isChecked`, the form revokes them nevertheless: what appears
 * between showing and submitting it was not created by the person at the form.
 */
export function accessChoice(counts: AccessCounts, isChecked: boolean): Html {
  const offered = ACCESS_KINDS.filter((kind) => counts[kind] > 0)
  const others = ACCESS_KINDS.filter((kind) => isChecked && counts[kind] === 0)
  return html`${others.map((kind) => hiddenField(fieldOf(kind), 'yes'))}
  ${choiceOf(offered, counts, isChecked)}`
}

function choiceOf(offered: readonly AccessKind[], counts: AccessCounts, isChecked: boolean): Html {
  if (offered.length === 0) return NOTHING
  const boxes = offered.map(
    (kind) =>
      html`<label>
        <input
          type="checkbox"
          name="${fieldOf(kind)}"
          value="yes"
          ${attributes({ checked: isChecked })}
        />
        <span>${labelOf(kind, counts[kind])}</span>
      </label>`,
  )
  return html`<fieldset>
    <legend>If someone else may have had access</legend>
    ${boxes}
  </fieldset>`
}

/** The boxes that were checked. */
export function readAccessChoice(form: URLSearchParams): AccessKind[] {
  return ACCESS_KINDS.filter((kind) => form.get(fieldOf(kind)) === 'yes')
}

function fieldOf(kind: AccessKind): string {
  return `revoke_${kind}`
}

function labelOf(kind: AccessKind, count: number): string {
  return t(LABELS[kind], { count })
}

const LABELS = {
  agents: phrase('{count, plural, one {Disconnect your agent} other {Disconnect your # agents}}'),
  tokens: phrase('{count, plural, one {Revoke your API token} other {Revoke your # API tokens}}'),
  devices: phrase('{count, plural, one {Revoke your device} other {Revoke your # devices}}'),
  passkeys: phrase('{count, plural, one {Remove your passkey} other {Remove your # passkeys}}'),
} as const satisfies Record<AccessKind, string>
