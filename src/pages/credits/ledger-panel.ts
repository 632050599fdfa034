/** The ledger of the credits page: every change of the balance, newest first. */

import { phrase, t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { CREDITS_PATH } from '../../html/site-map.ts'
import { signedText, numberText } from '../../ui/numbers.ts'
import { BY_TIME, pager } from '../../ui/pager.ts'
import { emptyNote, panel, table } from '../../ui/sections.ts'
import { formattersOf } from '../../ui/time-zone.ts'
import type { LedgerEntry } from '../../credits/ledger.ts'
import type { LedgerKind } from '../../credits/ledger.ts'
import type { Times } from '../../ui/time.ts'
import type { CreditOverview, Names } from './overview.ts'

export function ledgerPanel(
  { ledger, names }: CreditOverview,
  cursor: string | undefined,
  times: Times,
): Html {
  const { entries, next } = ledger
  const list = table(
    LEDGER_HEADINGS.map(([text, kind]) => [t(text), kind] as const),
    linesOf(entries, times).map((line) => ledgerRow(line, names, times)),
  )
  const [path, labels] = [CREDITS_PATH, BY_TIME]
  const pages = pager({ path, first: path, cursor, next, labels, id: 'ledger' })
  return panel(
    'ledger',
    t('History'),
    html`${entries.length === 0 ? emptyNote(t('No entries yet. Calls that cost credits appear here.')) : list}
    ${pages}`,
  )
}

const LEDGER_HEADINGS = [
  [phrase('Description'), ''],
  [phrase('Date'), ''],
  [phrase('Credits'), 'number'],
  [phrase('Balance'), 'number extra'],
] as const

interface Line {
  /** The newest entry. */
  readonly entry: LedgerEntry
  /** The older ones. */
  readonly others: readonly LedgerEntry[]
}

/** Fewer charges are a line each. */
const MIN_GROUP = 3

/** Charges of one agent within an hour are one line. */
function linesOf(entries: readonly LedgerEntry[], times: Times): Line[] {
  const { day, time } = formattersOf(times.timeZone)
  const groups = Map.groupBy(entries, ({ entryId, kind, at, credentialId }) => {
    const hour = [day.format(at), time.format(at).slice(0, 2)]
    return JSON.stringify(kind === 'charge' ? [...hour, credentialId] : [entryId])
  })
  const lines = [...groups.values()].flatMap((group) => {
    const [entry, ...others] = group
    if (!entry || group.length < MIN_GROUP) return group.map((one) => ({ entry: one, others: [] }))
    return [{ entry, others }]
  })
  return lines.toSorted((one, other) => other.entry.entryId - one.entry.entryId)
}

function ledgerRow({ entry, others }: Line, names: Names, times: Times): Html {
  const { at, balanceAfter, credentialId } = entry
  const own = ownText(entry, names)
  const delta = others.reduce((sum, one) => sum + one.delta, entry.delta)
  const text = own ?? (others.length === 0 ? spentText(entry, names) : undefined)
  return html`<tr>
    <td>
      ${text ?? calls([entry, ...others], names, times)}
      ${own === undefined && html`<small>${spenderName(credentialId, names)}</small>`}
    </td>
    <td>${times.day(at)} <small>${times.time(at)}</small></td>
    <td class="number">${signedText(delta)}</td>
    <td class="number extra">${numberText(balanceAfter)}</td>
  </tr>`
}

/** What was called how often, and each call. */
function calls(charges: readonly LedgerEntry[], names: Names, times: Times): Html {
  const byReason = [...Map.groupBy(charges, (charge) => spentText(charge, names))]
  const items = charges.map(
    (charge) =>
      html`<li>
        <small>${times.time(charge.at)}</small> ${spentText(charge, names)}
        <small>${signedText(charge.delta)} ${numberText(charge.balanceAfter)}</small>
      </li>`,
  )
  return html`<details>
    <summary>
      ${byReason.map(([text, own]) => `${text} × ${numberText(own.length)}`).join(', ')}
    </summary>
    <ul class="calls">
      ${items}
    </ul>
  </details>`
}

function spentText({ kind, reason }: LedgerEntry, names: Names): string {
  const name = names.reason(reason)
  return kind === 'refund' ? t('Refund: {reason}', { reason: name }) : name
}

/** The description of an entry that does not belong to a tool or job. */
function ownText({ kind, reason }: LedgerEntry, names: Names): string | undefined {
  if (kind === 'adjust') return adjustmentText(names, reason)
  const text = KINDS[kind]
  return text === undefined ? undefined : t(text)
}

const KINDS: Readonly<Partial<Record<LedgerKind, string>>> = {
  grant: phrase('Monthly allowance'),
  expire: phrase('Expired at the end of the month'),
}

/** The reason is that of an admin, or the tool whose call found that the clock was wrong. */
function adjustmentText(names: Names, reason: string): string {
  return names.reason(reason) === reason
    ? t('Changed by an admin: {reason}', { reason })
    : t('Correction after a clock error')
}

/** Names who spent credits. Without a credential, it was the member on these pages; commands spend none. */
export function spenderName(credentialId: string | null, names: Names): Html {
  if (credentialId === null) return html`You`
  const credential = names.credential(credentialId)
  if (!credential) return html`<span class="quiet">Disconnected app</span>`
  const { name, ended } = credential
  return html`<bdi>${name}</bdi>
    ${ended === undefined ? '' : html`<span class="badge">${t(ended)}</span>`}`
}
