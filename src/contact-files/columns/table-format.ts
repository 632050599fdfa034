// Distinguishes LinkedIn's, Google's and Outlook's exports from other tables, because values from the same kind of file
// replace each other.

import type { ImportFormat } from '../contact/contact.ts'
import { isNameOf } from '../fields/header-words.ts'
import { isOwnTable, type ColumnRole } from '../fields/column-fields.ts'

type TableFormat = Exclude<ImportFormat, 'vcard' | 'monica'>

interface Header {
  /** In the format of `plainHeader`. */
  readonly plain: readonly string[]
  readonly targets: readonly (ColumnRole | null)[]
  readonly hint?: ImportFormat | 'auto'
}

export function formatOf({ plain, targets, hint }: Header): TableFormat {
  const fields = new Set(targets.map((target) => target?.field))
  if (isOwnTable(targets)) return 'google'
  if (fields.has('connected_on') || isPlainLinkedin(plain, targets)) return 'linkedin'
  if (plain.some((name) => GOOGLE.test(name)) || ORGANIZATION.every((name) => plain.includes(name)))
    return 'google'
  const named = fields.has('given_name') || fields.has('family_name')
  if (named && plain.some((name) => isNameOf('outlook', name))) return 'outlook'
  return hint === 'linkedin' || hint === 'google' || hint === 'outlook' ? hint : 'table'
}

/** Some of LinkedIn's columns, and no other known ones. */
function isPlainLinkedin(
  plain: readonly string[],
  targets: readonly (ColumnRole | null)[],
): boolean {
  const own = plain.filter((name) => isNameOf('linkedin', name)).length
  const others = targets.filter(
    (target, at) => target !== null && !isNameOf('linkedin', plain[at] ?? ''),
  ).length
  return (
    plain.includes('first name') &&
    plain.includes('last name') &&
    own >= 3 &&
    others === 0 &&
    plain.length <= own + 1
  )
}

const GOOGLE =
  /^(?:(?:e mail|phone|address|organization|website) \d+ (?:value|formatted|name|title)|group membership|given name|file as)$/ // prose-ok: Google's headers
const ORGANIZATION = ['organization name', 'organization title']
