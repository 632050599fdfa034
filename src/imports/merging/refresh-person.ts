/**
 * Applies a contact to a person: fills empty fields and refreshes fields from the same source. Typed fields are kept.
 */

import { isEntered } from '../../contact-files/contact/contact.ts'
import { dayAt, addsYear } from '../../dates/calendar-day.ts'
import { memoize } from '../../base/memoize.ts'
import { isFullerName } from '../../identity/compare-names.ts'
import { phoneKey } from '../../identity/phone-number.ts'
import { personNameOf } from '../../identity/match-person.ts'
import {
  addedDetails,
  withoutStaleLabels,
  type AddingRules,
} from '../../connections/model/add-details.ts'
import {
  LIST_FIELDS,
  TEXT_FIELDS,
  sourceOf,
  type Connection,
  type NewFieldSources,
  type ListField,
  type TextField,
} from '../../connections/model/connection.ts'
import { isNewer, jobTimeOf, takeSource, timeOf } from './contact-origin.ts'
import {
  NO_DETAILS,
  detailOf,
  withDetails,
  type DetailField,
} from '../../contact-files/contact/details.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import {
  hasSameKeys,
  keysOf,
  nameKeysOf,
  profileUrlKey,
} from '../../connections/model/match-keys.ts'
import { emailKey } from '../../contact-files/contact/contact-keys.ts'
import { completesName, withPartsOfName } from './fuller-names.ts'
import { addNameOf } from './namesakes.ts'
import { takeInteractions } from './take-interactions.ts'
import { cutterOf, takeLabels, takeNote } from './take-tags-and-notes.ts'
import {
  closeDepartment,
  closePosition,
  holdsPosition,
  isJobChange,
} from '../../connections/model/organizations.ts'
import {
  addHolder,
  removeHolder,
  type IncomingContact,
  type MergeContext,
  type Network,
  type MergedPerson,
} from './matched-people.ts'

/** The time is the same for all rows of a batch. */
const dayOf = memoize<string, number>(dayAt)

/** Whether a later file of the same kind replaced values of a contact. */
export function isReplaced(
  network: Network,
  { now }: MergedPerson,
  { contact, details, origin }: Pick<IncomingContact, 'contact' | 'details' | 'origin'>,
): boolean {
  const values = { contact, origin }
  const isText = TEXT_FIELDS.some(
    (field) => contact[field] !== now[field] && takesText(network, now, values, field),
  )
  if (isText || details === NO_DETAILS) return isText
  return addedDetails(now.details, details, now, rulesOf(now, origin, network.context)).length > 0
}

type Changes = { -readonly [Field in TextField | ListField]?: Connection[Field] }

