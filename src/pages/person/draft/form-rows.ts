/** The lists in the form of a person, such as emails and addresses: one row of controls for each value. */

import { phrase } from '../../../languages/message.ts'
import { MAX_VALUES } from '../../../base/limits.ts'
import { DAY_WORDS, PLACE_WORDS, RELATION_WORDS } from '../../../connections/person/label-words.ts'

export const ROW_KINDS = [
  'organizations',
  'emails',
  'phones',
  'links',
  'handles',
  'addresses',
  'dates',
  'relations',
] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** The text of each control of a row. */
export type Row = Readonly<Record<string, string>>

export type FormRows = Readonly<Record<RowKind, readonly Row[]>>

export interface RowControl {
  readonly name: string
  readonly label: string
  /** Among the rest, unless it has a value. */
  readonly isRare?: boolean
  /** `lines`: a text of several lines. `choice`: one of `options`, which does not make a row filled. */
  readonly kind?: 'lines' | 'choice'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** The ID of a list of suggestions. */
  readonly suggestions?: keyof typeof SUGGESTIONS
  readonly hint?: string
}

interface RowForm {
  readonly legend: string
  /** What a row is, for its buttons. */
  readonly one: string
  readonly hint?: string
  readonly controls: readonly [RowControl, ...RowControl[]]
  /** The summary of the controls without a value after the first one; in a row without values, of the rare ones. */
  readonly rest?: string
  /** Whether a row without values is shown when there is no other. */
  readonly isUsual?: boolean
  /** Whether a row is one line with labels above the first one only. */
  readonly isLine?: boolean
}

export const SUGGESTIONS = {
  places: PLACE_WORDS,
  services: [
    'bluesky',
    'discord',
    'facebook',
    'github',
    'instagram',
    'mastodon',
    'matrix',
    'signal',
    'skype',
    'telegram',
    'wechat',
    'whatsapp',
    'x',
  ],
  days: DAY_WORDS,
  relations: RELATION_WORDS,
} as const

const LABEL = { name: 'label', label: phrase('Label'), suggestions: 'places' } as const
const POSITION_DAY = phrase('Such as 2019-04 or 2019.')

export const ROW_FORMS: Readonly<Record<RowKind, RowForm>> = {
  organizations: {
    legend: phrase('Positions'),
    one: phrase('position'),
    hint: phrase('Former positions, and the department or start of the current one.'),
    controls: [
      { name: 'title', label: phrase('Title') },
      {
        name: 'current',
        label: phrase('Status'),
        kind: 'choice',
        options: [
          { value: 'no', label: phrase('Former') },
          { value: 'yes', label: phrase('Current') },
        ],
      },
      { name: 'name', label: phrase('Company') },
      { name: 'from', label: phrase('From'), hint: POSITION_DAY },
      { name: 'department', label: phrase('Department') },
      { name: 'until', label: phrase('Until') },
    ],
  },
  emails: {
    legend: phrase('Email addresses'),
    one: phrase('email address'),
    controls: [{ name: 'value', label: phrase('Email address') }, LABEL],
    isUsual: true,
    isLine: true,
  },
  phones: {
    legend: phrase('Phone numbers'),
    one: phrase('phone number'),
    controls: [{ name: 'value', label: phrase('Phone number') }, LABEL],
    isUsual: true,
    isLine: true,
  },
  links: {
    legend: phrase('Links'),
    one: phrase('link'),
    controls: [{ name: 'value', label: phrase('URL') }, LABEL],
    isLine: true,
  },
  handles: {
    legend: phrase('Accounts'),
    one: phrase('account'),
    controls: [
      { name: 'value', label: phrase('Username') },
      { name: 'service', label: phrase('Service'), suggestions: 'services' },
      LABEL,
    ],
    isLine: true,
  },
  addresses: {
    legend: phrase('Addresses'),
    one: phrase('address'),
    controls: [
      { name: 'street', label: phrase('Street'), kind: 'lines' },
      LABEL,
      { name: 'city', label: phrase('City') },
      { name: 'postal_code', label: phrase('Postal code') },
      { name: 'country', label: phrase('Country') },
      { name: 'po_box', label: phrase('PO box'), isRare: true },
      { name: 'region', label: phrase('State or region'), isRare: true },
      { name: 'extended', label: phrase('Apartment or building'), isRare: true },
      { name: 'formatted', label: phrase('Whole address'), kind: 'lines', isRare: true },
    ],
    rest: phrase('Rest of the address'),
  },
  dates: {
    legend: phrase('Other dates'),
    one: phrase('date'),
    controls: [
      { name: 'label', label: phrase('Occasion'), suggestions: 'days' },
      { name: 'date', label: phrase('Date') },
    ],
    hint: phrase('Such as 20 Jun 2015, 2015-06, 2015, or 20 Jun without the year.'),
    isLine: true,
  },
  relations: {
    legend: phrase('Relations'),
    one: phrase('relation'),
    controls: [
      { name: 'name', label: phrase('Name') },
      { name: 'relation', label: phrase('Relation'), suggestions: 'relations' },
    ],
    isLine: true,
  },
}

