/** What an import came to, or would come to, in fragments. */

import { html } from '../../html/html.ts'
import { countOf } from '../ui/count-of.ts'
import { numberText } from '../ui/numbers.ts'
import type { ImportReport } from '../../connections/import/import-report.ts'

type Report = Readonly<ImportReport>

const FORMATS: Readonly<Record<string, string>> = {
  linkedin: 'LinkedIn connections',
  google: 'Google contacts',
  outlook: 'Outlook contacts',
  vcard: 'vCard',
}

export function formatName({ format }: Report): string {
  return FORMATS[format] ?? format
}

/** What each count is called, before it has happened and after. */
const COUNTS = [
  ['created', 'New', 'Added'],
  ['updated', 'Changed', 'Changed'],
  ['unchanged', 'Known already', 'Known already'],
  ['skipped', 'Left out', 'Left out'],
  ['rejected_count', 'Rejected', 'Rejected'],
] as const

export function importCounts(report: Report, when: 'planned' | 'done'): string {
  const counts = COUNTS.map(
    ([field, planned, done]) =>
      html`<div>
        <dt>${when === 'planned' ? planned : done}</dt>
        <dd>${numberText(report[field])}</dd>
      </div>`,
  )
  return html`<dl class="counts">!${counts}</dl>`
}

export const SKIPPED_NOTE = 'Left out are empty rows, and people whom you have deleted.'

/** The rows that say nobody's name, and why; nothing where there are none. `csvPath` leads to all of them. */
export function rejectedRows({ rejected, rejected_count }: Report, csvPath?: string): string {
  if (rejected_count === 0) return ''
  const rows = rejected.map(
    ({ row, line, reason }) =>
      html`<tr>
        <td>${numberText(row)}</td>
        <td>${numberText(line)}</td>
        <td>${reason}</td>
      </tr>`,
  )
  const isAll = rejected.length === rejected_count
  return html`<section class="panel" aria-labelledby="rejected">
    <h2 id="rejected">${countOf(rejected_count, 'row')} rejected</h2>
    <p class="quiet">
      !${isAll ? '' : html`These are the first ${rejected.length}.`} Mend the file and import it
      again: what is there already stays as it is.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Row</th>
          <th scope="col">Line</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        !${rows}
      </tbody>
    </table>
    !${csvPath === undefined ? '' : html`<p><a href="${csvPath}" download>Download as CSV</a></p>`}
  </section>`
}
