/** The ledger: every balance change, newest first, paginated. */

import { NOTHING, html, type Html } from '../../html/html.ts'
import { utcDay } from '../ui/time.ts'
import { numberText, signedText } from '../ui/numbers.ts'
import { CREDITS_PATH } from '../../html/site-map.ts'
import { spenderName } from './spender-name.ts'
import type { LedgerKind } from '../../credits/open-period.ts'
import type { LedgerEntry, LedgerPage } from '../../credits/ledger.ts'
import type { Names } from './overview.ts'

export function ledgerSection(
  { entries, next }: LedgerPage,
  names: Names,
  isNewest: boolean,
): Html {
  const rows = entries.map((entry) => row(entry, names))
  return html`<section class="panel" aria-labelledby="ledger">
    <h2 id="ledger">Ledger</h2>
    ${entries.length === 0 ? NONE : table(rows)} ${pageLinks(next, isNewest)}
  </section>`
}

const NONE = html`<p class="empty">No entries yet. Calls that cost credits appear here.</p>`

function table(rows: readonly Html[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Date</th>
        <th scope="col">Description</th>
        <th class="extra" scope="col">By</th>
        <th class="number" scope="col">Credits</th>
        <th class="number extra" scope="col">Balance</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

function row(entry: LedgerEntry, names: Names): Html {
  const { at, kind, delta, balanceAfter, reason, credentialId } = entry
  const own = KINDS[kind]
  const named = kind === 'refund' ? `Refund: ${names.reason(reason)}` : names.reason(reason)
  return html`<tr>
    <td>${utcDay(at)}</td>
    <td>${own ?? named}</td>
    <td class="extra">${own === undefined ? spenderName(credentialId, names) : ''}</td>
    <td class="number">${signedText(delta)}</td>
    <td class="number extra">${numberText(balanceAfter)}</td>
  </tr>`
}

/** Descriptions of entries that do not belong to a tool or job. */
const KINDS: Readonly<Partial<Record<LedgerKind, string>>> = {
  grant: 'Monthly allowance',
  expire: 'Expired at the end of the month',
  adjust: 'Correction after a clock error',
}

function pageLinks(next: string | undefined, isNewest: boolean): Html {
  if (next === undefined && isNewest) return NOTHING
  const newest = isNewest ? '' : html`<a class="button plain" href="${CREDITS_PATH}">Newest</a>`
  const older = next === undefined ? '' : olderLink(next)
  return html`<div class="actions">${newest} ${older}</div>`
}

function olderLink(cursor: string): Html {
  const path = `${CREDITS_PATH}?cursor=${encodeURIComponent(cursor)}#ledger`
  return html`<a class="button plain" rel="next" href="${path}">Older</a>`
}
