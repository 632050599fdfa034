/** The details of a connection as readable lines, `Label: value`. */

import { capitalized } from '../../languages/capitalized.ts'
import { t } from '../../languages/message.ts'
import {
  NAME_DETAILS,
  type AccountHandle,
  type Address,
  type Details,
  type LabeledDate,
  type NameDetail,
  type Organization,
  type Relation,
} from '../../contact-files/contact/details.ts'
import { labelText, relationText } from './label-words.ts'
import type { CustomField } from '../custom-fields/custom-fields.ts'
import type { WholeConnection } from './whole-connection.ts'

/** One line per value, in the order in which pages show them. */
export function detailLines({
  connection: { details },
  fields,
}: Pick<WholeConnection, 'connection' | 'fields'>): string[] {
  const { addresses = [], handles = [], organizations = [], dates = [], relations = [] } = details
  return [
    ...NAME_DETAILS.flatMap((field) => lineOf(NAME_LABELS[field], details[field])),
    ...organizations.flatMap((one) =>
      lineOf(one.current ? 'Position' : 'Former position', positionText(one)),
    ),
    ...addresses.flatMap((one) => lineOf(labeled('Address', one), addressText(one))),
    ...handles.flatMap((one) => lineOf(labeled(one.service, one), one.value)),
    ...dates.flatMap((one) => lineOf(dateLabel(one), one.date)),
    ...relations.flatMap((one) => lineOf(relationLabel(one), one.name)),
    ...fields.flatMap(({ fieldId, name }) => lineOf(name, details.custom?.[fieldId])),
  ]
}

/** What search finds: the values, and what relatives are called. */
export function detailTexts(details: Details): string[] {
  const { addresses = [], handles = [], organizations = [], dates = [], relations = [] } = details
  return [
    ...NAME_DETAILS.map((field) => details[field]),
    ...organizations.flatMap(({ name, title, department }) => [name, title, department]),
    ...addresses.map(addressText),
    ...handles.map(({ value }) => value),
    ...dates.map(({ date }) => date),
    ...relations.flatMap(({ name, relation }) => [name, relation]),
  ].filter((text) => text !== undefined)
}

/** The custom fields that have a value, with their names. */
export function customTexts({ custom = {} }: Details, fields: readonly CustomField[]): string[] {
  return fields.flatMap(({ fieldId, name }) => {
    const value = custom[fieldId]
    return value === undefined ? [] : [name, value]
  })
}

export const NAME_LABELS: Readonly<Record<NameDetail, string>> = {
  namePrefix: 'Name prefix',
  middleName: 'Middle name',
  nameSuffix: 'Name suffix',
  nickname: 'Nickname',
  phoneticGivenName: 'Phonetic given name',
  phoneticFamilyName: 'Phonetic family name',
  pronouns: 'Pronouns',
}

/** `Engineer, Payments at Stripe (2019 to 2024-03)` */
export function positionText(position: Organization): string {
  const { from, until } = position
  const work = workText(position)
  if (from === undefined && until === undefined) return work
  if (until === undefined) return `${work} (since ${from})`
  return from === undefined ? `${work} (until ${until})` : `${work} (${from} to ${until})`
}

/** `Engineer, Payments at Stripe` */
export function workText({ name, title, department }: Organization): string {
  const role = [title, department].filter((part) => part !== undefined).join(', ')
  return role !== '' && name !== undefined
    ? t('{role} at {name}', { role, name })
    : role || (name ?? '')
}

/** In one line, in the order of the parts; unchanged if it has no parts. */
export function addressText(address: Address): string {
  const { street, extended, poBox, city, region, postalCode, country, formatted } = address
  const parts = [street, extended, poBox, postalCode, city, region, country]
  const text = parts.filter((part) => part !== undefined).join(', ')
  return (text || (formatted ?? '')).replaceAll('\n', ', ')
}

/** Such as "Skype". */
export function handleLabel({ service }: AccountHandle): string {
  return capitalized(service)
}

/** Such as "Anniversary". */
export function dateLabel({ label }: LabeledDate): string {
  return capitalized(labelText(label))
}

/** Such as "Spouse". */
export function relationLabel({ relation = 'related to' }: Relation): string {
  return capitalized(relationText(relation))
}

function labeled(what: string, { label }: { readonly label?: string }): string {
  return label === undefined ? capitalized(what) : `${capitalized(what)} (${label})`
}

function lineOf(label: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${label}: ${value}`]
}