/** Updates a person from a contact. */
export function refreshPerson(
  network: Network,
  person: MergedPerson,
  incoming: IncomingContact,
): 'job_changed' | 'updated' | 'unchanged' {
  const { contact, origin } = incoming
  const { context } = network
  const { jobId, now } = context
  const changes: Changes = {}
  const sources: NewFieldSources = {}
  const cut = cutterOf(contact, network)
  for (const field of TEXT_FIELDS) {
    if (!takesText(network, person.now, incoming, field)) continue
    Object.assign(changes, { [field]: contact[field] })
    takeSource(sources, person.now, field, { origin, context })
  }
  for (const field of LIST_FIELDS) {
    const missing = missingValues(network, person.now, incoming, field)
    const room = Math.max(0, MAX_VALUES - person.now[field].length)
    if (missing.length > room) cut(field)
    if (Math.min(missing.length, room) === 0) continue
    changes[field] = [...person.now[field], ...missing.slice(0, room)]
    if (origin && isNewer(origin, person.now, field))
      takeSource(sources, person.now, field, { origin, context })
  }
  const isNamed = !origin && changes.name === undefined && contact.name !== person.now.name
  const named = isNamed ? withPartsOfName(person.now, incoming) : incoming
  const added = withOtherPosition(person.now, named, context)
  const details = refreshedDetails(network, person.now, changes, added)
  Object.assign(sources, details.sources)
  const hasNewTags = takeLabels(person, contact.labels, { cut, isOwn: origin !== undefined })
  const hasNewNote = takeNote(person, contact.note, context)
  const hasNewInteractions = takeInteractions(person, contact.details?.interactions)
  const hasNewEntries = hasNewTags || hasNewNote || hasNewInteractions
  const hasNewDetails = details.details !== person.now.details
  if (Object.keys(changes).length === 0 && !hasNewDetails && !hasNewEntries) return 'unchanged'
  if (NAME_KEY_FIELDS.some((field) => changes[field] !== undefined))
    person.otherKeys.push(...nameKeysOf(person.now))
  if (changes.profileUrl !== undefined) removeHolder(network, person, person.now.profileUrl)
  person.now = {
    ...person.now,
    ...changes,
    details: details.details,
    fieldSources: { ...person.now.fieldSources, ...sources },
    importJobId: jobId,
    version: person.now.version + 1,
    updatedAt: now,
  }
  if (changes.name !== undefined) addNameOf(network, person)
  person.keys = currentKeysOf(person.now, incoming)
  for (const key of person.keys) addHolder(network, key, person)
  if (!details.isJobChange) return 'updated'
  const { company, title } = person.now
  person.job = { company, title }
  return 'job_changed'
}

/** The company of another kind of file does not replace the present one, but becomes another position. */
function withOtherPosition(
  present: Connection,
  incoming: IncomingContact,
  { source }: MergeContext,
): IncomingContact {
  const { contact, details, origin } = incoming
  const { company, title } = contact
  const known = sourceOf(present, 'company')
  if (company === null || present.company === null || origin || known === source) return incoming
  if (isEntered(known) || holdsPosition(present, company)) return incoming
  const position = { name: company, ...(title !== null && { title }), current: true }
  const organizations = [position, ...(details.organizations ?? [])]
  return { ...incoming, details: withDetails(details, [['organizations', organizations]]) }
}

const NAME_KEY_FIELDS = ['name', 'company', 'profileUrl', 'birthday'] as const

/** The stored keys of a person. After most updates they are those by which the contact found it. */
function currentKeysOf(person: Connection, { contact, keys }: IncomingContact): readonly string[] {
  return keys.stored.length > 0 && hasSameKeys(person, contact) ? keys.stored : keysOf(person)
}

/** The details with those of the contact, and with the former position if company or title changes. */
function refreshedDetails(
  network: Network,
  present: Connection,
  changes: Changes,
  { contact, details: added, origin }: IncomingContact,
) {
  const { context } = network
  const after = { ...present, ...changes }
  const hasNewJob = isJobChange(present, after)
  const before = hasNewJob
    ? closePosition(present.details, present, dayOf(origin ? jobTimeOf(origin) : context.now))
    : withoutFormerDepartment(present, { details: added, origin }, context)
  const sources: NewFieldSources = {}
  if (added === NO_DETAILS)
    return { details: withFreshLabels(before, changes, after), sources, isJobChange: hasNewJob }
  const rules = { ...rulesOf(present, origin, context), onCut: cutterOf(contact, network) }
  const taken = addedDetails(before, added, after, rules)
  for (const [field] of taken) {
    const isOlder = origin && detailOf(before, field) && !isNewer(origin, present, field)
    if (!rules.isClosed(field) && isOlder !== true)
      takeSource(sources, present, field, { origin, context })
  }
  const details = taken.length === 0 ? before : withDetails(before, taken)
  return { details: withFreshLabels(details, changes, after), sources, isJobChange: hasNewJob }
}

/** The details with a former department closed, if the contact has another one. */
function withoutFormerDepartment(
  present: Connection,
  { details: added, origin }: Pick<IncomingContact, 'details' | 'origin'>,
  context: MergeContext,
): Connection['details'] {
  const rules = rulesOf(present, origin, context)
  const isTaken = rules.replaces('organizations') && !rules.isClosed('organizations')
  const at = origin ? timeOf(origin, 'organizations') : context.now
  return isTaken ? closeDepartment(present.details, added, dayOf(at)) : present.details
}

