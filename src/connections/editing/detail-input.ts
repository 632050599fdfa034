/** The argument `details` of tools that add or update a connection. */

import Type from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { isDay } from '../../base/calendar-day.ts'
import { checkSchema, type SchemaProblem } from '../../base/schema.ts'
import { similarName } from '../../base/similar-name.ts'
import { parseEncodedJson } from '../../tools/arguments/encoded-json.ts'
import { PAIRS_KEYWORD } from '../../tools/arguments/pairs.ts'
import { cleanDetails, isPartialDate } from '../model/clean-details.ts'
import {
  customValueOf,
  expectedValue,
  readCustomFields,
  requireCustomField,
} from '../model/custom-fields.ts'
import { MAX_CUSTOM_LENGTH, MAX_CUSTOM_VALUES } from '../model/limits.ts'
import { DetailsJson, detailsFromJson } from '../model/details-json.ts'
import {
  customFieldKey,
  detailFieldsOf,
  detailNamed,
  detailOf,
  type DetailField,
  type Details,
  type DetailValue,
} from '../model/details.ts'
import type { MemberReader } from '../../db/database.ts'

export type DetailChange = readonly [DetailField, DetailValue | null]

/** All values of a list, such as all addresses of a connection, as JSON. */
const MAX_DETAIL_LENGTH = 10 * MAX_CUSTOM_LENGTH

/** A list of `field=value`: see `pairs.ts`. */
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
  'More field=value: nickname, pronouns, name_prefix, middle_name, name_suffix, labels.a@x.org=work, custom.Tier=Gold; ' +
  'JSON lists: addresses, handles=[{service, value}], organizations [{name, title, from, until, current}], ' +
  'dates [{label, date}], relations [{name, relation}]. nickname= clears'

/**
 * The changes that the argument makes to these details. Labels and custom values are changed one by one, every other
 * field as a whole.
 *
 * @throws {RequestError} `invalid_request` when a field is unknown or a value cannot be parsed.
 */
export async function readDetailChanges(
  reader: MemberReader,
  input: readonly string[] | undefined,
  present: Details,
): Promise<DetailChange[]> {
  if (input === undefined) return []
  const { given, cleared } = split(fieldsOf(input))
  const checked = checkSchema(DetailsJson, given)
  if (!checked.ok) throw invalid(checked.problems.map(explained))
  const json = checked.value
  checkDates(json)
  const { custom: _custom, ...fixed } = cleanDetails(detailsFromJson(json), new Map()) ?? {}
  const changes = new Map<DetailField, DetailValue | null>()
  for (const field of detailFieldsOf(fixed)) {
    const value = detailOf(fixed, field)
    if (value !== undefined) changes.set(field, value)
  }
  for (const name of cleared.fields) {
    const field = detailNamed(name)
    if (!field) throw invalid([explained({ pointer: `/${name}`, detail: UNKNOWN })])
    changes.set(field, null)
  }
  if (json.labels || cleared.labels.length > 0)
    changes.set('labels', without({ ...present.labels, ...json.labels }, cleared.labels))
  for (const change of await customChanges(reader, json.custom ?? {}, cleared.custom))
    changes.set(...change)
  return [...changes]
}

/** The fields as `DetailsJson` has them, not checked yet. A value may be JSON; `custom.Tier` is a part of `custom`. */
function fieldsOf(pairs: readonly string[]): object {
  const fields = new Map<string, unknown>()
  for (const [index, pair] of pairs.entries()) {
    const [path, value] = pathAndValue(pair, index)
    const [, record = path, key] = PART.exec(path) ?? []
    const before = fields.get(record)
    if (key === undefined)
      fields.set(path, isRecord(before) && isRecord(value) ? { ...before, ...value } : value)
    else fields.set(record, { ...(isRecord(before) && before), [key]: value })
  }
  return Object.fromEntries(fields)
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
function split(input: object): { readonly given: object; readonly cleared: Cleared } {
  const { labels, custom } = input as Readonly<Record<string, unknown>>
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

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

function withoutEmpty(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one)))
}

function emptyIn(value: object): string[] {
  return Object.entries(value).flatMap(([name, one]) => (isEmpty(one) ? [name] : []))
}

function without(
  record: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))
}

function checkDates({ dates = [], organizations = [], interactions = [] }: DetailsJson): void {
  const problems = dates.flatMap(({ date }, index) =>
    isPartialDate(date) ? [] : [{ pointer: `/dates/${index}/date`, detail: EXPECTED_DATE }],
  )
  for (const [index, position] of organizations.entries())
    for (const end of ['from', 'until'] as const) {
      const date = position[end]
      if (date !== undefined && (date.startsWith('-') || !isPartialDate(date)))
        problems.push({ pointer: `/organizations/${index}/${end}`, detail: EXPECTED_YEAR })
    }
  for (const [index, { on }] of interactions.entries())
    if (!isDay(on))
      problems.push({ pointer: `/interactions/${index}/on`, detail: 'must be a day: YYYY-MM-DD' })
  const unnamed = organizations.findIndex(
    ({ name, title }) => name === undefined && title === undefined,
  )
  if (unnamed !== -1)
    problems.push({ pointer: `/organizations/${unnamed}`, detail: 'needs a name or a title' })
  if (problems.length > 0) throw invalid(problems)
}

const EXPECTED_DATE = 'must be a date: YYYY-MM-DD, YYYY-MM, YYYY or --MM-DD'
const EXPECTED_YEAR = 'must be a date: YYYY-MM-DD, YYYY-MM or YYYY'

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
