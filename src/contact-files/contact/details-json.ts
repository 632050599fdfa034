/** The details of a connection as JSON, the same in tools, exports and imports of Weft's own export. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { formatPublicId, parsePublicId } from '../../base/public-id.ts'
import { MAX_CUSTOM_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES } from '../../base/limits.ts'
import {
  NAME_DETAILS,
  detailName,
  type Address,
  type ContactDetails,
  type Details,
  type ListDetail,
  type Relation,
} from './details.ts'

const line = Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH }))
const required = Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH })

function listOf<Fields extends Record<string, Type.TSchema>>(fields: Fields) {
  return Type.Optional(Type.Array(Type.Closed(fields), { maxItems: MAX_VALUES }))
}

/** Tools publish only that it is an object, because its fields would use too much of a model's context. */
export const DetailsJson = Type.Closed({
  name_prefix: line,
  middle_name: line,
  name_suffix: line,
  nickname: line,
  phonetic_given_name: line,
  phonetic_family_name: line,
  pronouns: line,
  labels: Type.Optional(Type.Record(Type.String(), required)),
  addresses: listOf({
    label: line,
    street: line,
    extended: line,
    po_box: line,
    city: line,
    region: line,
    postal_code: line,
    country: line,
    formatted: Type.Optional(Type.String({ minLength: 1, maxLength: 2 * MAX_TEXT_LENGTH })),
  }),
  handles: listOf({ service: required, value: required, label: line }),
  organizations: listOf({
    name: line,
    title: line,
    department: line,
    from: line,
    until: line,
    current: Type.Boolean(),
  }),
  dates: listOf({ label: required, date: required }),
  /** Without a name only in tools, which then take that of the connection; `create` adds a person whose name no one has. */
  relations: listOf({
    name: line,
    relation: line,
    connection_id: line,
    create: Type.Optional(Type.Boolean()),
  }),
  custom: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: MAX_CUSTOM_LENGTH })),
  ),
})
export type DetailsJson = Static<typeof DetailsJson>

/** Undefined if there are none. Omits the photo and the values of deleted fields. */
export function detailsJsonOf(
  details: Details,
  fields: readonly { readonly fieldId: number; readonly name: string }[],
): DetailsJson | undefined {
  const { labels, addresses, relations, custom } = details
  const names = NAME_DETAILS.flatMap((field) => {
    const text = details[field]
    return text === undefined ? [] : [[detailName(field), text]]
  })
  const values = fields.flatMap(({ fieldId, name }) => {
    const value = custom?.[fieldId]
    return value === undefined ? [] : [[name, value]]
  })
  const json: DetailsJson = {
    ...Object.fromEntries(names),
    ...(labels && { labels: { ...labels } }),
    ...(addresses && { addresses: addresses.map(addressJson) }),
    ...plainListsOf(details),
    ...(relations && { relations: relations.map(relationJson) }),
    ...(values.length > 0 && { custom: Object.fromEntries(values) }),
  }
  return Object.keys(json).length === 0 ? undefined : json
}

/** As an imported contact has them. */
export function detailsFromJson(json: DetailsJson): ContactDetails {
  const { labels, addresses, relations, custom } = json
  const names = NAME_DETAILS.flatMap((field) => {
    const text = json[detailName(field) as NameKey]
    return text === undefined ? [] : [[field, text]]
  })
  return {
    ...Object.fromEntries(names),
    ...(labels && { labels }),
    ...(addresses && { addresses: addresses.map(addressOf) }),
    ...plainListsOf(json),
    ...(relations && { relations: relations.map(relationOf) }),
    ...(custom && {
      custom: Object.entries(custom).map(([field, value]) => ({ field, value })),
    }),
  }
}

type NameKey = Exclude<keyof DetailsJson, ListDetail | 'labels' | 'custom'>

/** The lists that have the same form in JSON. */
function plainListsOf({ handles, organizations, dates }: PlainLists) {
  return {
    ...(handles && { handles: [...handles] }),
    ...(organizations && { organizations: [...organizations] }),
    ...(dates && { dates: [...dates] }),
  }
}

type PlainLists = Pick<Details, Exclude<ListDetail, 'addresses' | 'relations'>>

type RelationJson = NonNullable<DetailsJson['relations']>[number]

function relationJson({ connectionId, ...parts }: Relation): RelationJson {
  return {
    ...parts,
    ...(connectionId !== undefined && { connection_id: formatPublicId('c', connectionId) }),
  }
}

function relationOf({ name = '', relation, connection_id = '' }: RelationJson): Relation {
  const connectionId = parsePublicId('c', connection_id)
  return {
    ...(name !== '' && { name }),
    ...(relation !== undefined && { relation }),
    ...(connectionId != null && { connectionId }),
  } as Relation
}

type AddressJson = NonNullable<DetailsJson['addresses']>[number]

function addressJson({ poBox, postalCode, ...parts }: Address): AddressJson {
  return {
    ...parts,
    ...(poBox !== undefined && { po_box: poBox }),
    ...(postalCode !== undefined && { postal_code: postalCode }),
  }
}

function addressOf({ po_box, postal_code, ...parts }: AddressJson): Address {
  return {
    ...parts,
    ...(po_box !== undefined && { poBox: po_box }),
    ...(postal_code !== undefined && { postalCode: postal_code }),
  }
}
