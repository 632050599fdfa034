/** The result or preview of an import, as fragments. */

import { phrase, t } from '../../languages/message.ts'
import { NOTHING, html, joinHtml, type Html } from '../../html/html.ts'
import { JOB_CHANGES_PATH } from '../../html/site-map.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { numberText, countOf } from '../../ui/numbers.ts'
import { parseTarget } from '../../contact-files/fields/column-fields.ts'
import { FIELD_LABELS } from './field-labels.ts'
import type { ReportedField } from '../../contact-files/fields/column-fields.ts'
import { table, panel } from '../../ui/sections.ts'
import type { ImportReport } from '../../imports/import-report.ts'

type Report = Readonly<ImportReport>
type Named = Parameters<typeof personLink>[0]

const FORMATS: Readonly<Record<string, string>> = {
  linkedin: phrase('LinkedIn connections'),
  google: phrase('Google contacts'),
  outlook: phrase('Outlook contacts'),
  vcard: 'vCard',
  monica: 'Monica',
  table: phrase('Table of contacts'),
}

/** The name that people know, such as "LinkedIn". */
export function formatName({ format }: Report): string {
  return t(FORMATS[format] ?? format)
}

/** The labels of the counts, in a preview and in a result. */
const COUNTS = [
  ['created', phrase('New'), phrase('Created')],
  ['review', phrase('To review'), phrase('To review')],
  ['updated', phrase('Updated'), phrase('Updated')],
  ['unchanged', phrase('Unchanged'), phrase('Unchanged')],
  ['skipped', phrase('Skipped'), phrase('Skipped')],
  ['rejected_count', phrase('Rejected'), phrase('Rejected')],
] as const

/** Added, updated, unchanged and rejected rows, without zeros; the first one always. */
export function importCounts(report: Omit<Report, 'rejected'>, when: 'planned' | 'done'): Html {
  const shown = COUNTS.filter(([field], at) => at === 0 || (report[field] ?? 0) > 0)
  const counts = shown.map(
    ([field, planned, done]) =>
      html`<div>
        <dt>${t(when === 'planned' ? planned : done)}</dt>
        <dd>${numberText(report[field] ?? 0)}</dd>
      </div>`,
  )
  return html`<dl class="counts">${counts}</dl>`
}

/** What the less obvious counts mean; empty if there are none. */
export function countNotes(
  { format, updated, skipped, review = 0, job_changes = 0, contacted = 0 }: Report,
  when: 'planned' | 'done',
): Html {
  const notes = [
    updated > 0 &&
      when === 'planned' &&
      html`Updated people already exist and get new details from the file. Edits by you or your
      agents are kept.`,
    job_changes > 0 && jobChangesNote(job_changes, when),
    contacted > 0 && contactsNote(contacted, format),
    review > 0 && (when === 'planned' ? plannedReview() : reviewNote()),
    skipped > 0 && html`Skipped rows are empty or belong to people you deleted.`,
  ].filter((note) => note !== false)
  return notes.length === 0 ? NOTHING : html`<p class="quiet">${joinHtml(notes, ' ')}</p>`
}

function jobChangesNote(count: number, when: 'planned' | 'done'): Html {
  const text = t('{count} changed jobs', { count: countOf(count, 'person') })
  return when === 'done' ? html`<a href="${JOB_CHANGES_PATH}">${text}</a>.` : html`${text}.`
}

/** Tells how many people have interactions in the file. Only the days of LinkedIn’s messages are read. */
function contactsNote(count: number, format: string): Html {
  const people = countOf(count, 'person')
  return format === 'linkedin'
    ? html`The day of the last message or invitation is known for ${people}; the messages themselves
      are not read.`
    : html`The file shows contact with ${people}.`
}

function plannedReview(): Html {
  return html`Contacts to review may already be in your network. They are added, and you decide
  afterwards whether to merge them.`
}
function reviewNote(): Html {
  return html`Contacts to review were added, but may already be in your network.`
}

const LABELS: ReadonlyMap<string, string> = new Map(Object.entries(FIELD_LABELS))

/** A custom field has its own name. */
function fieldText(field: string): string {
  const label = LABELS.get(field)
  return label === undefined ? field.replaceAll('_', ' ') : t(label)
}

/** The connections of the rows of which a part is missing. */
export function cutPeopleIn({ cut = [] }: Report): number[] {
  return cut.flatMap(({ connection_id: id = '' }) => readConnectionId(id) ?? [])
}

/** The rows of which a part is missing; empty if there are none. `people` are those who are not deleted. */
export function cutRows({ cut = [], cut_count = 0 }: Report, people: readonly Named[] = []): Html {
  if (cut_count === 0) return NOTHING
  const named = new Map(people.map((one) => [one.connectionId, one]))
  const rows = cut.map(({ row, fields, connection_id: id = '' }) => {
    const person = named.get(readConnectionId(id) ?? 0)
    return html`<tr>
      <td>${numberText(row)}</td>
      <td>${person ? personLink(person) : NOTHING}</td>
      <td><bdi>${fields.map(fieldText).join(', ')}</bdi></td>
    </tr>`
  })
  const body = html`<p class="quiet">
      ${cut.length === cut_count ? '' : html`Showing the first ${cut.length}.`} These rows are
      imported, but a part of the fields listed is left out: they exceed a limit, or the person has
      another value that you entered, or that came from another kind of file or an earlier row.
    </p>
    ${table([t('Row'), t('Name'), t('Fields')], rows)}`
  return panel('cut', t('{rows} not kept in full', { rows: countOf(cut_count, 'row') }), body)
}

