/**
 * The details of a person beyond the fields that lists, search filters and matching use, in one JSON column of a
 * connection (decisions/0033). Empty fields are absent; lists and strings are never empty.
 */

/** The parts of a name beyond the given and the family name, each one line. */
export const NAME_DETAILS = [
  'namePrefix',
  'middleName',
  'nameSuffix',
  'nickname',
  'phoneticGivenName',
  'phoneticFamilyName',
  'pronouns',
] as const
export type NameDetail = (typeof NAME_DETAILS)[number]

/** Lists of values with several parts. Imports add to them and never remove. */
export const LIST_DETAILS = ['addresses', 'handles', 'organizations', 'dates', 'relations'] as const
export type ListDetail = (typeof LIST_DETAILS)[number]

/** The details that storage, tools and exports use. */
interface KnownDetails extends Readonly<Partial<Record<NameDetail, string>>> {
  /**
   * The label of an email, phone number, profile URL or link, by the value as it is in those fields: `work`, `home`,
   * `mobile` or the member's own word. Values without a label are absent.
   */
  readonly labels?: Readonly<Record<string, string>>
  readonly addresses?: readonly Address[]
  readonly handles?: readonly AccountHandle[]
  readonly organizations?: readonly Organization[]
  readonly dates?: readonly LabeledDate[]
  readonly relations?: readonly Relation[]
  /** The ID of a stored photo. */
  readonly photo?: string
}

/** The details of a stored connection. */
export interface Details extends KnownDetails {
  /** The values of the member's custom fields, by the number of the field. */
  readonly custom?: Readonly<Record<string, string>>
}

/** The details of a contact in a file. Its groups are the labels of the contact, which become tags. */
export interface ContactDetails extends KnownDetails {
  /** All other columns and properties, under their own names. */
  readonly custom?: readonly CustomText[]
  /** Stored as interactions of their own. Newest first. */
  readonly interactions?: readonly ContactInteraction[]
}

/** A postal address; at least one part besides the label is present. */
export interface Address {
  readonly label?: string
  /** May have several lines. */
  readonly street?: string
  /** Apartment, floor, building. */
  readonly extended?: string
  readonly poBox?: string
  readonly city?: string
  readonly region?: string
  readonly postalCode?: string
  readonly country?: string
  /** The whole address as in the file, if it has no parts or contains more than they do. May have several lines. */
  readonly formatted?: string
}

/** An account for messages or on a social network that is not a plain URL. */
export interface AccountHandle {
  /** Lower-case: `skype`, `x`, `mastodon`, `matrix`, … */
  readonly service: string
  readonly value: string
  readonly label?: string
}

/**
 * A position. The current one is the connection's company and title; its entry here only adds what these two fields
 * lack. At least the name, the title or the department is present.
 */
export interface Organization {
  readonly name?: string
  readonly title?: string
  readonly department?: string
  /** A `PartialDate` with a year. */
  readonly from?: string
  readonly until?: string
  readonly current: boolean
}

/**
 * A day in a person's life other than the birthday in the field `birthday`. A birthday with only a known year or month
 * has the label `birthday`.
 */
export interface LabeledDate {
  /** `anniversary`, `birthday`, or the member's own word; `other` when the file has none. */
  readonly label: string
  readonly date: PartialDate
}

/** `YYYY-MM-DD`, `YYYY-MM`, `YYYY`, or `--MM-DD` when the year is unknown. */
type PartialDate = string

export interface Relation {
  readonly name: string
  /** What the person with this name is: `spouse`, `assistant`, `manager`, … */
  readonly relation?: string
  /** The number of the connection that has this name or had it. Absent if it is not known, and in files. */
  readonly connectionId?: number
}

/** A contact of the member with the person, such as a call or the day of a message. */
export interface ContactInteraction {
  /** A kind of interaction, such as `message`. Another word, such as `Lunch`, becomes the subject. */
  readonly kind: string
  /** YYYY-MM-DD, where it happened. */
  readonly on: string
  /** RFC 3339 and a name of the IANA database, both or none: when only the day is known. */
  readonly at?: string
  readonly zone?: string
  /** `out`: by the member. */
  readonly direction?: 'in' | 'out'
  readonly subject?: string
  readonly text?: string
  /** What it has in common with the same interaction of other people, or of a later file: such as its UUID there. */
  readonly key?: string
  /** Only says that there was a contact on this day, which another interaction of the day may tell more about. */
  readonly isLastContact?: true
}

/** A value of a column or property without a field of its own. A repeated field has all its values. */
export interface CustomText {
  /** The header of the column or the name of the property, as written. */
  readonly field: string
  /** May have several lines. */
  readonly value: string
}

export const NO_DETAILS: Details = Object.freeze({})

/**
 * The name of a field of the details in sources, snapshots and merges. Each custom field is separate, so that after one
 * is typed, imports still update the others.
 */
export type DetailField = NameDetail | 'labels' | ListDetail | 'photo' | `custom.${string}`

export type DetailValue = string | readonly object[] | Readonly<Record<string, string>>

const FIXED_FIELDS = [...NAME_DETAILS, 'labels', ...LIST_DETAILS, 'photo'] as const

const CUSTOM_PREFIX = 'custom.'

/** The name under which sources and snapshots keep the values of a custom field. */
export function customFieldKey(fieldId: number | string): DetailField {
  return `${CUSTOM_PREFIX}${fieldId}`
}

/** The number of the custom field; undefined for every other field. */
export function customFieldIn(field: string): string | undefined {
  return field.startsWith(CUSTOM_PREFIX) ? field.slice(CUSTOM_PREFIX.length) : undefined
}

/** The fields that have a value in any of these, in a fixed order. */
export function detailFieldsOf(...all: readonly Details[]): DetailField[] {
  const fixed = FIXED_FIELDS.filter((field) => all.some((one) => one[field] !== undefined))
  const custom = new Set(all.flatMap((one) => (one.custom ? Object.keys(one.custom) : [])))
  return [...fixed, ...[...custom].map(customFieldKey)]
}

/** The value of a field, custom fields included. */
export function detailOf(details: Details, field: DetailField): DetailValue | undefined {
  const custom = customFieldIn(field)
  if (custom !== undefined) return details.custom?.[custom]
  return details[field as (typeof FIXED_FIELDS)[number]]
}

/** With other values for some fields. An empty or missing value removes the field. */
export function withDetails(
  details: Details,
  values: Iterable<readonly [DetailField, DetailValue | null | undefined]>,
): Details {
  const after: Record<string, unknown> = { ...details }
  const custom: Record<string, string> = { ...details.custom }
  for (const [field, value] of values) {
    const customField = customFieldIn(field)
    const isEmpty = value == null || Object.keys(value).length === 0
    if (customField !== undefined) {
      if (isEmpty) delete custom[customField]
      else if (typeof value === 'string') custom[customField] = value
    } else if (isEmpty) delete after[field]
    else after[field] = value
  }
  if (Object.keys(custom).length > 0) after['custom'] = custom
  else delete after['custom']
  return Object.keys(after).length === 0 ? NO_DETAILS : after
}

/** The name of a field of the details in tools, exports and the activity log. */
export function detailName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const FIELDS_BY_NAME = new Map<string, DetailField>(
  FIXED_FIELDS.map((field) => [detailName(field), field]),
)

/** The field with this name; undefined if no field of the details has it. */
export function detailNamed(name: string): DetailField | undefined {
  return name.startsWith(CUSTOM_PREFIX) ? (name as DetailField) : FIELDS_BY_NAME.get(name)
}
