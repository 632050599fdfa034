/** People side by side in a form that merges them: what they have, and which value the merged one gets. */

import { phrase, t } from '../../languages/message.ts'
import {
  asListed,
  publicConnectionId,
  type Connection,
} from '../../connections/model/connection.ts'
import { hiddenField } from '../../html/form.ts'
import { LINE_BREAK, NOTHING, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { calendarDate } from '../../ui/calendar-date.ts'
import { connectionPath } from '../../html/site-map.ts'
import { face } from '../../html/face.ts'
import { SOURCE_LABELS } from '../../connections/people/source-labels.ts'

/** One connection of a group, shown as a column. */
export interface ComparedColumn {
  readonly connection: Connection
  readonly publicId: string
  /** Its letter in the evidence. */
  readonly label: string
}

const A = 0x41

/** The columns of people, each with its letter. */
export function comparedColumns(connections: readonly Connection[]): readonly ComparedColumn[] {
  return connections.map((connection, index) => ({
    connection,
    publicId: publicConnectionId(connection.connectionId),
    label: String.fromCodePoint(A + index),
  }))
}

/** The fields of a form that merges these people. */
export function comparedPeople(columns: readonly ComparedColumn[]): Html {
  return html`<div class="wide">${comparison(columns)}</div>`
}

/** A pair is merged as a whole; in larger groups, members can be deselected. */
function comparison(columns: readonly ComparedColumn[]): Html {
  const isPair = columns.length === 2
  const rows = ROWS.map((row) => ({
    label: row.label,
    field: row.field,
    cells: columns.map(({ connection }) =>
      row.valuesOf(connection).filter((value) => value !== null),
    ),
  })).filter(({ cells }) => isDifferent(cells))
  return html`<table class="values compare">
    <thead>
      <tr>
        <th scope="col"><span class="unseen">Field</span></th>
        ${columns.map((column, index) => choice(column, index === 0, isPair))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ label, field, cells }) =>
          html`<tr>
            <th scope="row">
              ${t(label)} ${isOpen(field, cells) ? keptChoice(t(label), field) : NOTHING}
            </th>
            ${cells.map((values, at) =>
              isPair && isOpen(field, cells)
                ? chosenCell(values, field, columns[at])
                : cell(values, isPair),
            )}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** True if each has a value of a field that can only have one. */
function isOpen(field: string | undefined, cells: readonly (readonly Value[])[]): field is string {
  return field !== undefined && cells.length === 2 && cells.every((all) => all.length > 0)
}

/** Proposed at first: the value of the connection that is kept, which the style sheet marks. */
function keptChoice(label: string, field: string): Html {
  const name = t('{label} of the one you keep', { label })
  return html`<input
    type="radio"
    class="unseen"
    name="take_${field}"
    value=""
    aria-label="${name}"
    checked
  />`
}

/** Fields in which all are alike need no look. */
function isDifferent(cells: readonly (readonly Value[])[]): boolean {
  const texts = cells.map((values) => values.map(String).join('\n'))
  return new Set(texts).size > 1
}

/** A value that can be chosen for the merged connection, whichever of them is kept. Without a choice, it is that of the kept one. */
function chosenCell(
  values: readonly Value[],
  field: string,
  column: ComparedColumn | undefined,
): Html {
  if (!column) return cell(values)
  const { publicId } = column
  return html`<td>
    <label>
      <input type="radio" name="take_${field}" value="${publicId}" />
      <span>${values.map((one) => (typeof one === 'string' ? html`<bdi>${one}</bdi>` : one))}</span>
    </label>
  </td>`
}

/** One value per line. Of a pair, all of these are in the merged connection. */
function cell(values: readonly Value[], isPair = false): Html {
  const lines = values.map((one) => (typeof one === 'string' ? html`<bdi>${one}</bdi>` : one))
  const isTaken = isPair && lines.length > 0
  return html`<td ${attributes({ class: isTaken && 'taken' })}>${joinHtml(lines, LINE_BREAK)}</td>`
}

function choice(
  { publicId, connection, label }: ComparedColumn,
  isKept: boolean,
  isPair: boolean,
): Html {
  const unseen = html`<span class="unseen"> ${label}: ${connection.name}</span>`
  return html`<th scope="col">
    <label>
      <input type="radio" name="keep" value="${publicId}" ${attributes({ checked: isKept })} />
      <span>${isPair ? '' : html`<b>${label}</b> `}Keep this one${unseen}</span>
    </label>
    ${
      isPair
        ? hiddenField('same', publicId)
        : html`<label>
            <input type="checkbox" name="same" value="${publicId}" checked />
            <span>Same person${unseen}</span>
          </label>`
    }
    <a class="who" href="${connectionPath(publicId)}"
      >${face(asListed(connection))}
      <span
        ><bdi>${connection.name}</bdi>
        <small
          >${t(SOURCE_LABELS[connection.source])}<span class="unseen"> ${label}</span></small
        ></span
      ></a
    >
  </th>`
}

type Value = string | Html

interface Row {
  readonly label: string
  /** The field that has one value, as in forms. */
  readonly field?: string
  valuesOf(connection: Connection): readonly (Value | null)[]
}

const ROWS: readonly Row[] = [
  { label: phrase('Name'), field: 'name', valuesOf: ({ name }) => [name] },
  { label: phrase('Title'), field: 'title', valuesOf: ({ title }) => [title] },
  { label: phrase('Company'), field: 'company', valuesOf: ({ company }) => [company] },
  { label: phrase('Location'), field: 'location', valuesOf: ({ location }) => [location] },
  { label: phrase('Email'), valuesOf: ({ emails }) => emails },
  { label: phrase('Phone'), valuesOf: ({ phones }) => phones },
  {
    label: phrase('Profile'),
    valuesOf: ({ profileUrl }) => [profileUrl?.replace(/^https?:\/\/(?:www\.)?/, '') ?? null],
  },
  { label: phrase('Links'), valuesOf: ({ links }) => links },
  {
    label: phrase('Birthday'),
    field: 'birthday',
    valuesOf: ({ birthday }) => [birthday && calendarDate(birthday)],
  },
  {
    label: phrase('Connected'),
    valuesOf: ({ connectedOn }) => [connectedOn && calendarDate(connectedOn)],
  },
]