/** The dates and references that could not be read; empty if there are none. */
export function unreadValues({ unread = [], unread_count = 0 }: Report): Html {
  if (unread_count === 0) return NOTHING
  const rows = unread.map(
    ({ row, column, value }) =>
      html`<tr>
        <td>${numberText(row)}</td>
        <td><bdi>${column}</bdi></td>
        <td><bdi>${value}</bdi></td>
      </tr>`,
  )
  const body = html`<p class="quiet">
      ${unread.length === unread_count ? '' : html`Showing the first ${unread.length}.`} Kept as
      custom fields.
    </p>
    ${table([t('Row'), t('Column'), t('Value')], rows)}`
  return panel(
    'unread',
    t('{values} not recognized', { values: countOf(unread_count, 'value') }),
    body,
  )
}

/** Where each column or vCard property with values went, and the names of the empty ones. */
export function importedColumns({ format, columns = [] }: Report): Html {
  if (columns.length === 0) return NOTHING
  const isCards = format === 'vcard'
  const [filledColumns, empty] = [
    columns.filter(({ filled }) => filled > 0),
    columns.filter(({ filled }) => filled === 0),
  ]
  const rows = filledColumns.map(
    ({ name, becomes, filled, left_out = 0 }) =>
      html`<tr>
        <td>${columnName(name)}</td>
        <td>
          ${filled > left_out ? columnText(becomes) : t('Not imported')}
          ${left_out === 0 ? '' : html`<small>${countOf(left_out, 'default value')} left out</small>`}
        </td>
        <td>${numberText(filled)}</td>
      </tr>`,
  )
  const heads = [isCards ? t('Property') : t('Column'), t('Imported as'), t('Values')]
  const body = html`${rows.length === 0 ? NOTHING : table(heads, rows)} ${emptyColumns(empty)}`
  return html`<details class="panel">
    <summary>
      <h2>${isCards ? t('vCard properties') : countOf(columns.length, 'column')}</h2>
    </summary>
    ${body}
  </details>`
}

/** A report can have dozens of them, which say nothing. */
function emptyColumns(columns: NonNullable<Report['columns']>): Html {
  if (columns.length === 0) return NOTHING
  const names = columns.map(({ name }) => columnName(name))
  return html`<details>
    <summary>${countOf(columns.length, 'empty column')}</summary>
    <p class="quiet">${joinHtml(names, ', ')}</p>
  </details>`
}

function columnName(name: string): Html {
  return html`<bdi>${name === '' ? t('(no name)') : name}</bdi>`
}

function columnText(becomes: string): Html {
  const target = parseTarget(becomes)
  if (target === null) return html`${t(FIELD_LABELS[becomes as ReportedField] ?? becomes)}`
  const { field, label } = target
  return html`${t(FIELD_LABELS[field])}${label === undefined ? '' : html` (<bdi>${label}</bdi>)`}`
}

/** What became of each file of an export of Weft; empty for other files. */
export function archivedFiles({ files = [] }: Report): Html {
  if (files.length === 0) return NOTHING
  const rows = files.map(
    ({ name, use }) =>
      html`<tr>
        <td><bdi>${name}</bdi></td>
        <td>${t(USES[use])}</td>
      </tr>`,
  )
  return panel('files', countOf(files.length, 'file'), table([t('File'), t('Restored')], rows))
}

const USES = {
  restored: phrase('Yes'),
  repeated: phrase('In connections.json, except what was undone or deleted'),
  not_restored: phrase('No'),
} as const

/** The rejected rows with reasons; empty if there are none. `csvPath` links to the full list. */
export function rejectedRowsSection({ rejected, rejected_count }: Report, csvPath?: string): Html {
  if (rejected_count === 0) return NOTHING
  const rows = rejected.map(
    ({ row, line, reason }) =>
      html`<tr>
        <td>${numberText(row)}</td>
        <td>${numberText(line)}</td>
        <td>${reasonText(reason)}</td>
      </tr>`,
  )
  const isAll = rejected.length === rejected_count
  const body = html`<p class="quiet">
      ${isAll ? '' : html`Showing the first ${rejected.length}.`} Fix these rows in the file and
      import it again. Existing people are not duplicated.
    </p>
    ${table([t('Row'), t('Line'), t('Reason')], rows)}
    ${csvPath === undefined ? '' : html`<p><a href="${csvPath}" download>Download as CSV</a></p>`}`
  return panel('rejected', t('{rows} rejected', { rows: countOf(rejected_count, 'row') }), body)
}

/** A reason can begin with the name of a file in a zip. */
function reasonText(reason: string): string {
  const [file, ...rest] = reason.split(': ')
  const translated = t(reason)
  return translated === reason && rest.length > 0 ? `${file}: ${t(rest.join(': '))}` : translated
}