/** The name of a control; `new` stands for the index in the template of a row. */
export function controlName(kind: RowKind, index: number | 'new', control: string): string {
  return `${kind}-${index}-${control}`
}

/** A row of the form that is not filled in. */
export function blankRow(kind: RowKind): Row {
  const controls = ROW_FORMS[kind].controls.map(({ name, options }) => [
    name,
    options?.[0]?.value ?? '',
  ])
  return Object.fromEntries(controls) as Row
}

/** Whether nothing is typed in a row; choices do not count. */
export function isBlank(kind: RowKind, row: Row): boolean {
  return ROW_FORMS[kind].controls.every(
    (control) => control.kind === 'choice' || (row[control.name] ?? '').trim() === '',
  )
}

/** The rows with a value, each with its index among all rows. */
export function filledRows(
  kind: RowKind,
  rows: FormRows,
): readonly { readonly row: Row; readonly index: number }[] {
  return rows[kind].map((row, index) => ({ row, index })).filter(({ row }) => !isBlank(kind, row))
}

/** The rows of a submitted form, blank ones included. */
export function readFormRows(form: URLSearchParams): FormRows {
  const indices = new Map<string, Set<number>>()
  for (const name of form.keys()) {
    const [, kind = '', index = ''] = /^([a-z]+)-(\d{1,4})-[a-z_]+$/.exec(name) ?? []
    if (kind === '') continue
    const same = indices.get(kind) ?? new Set()
    indices.set(kind, same.add(Number(index)))
  }
  const rowsOf = (kind: RowKind) =>
    [...(indices.get(kind) ?? [])]
      .toSorted((one, other) => one - other)
      .slice(0, MAX_ROWS)
      .map((index) => readRow(form, kind, index))
  return Object.fromEntries(ROW_KINDS.map((kind) => [kind, rowsOf(kind)])) as unknown as FormRows
}

/** More than are valid, so that too many values are an error and not cut. */
const MAX_ROWS = 2 * MAX_VALUES

function readRow(form: URLSearchParams, kind: RowKind, index: number): Row {
  const blank = blankRow(kind)
  return Object.fromEntries(
    Object.entries(blank).map(([name, value]) => [
      name,
      form.get(controlName(kind, index, name)) ?? value,
    ]),
  )
}

/**
 * Does what the button "Add" of a list or "Remove" of a row asks for. Returns whether one was pressed; otherwise the form
 * is to be saved.
 */
export function pressRowButton(form: URLSearchParams): boolean {
  const [added, removed] = [form.get('add_row'), form.get('remove_row')]
  const kind = ROW_KINDS.find((one) => one === added)
  if (kind !== undefined)
    form.append(controlName(kind, LAST_INDEX, ROW_FORMS[kind].controls[0].name), '')
  if (removed !== null)
    for (const name of Array.from(form.keys()))
      if (name.startsWith(`${removed}-`)) form.delete(name)
  return added !== null || removed !== null
}

/** After every row that a page has. */
const LAST_INDEX = 9999
