/** The argument `details` of tools that add or update a connection. */

import { phrase, t } from '../../languages/message.ts'
import { PAIRS_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { checkSchema, type SchemaProblem } from '../../base/schema.ts'
import { similarName } from '../../base/spelling/similar-name.ts'
import { parseEncodedJson } from '../../tools/arguments/encoded-json.ts'
import { cleanDetails, isPartialDate } from '../../contact-files/contact/clean-details.ts'
import { readCustomFields, requireCustomField } from '../custom-fields/custom-fields.ts'
import { customValueOf, expectedValue } from '../custom-fields/custom-values.ts'
import { MAX_CUSTOM_LENGTH, MAX_CUSTOM_VALUES, MAX_VALUES } from '../../base/limits.ts'
import { DetailsJson, detailsFromJson } from '../../contact-files/contact/details-json.ts'
import { linkedInput, type CreatePerson } from './relation-input.ts'
import { editedList, pointerInForm, splitLists } from './detail-lists.ts'
import {
  customFieldKey,
  detailFieldsOf,
  detailNamed,
  detailOf,
  type DetailField,
  type Details,
  type DetailValue,
} from '../../contact-files/contact/details.ts'
import type { MemberReader } from '../../db/database.ts'

export type DetailChange = readonly [DetailField, DetailValue | null]

/** All values of a list, such as all addresses of a connection, as JSON. */
const MAX_DETAIL_LENGTH = 10 * MAX_CUSTOM_LENGTH

/** A list of `field=value`: see `PAIRS_KEYWORD`. */
export function detailsArgument(description: string) {
  return Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_DETAIL_LENGTH }), {
      maxItems: MAX_CUSTOM_VALUES,
      description,
      [PAIRS_KEYWORD]: true,
      examples: [
        ['nickname=Grace', 'custom.Tier=Gold', 'handles=[{"service":"x","value":"grace"}]'],
      ],
    }),
  )
}

/** For the tool that describes the argument; others refer to it. */
export const DETAILS_DESCRIPTION =
  'field=value: nickname, pronouns, name_prefix, name_suffix, labels.a@x.org=work, custom.Tier=Gold; ' +
  'JSON adds: addresses, handles=[{service, value}], organizations [{name, title, from, until, current}], ' +
  'dates [{label, date}], relations [{name, relation, create: true}], {remove: []}, {replace: []}. nickname= clears'

/**
 * The changes that the argument makes to these details. Labels, custom values and entries of lists are changed one by one,
 * every other field as a whole. `create` adds the people of relations that ask for it.
 *
 * @throws {RequestError} `invalid_request` when a field is unknown or a value cannot be parsed.
 */
export async function readDetailChanges(
  reader: MemberReader,
  input: readonly string[] | undefined,
  present: Details,
  create?: CreatePerson,
): Promise<DetailChange[]> {
  if (input === undefined) return []
  const { given, cleared } = split(fieldsOf(input))
  const { added, edits, problems } = splitLists(given)
  if (problems.length > 0) throw invalid(problems)
  const inForm = ({ pointer, detail }: SchemaProblem) =>
    explained({ pointer: pointerInForm(pointer, edits), detail })
  const checked = checkSchema(DetailsJson, added)
  const unnamed = unnamedRelations(added['relations'])
  if (!checked.ok) throw invalid([...checked.problems, ...unnamed].map(inForm))
  if (unnamed.length > 0) throw invalid(unnamed.map(inForm))
  const json = checked.value
  const invalidDates = dateProblems(json)
  if (invalidDates.length > 0) throw invalid(invalidDates.map(inForm))
  const { relations } = json
  const written = {
    ...detailsFromJson(json),
    ...(relations && {
      relations: await linkedInput(reader, relations, present.relations, create),
    }),
  }
  const { custom: _custom, ...fixed } = cleanDetails(written, new Map()) ?? {}
  const changes = new Map<DetailField, DetailValue | null>()
  for (const field of detailFieldsOf(fixed)) {
    const value = detailOf(fixed, field)
    if (value !== undefined) changes.set(field, value)
  }
  for (const [field, edit] of edits) {
    const list = editedList(field, edit, { present, added: fixed[field] ?? [] })
    const room = Math.max(MAX_VALUES, present[field]?.length ?? 0)
    if (Array.isArray(list) && list.length > room)
      throw invalid([{ pointer: `/${field}`, detail: `has at most ${MAX_VALUES} entries` }])
    if (list !== undefined) changes.set(field, list)
  }
  for (const name of cleared.fields) {
    const field = detailNamed(name)
    if (!field) throw invalid([explained({ pointer: `/${name}`, detail: UNKNOWN })])
    changes.set(field, null)
  }
  if (Object.keys(json.labels ?? {}).length + cleared.labels.length > 0)
    changes.set('labels', without({ ...present.labels, ...json.labels }, cleared.labels))
  for (const change of await customChanges(reader, json.custom ?? {}, cleared.custom))
    changes.set(...change)
  return [...changes]
}

function unnamedRelations(relations: unknown): SchemaProblem[] {
  if (!Array.isArray(relations)) return []
  return relations.flatMap((one: unknown, index) =>
    isRecord(one) && isEmpty(one['name'] ?? null) && isEmpty(one['connection_id'] ?? null)
      ? [{ pointer: `/relations/${index}/name`, detail: 'is required without a connection_id' }]
      : [],
  )
}

/** The fields as `DetailsJson` has them, not checked yet. A value may be JSON; `custom.Tier` is a part of `custom`. */
function fieldsOf(pairs: readonly string[]): Fields {
  const fields = new Map<string, unknown>()
  for (const [index, pair] of pairs.entries()) {
    const [path, value] = pathAndValue(pair, index)
    const [, record = path, key] = PART.exec(path) ?? []
    const before = fields.get(record)
    if (key === undefined) fields.set(path, joined(before, value))
    else fields.set(record, { ...(isRecord(before) && before), [key]: value })
  }
  return Object.fromEntries(fields)
}