/** The label of a replaced profile URL is removed. */
function withFreshLabels(details: Connection['details'], changes: Changes, after: Connection) {
  if (changes.profileUrl === undefined || details.labels === undefined) return details
  return withDetails(details, [['labels', withoutStaleLabels(details, after)]])
}

function rulesOf(
  present: Connection,
  origin: IncomingContact['origin'],
  { source, jobId }: MergeContext,
): AddingRules {
  const isTyped = (field: DetailField) => isEntered(present.fieldSources[field])
  if (origin)
    return {
      replaces: (field: DetailField) => isNewer(origin, present, field),
      isClosed: (field: DetailField) => isTyped(field) && !isNewer(origin, present, field),
    }
  return {
    replaces: (field: DetailField) =>
      sourceOf(present, field) === source && present.importJobId !== jobId,
    isClosed: isTyped,
  }
}

/**
 * Fills empty fields, refreshes fields from the same source once per import, and keeps typed fields. A later row of the
 * file can only complete the name. Of an export of Weft, only newer values are taken.
 */
function takesText(
  network: Network,
  present: Connection,
  { contact, origin }: Pick<IncomingContact, 'contact' | 'origin'>,
  field: TextField,
): boolean {
  const { source, jobId } = network.context
  const value = contact[field]
  if (value === null || value === present[field]) return false
  const isOlder = origin !== undefined && !isNewer(origin, present, field)
  if (isEntered(present.fieldSources[field]) && (!origin || isOlder)) return false
  if (field === 'profileUrl' && network.byKey.has(profileUrlKey(value))) return false // it belongs to someone else
  if (present[field] === null) return true
  if (field === 'name') {
    // A contact without a name is named after its company or email, which must not rename a person.
    if (isUnnamed(contact)) return false
    if (isUnnamed(present)) return true
  }
  if (origin) return !isOlder
  if (field === 'birthday' && addsYear(value, present.birthday)) return true
  if (sourceOf(present, field) !== source)
    return NAME_FIELDS.has(field) && completesName(contact, present)
  if (present.importJobId !== jobId) return true
  return NAME_FIELDS.has(field) && isFullerName(personNameOf(contact), personNameOf(present))
}

/** Name fields. If several rows of one file are about one person, the fullest name is kept. */
const NAME_FIELDS: ReadonlySet<TextField> = new Set(['name', 'givenName', 'familyName'])

/** Whether the name is a placeholder: the email, phone number or company. */
export function isUnnamed({
  name,
  givenName,
  familyName,
  company,
  emails,
  phones,
}: Connection | IncomingContact['contact']): boolean {
  if (givenName !== null || familyName !== null) return false
  return name === company || emails.includes(name.toLowerCase()) || phones.includes(name)
}

/** New list values that no other person has; none for a list that the member has edited. */
function missingValues(
  network: Network,
  present: Connection,
  { contact, origin }: Pick<IncomingContact, 'contact' | 'origin'>,
  field: ListField,
): readonly string[] {
  if (contact[field].length === 0) return NO_VALUES
  const isTyped = isEntered(present.fieldSources[field])
  if (isTyped && !(origin && isNewer(origin, present, field))) return NO_VALUES
  const isKnown = field === 'phones' ? isKnownPhone(present) : () => false
  return contact[field]
    .filter((value) => !present[field].includes(value) && value !== present.profileUrl)
    .filter((value) => field !== 'emails' || !network.byKey.has(emailKey(value)))
    .filter((value) => !isKnown(value))
}

const NO_VALUES: readonly string[] = []

/** One number has many spellings. */
function isKnownPhone({ phones }: Connection): (phone: string) => boolean {
  if (phones.length === 0) return () => false
  const keys = new Set(phones.map(phoneKey))
  keys.delete('')
  return (phone) => keys.has(phoneKey(phone))
}
