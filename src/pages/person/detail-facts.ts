/** The details of a connection as labels with values, for its page. */

import { t } from '../../languages/message.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import {
  addressText,
  dateLabel,
  handleLabel,
  NAME_LABELS,
  workText,
} from '../../connections/person/detail-lines.ts'
import {
  customFieldKey,
  detailName,
  NAME_DETAILS,
  type Details,
  type Organization,
} from '../../contact-files/contact/details.ts'
import { labelText } from '../../connections/person/label-words.ts'
import { calendarDate } from '../../ui/calendar-date.ts'
import type { CustomField } from '../../connections/custom-fields/custom-fields.ts'

/** Several facts can have the same label. One that is edited in place has the name of its field and the stored text. */
export type Fact = readonly [
  label: string,
  value: Html,
  field?: string,
  text?: string,
  isDate?: boolean,
]

export function contactFacts({ handles = [], addresses = [] }: Details): Fact[] {
  return [
    ...handles.map((one): Fact => [handleLabel(one), withLabel(plain(one.value), one.label)]),
    ...addresses.map((one): Fact => [t('Address'), withLabel(plain(addressText(one)), one.label)]),
  ]
}

export function positionFacts({ organizations = [] }: Details): Fact[] {
  return organizations.map((one) => [
    one.current ? t('Position') : t('Former position'),
    positionLine(one),
  ])
}

/** `Engineer at Stripe 2019 – Mar 2024` */
export function positionLine(position: Organization): Html {
  return html`${plain(workText(position))} ${period(position)}`
}

function period({ from, until }: Organization): Html {
  if (from === undefined && until === undefined) return NOTHING
  const since = from === undefined ? NOTHING : calendarDate(from)
  if (until === undefined) return html`<span class="quiet">since ${since}</span>`
  const end = calendarDate(until)
  return from === undefined
    ? html`<span class="quiet">until ${end}</span>`
    : html`<span class="quiet">${since} – ${end}</span>`
}

export function nameFacts(details: Details): Fact[] {
  return NAME_DETAILS.flatMap((field) => {
    const text = details[field]
    return text === undefined
      ? []
      : [[t(NAME_LABELS[field]), plain(text), detailName(field), text] as const]
  })
}

export function personalFacts({ dates = [] }: Details): Fact[] {
  return dates.map((one): Fact => [dateLabel(one), calendarDate(one.date)])
}

/** In the order of the fields. */
export function customFacts(
  { custom }: Details,
  fields: readonly CustomField[],
  linkOf: (url: string) => Html,
): Fact[] {
  return fields.flatMap(({ fieldId, name, kind }) => {
    const value = custom?.[fieldId]
    if (value === undefined) return []
    const shown = { url: linkOf, date: calendarDate, text: plain, number: plain, choice: plain }
    return [[name, shown[kind](value), customFieldKey(fieldId), value, kind === 'date'] as const]
  })
}

/** The value with the label that a file or the member gave it. */
export function withLabel(value: Html, label: string | undefined): Html {
  return label === undefined ? value : html`${value} <small>${plain(labelText(label))}</small>`
}

export function plain(text: string): Html {
  return html`<bdi>${text}</bdi>`
}
