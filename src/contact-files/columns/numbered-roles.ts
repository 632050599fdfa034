// Columns that are parts of a numbered value, such as `Phone 1 - Type` and `Company 2`.

import type { NumberedKind, NumberedRole } from '../fields/column-fields.ts'
import { targetNamed } from '../fields/header-words.ts'

const NUMBERED_KINDS: ReadonlyMap<string, NumberedKind> = new Map([
  ['e mail', 'email'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['website', 'url'],
  ['im', 'im'],
  ['address', 'address'],
  ['organization', 'organization'],
  ['event', 'event'],
  ['relation', 'relation'],
  ['position', 'position'],
  ['interaction', 'interaction'],
  ['custom field', 'custom'],
])

const NUMBERED =
  /^(e mail|email|phone|website|im|address|organization|event|relation|position|interaction|custom field) (\d{1,3}) ([a-z ]+)$/

const NUMBERED_PARTS: ReadonlySet<string> = new Set(
  'value,label,service,formatted,street,city,po box,region,postal code,country,extended address,name,yomi name,title,department,symbol,location,job description,from,until,current'.split(
    ',',
  ),
)

/** `E-mail 2 - Label` is the label of the second email. */
export function numberedRole(plain: string): NumberedRole | null {
  const found = NUMBERED.exec(plain)
  const kind = NUMBERED_KINDS.get(found?.[1] ?? '')
  const part = PART_NAMES.get(found?.[3] ?? '') ?? found?.[3] ?? ''
  if (kind === undefined || !NUMBERED_PARTS.has(part)) return null
  return { field: 'numbered', kind, number: Number(found?.[2]), part }
}

/** `Company 2` and `Job Title 2` are parts of one position. */
export function numberedPosition(plain: string): NumberedRole | null {
  const [, name = '', number] = /^(\D+) (\d{1,2})$/.exec(plain) ?? []
  const part = POSITION_PARTS.get(targetNamed(name)?.field ?? '')
  return part === undefined
    ? null
    : { field: 'numbered', kind: 'organization', number: Number(number), part }
}

const POSITION_PARTS: ReadonlyMap<string, string> = new Map([
  ['company', 'name'],
  ['title', 'title'],
  ['department', 'department'],
])

/** As other programs name the parts. */
const PART_NAMES: ReadonlyMap<string, string> = new Map([
  ['type', 'label'],
  ['state', 'region'],
  ['state region', 'region'],
  ['zip', 'postal code'],
  ['zip code', 'postal code'],
])
