/** The result or preview of an import, as fragments. */

import { NOTHING, html, type Html } from '../../html/html.ts'
import { countOf } from '../ui/count-of.ts'
import { numberText } from '../ui/numbers.ts'
import type { ImportReport } from '../../connections/import/import-report.ts'

type Report = Readonly<ImportReport>

const FORMATS: Readonly<Record<string, string>> = {
  linkedin: 'LinkedIn connections',
  google: 'Google contacts',
  outlook: 'Outlook contacts',
  vcard: 'vCard',
  table: 'Table of contacts',
}

export function formatName({ format }: Report): string {
  return FORMATS[format] ?? format
}

/** The labels of the counts, in a preview and in a result. */
const COUNTS = [
  ['created', 'New', 'Created'],
  ['review', 'To review', 'To review'],
  ['updated', 'Updated', 'Updated'],
  ['unchanged', 'Unchanged', 'Unchanged'],
  ['skipped', 'Skipped', 'Skipped'],
  ['rejected_count', 'Rejected', 'Rejected'],
] as const

export function importCounts(report: Report, when: 'planned' | 'done'): Html {
  const counts = COUNTS.map(
    ([field, planned, done]) =>
      html`<div>
        <dt>${when === 'planned' ? planned : done}</dt>
        <dd>${numberText(report[field] ?? 0)}</dd>
      </div>`,
  )
  return html`<dl class="counts">${counts}</dl>`
}

export const SKIPPED_NOTE = 'Skipped rows are empty or belong to connections you deleted.'

/** The rejected rows with reasons; empty if there are none. `csvPath` links to the full list. */
export function rejectedRows({ rejected, rejected_count }: Report, csvPath?: string): Html {
  if (rejected_count === 0) return NOTHING
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
      ${isAll ? '' : html`Showing the first ${rejected.length}.`} Fix these rows in the file and
      import it again. Existing connections are not duplicated.
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">Row</th>
          <th scope="col">Line</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${csvPath === undefined ? '' : html`<p><a href="${csvPath}" download>Download as CSV</a></p>`}
  </section>`
}