type Fields = Readonly<Record<string, unknown>>

/** One value of a field that is given twice: both lists or records, or the later text. */
function joined(before: unknown, value: unknown): unknown {
  const [one, other] = [before, value].map((given) =>
    Array.isArray(given) ? { add: given } : given,
  )
  if (!isRecord(one) || !isRecord(other)) return value
  const parts = Object.entries(other).map(([name, part]): [string, unknown] => {
    const earlier = one[name]
    return [name, Array.isArray(earlier) && Array.isArray(part) ? [...earlier, ...part] : part]
  })
  return { ...one, ...Object.fromEntries(parts) }
}

const PART = /^(labels|custom)\.(.+)$/s

function pathAndValue(pair: string, index: number): readonly [path: string, value: unknown] {
  // A URL often has an equals sign, a label hardly ever.
  const at = LABEL_OF_URL.test(pair) ? pair.lastIndexOf('=') : pair.indexOf('=')
  if (at < 1)
    throw invalid([{ pointer: `/${index}`, detail: 'must be field=value, such as nickname=Grace' }])
  const [path, text] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  return [path, (PART.test(path) ? undefined : parseEncodedJson(text)) ?? unquoted(text)]
}

const LABEL_OF_URL = /^\s*labels\.https?:/i

/** Texts may be quoted as in JSON. */
function unquoted(text: string): string {
  const [only] = (parseEncodedJson(`[${text}]`) as unknown[] | undefined) ?? []
  return text.startsWith('"') && typeof only === 'string' ? only : text
}

/** As `checkSchema` reports it. */
const UNKNOWN = 'is not a known field'

const FIELDS = Object.keys(DetailsJson.properties)

/** The error for an unknown field, with the known ones. */
function explained({ pointer, detail }: SchemaProblem): SchemaProblem {
  const name = /^\/([^/]*)$/.exec(pointer)?.[1]
  if (detail !== UNKNOWN || name === undefined) return { pointer, detail }
  const meant = similarName(name, FIELDS)
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`
  return { pointer, detail: `${UNKNOWN}.${suggestion} Accepted: ${FIELDS.join(', ')}` }
}

interface Cleared {
  readonly fields: readonly string[]
  readonly labels: readonly string[]
  readonly custom: readonly string[]
}

/** An empty value clears a field, a label or a custom value; other values are checked against the schema. */
function split(input: Fields): { readonly given: Fields; readonly cleared: Cleared } {
  const { labels, custom } = input
  const parts = [
    ['labels', labels],
    ['custom', custom],
  ].flatMap(([name, value]) => (isRecord(value) ? [[name, withoutEmpty(value)]] : []))
  return {
    given: withoutEmpty({ ...input, ...Object.fromEntries(parts) }),
    cleared: {
      fields: emptyIn(input).filter((name) => name !== 'custom'),
      labels: isRecord(labels) ? emptyIn(labels) : [],
      custom: isRecord(custom) ? emptyIn(custom) : [],
    },
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Empty lists and records add nothing, and clear nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || value === ''
}

function withoutEmpty(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one)))
}

function emptyIn(value: Fields): string[] {
  return Object.entries(value).flatMap(([name, one]) => (isEmpty(one) ? [name] : []))
}

function without(
  record: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}

function dateProblems({ dates = [], organizations = [] }: DetailsJson): SchemaProblem[] {
  const problems = dates.flatMap(({ date }, index) =>
    isPartialDate(date) ? [] : [{ pointer: `/dates/${index}/date`, detail: t(EXPECTED_DATE) }],
  )
  for (const [index, position] of organizations.entries())
    for (const end of ['from', 'until'] as const) {
      const date = position[end]
      if (date !== undefined && (date.startsWith('-') || !isPartialDate(date)))
        problems.push({ pointer: `/organizations/${index}/${end}`, detail: t(EXPECTED_YEAR) })
    }
  const unnamed = organizations.findIndex(
    ({ name, title }) => name === undefined && title === undefined,
  )
  if (unnamed !== -1)
    problems.push({ pointer: `/organizations/${unnamed}`, detail: 'needs a name or a title' })
  return problems
}

const EXPECTED_DATE = phrase('must be a date: YYYY-MM-DD, YYYY-MM, YYYY or --MM-DD')
const EXPECTED_YEAR = phrase('must be a date: YYYY-MM-DD, YYYY-MM or YYYY')

async function customChanges(
  reader: MemberReader,
  values: Readonly<Record<string, string>>,
  cleared: readonly string[],
): Promise<DetailChange[]> {
  if (Object.keys(values).length + cleared.length === 0) return []
  const fields = await readCustomFields(reader)
  return [
    ...Object.entries(values).map(([name, text]): DetailChange => {
      const field = requireCustomField(fields, name, '/details/custom')
      const value = customValueOf(field, text)
      if (value === undefined)
        throw invalid([{ pointer: `/custom/${name}`, detail: `must be ${expectedValue(field)}` }])
      return [customFieldKey(field.fieldId), value]
    }),
    ...cleared.map((name): DetailChange => [
      customFieldKey(requireCustomField(fields, name, '/details/custom').fieldId),
      null,
    ]),
  ]
}

function invalid(problems: readonly { readonly pointer: string; readonly detail: string }[]) {
  const [first] = problems
  return new RequestError(
    'invalid_request',
    `details${first?.pointer ?? ''} ${first?.detail ?? 'is not valid'}.`,
    { errors: problems.map(({ pointer, detail }) => ({ pointer: `/details${pointer}`, detail })) },
  )
}
