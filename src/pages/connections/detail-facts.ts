/** The details of a connection as labels with values, for its page. */

import { html, type Html } from '../../html/html.ts'
import {
  addressText,
  dateLabel,
  handleLabel,
  lastContactText,
  NAME_LABELS,
  positionText,
  relationLabel,
} from '../../connections/model/detail-lines.ts'
import { NAME_DETAILS, type Details } from '../../connections/model/details.ts'
import type { CustomField } from '../../connections/model/custom-fields.ts'

type Fact = readonly [label: string, values: readonly (string | Html)[]]

/** Values with the same label are one fact. */
export function detailFacts(
  details: Details,
  fields: readonly CustomField[],
  linkOf: (url: string) => Html,
): Fact[] {
  const { addresses = [], handles = [], organizations = [], dates = [], relations = [] } = details
  const facts: (readonly [string, string | Html])[] = [
    ...NAME_DETAILS.flatMap((field) => {
      const text = details[field]
      return text === undefined ? [] : [[NAME_LABELS[field], plain(text)] as const]
    }),
    ...organizations.map(
      (one) => [one.current ? 'Position' : 'Former position', plain(positionText(one))] as const,
    ),
    ...addresses.map((one) => ['Address', withLabel(plain(addressText(one)), one.label)] as const),
    ...handles.map((one) => [handleLabel(one), withLabel(plain(one.value), one.label)] as const),
    ...dates.map((one) => [dateLabel(one), plain(one.date)] as const),
    ...relations.map((one) => [relationLabel(one), plain(one.name)] as const),
    ...lastContact(details),
    ...fields.flatMap(({ fieldId, name, kind }) => {
      const value = details.custom?.[fieldId]
      return value === undefined
        ? []
        : [[name, kind === 'url' ? linkOf(value) : plain(value)] as const]
    }),
  ]
  const grouped = Map.groupBy(facts, ([label]) => label)
  return [...grouped].map(([label, all]) => [label, all.map(([, value]) => value)])
}

function lastContact(details: Details): (readonly [string, Html])[] {
  const text = lastContactText(details)
  return text === undefined ? [] : [['Last contact', plain(text)]]
}

/** The value with the label that a file or the member gave it. */
export function withLabel(value: Html, label: string | undefined): Html {
  return label === undefined ? value : html`${value} <span class="quiet">${label}</span>`
}

function plain(text: string): Html {
  return html`<bdi>${text}</bdi>`
}
