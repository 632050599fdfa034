/** Values of custom fields: whether a field accepts one, and all values in a network. */

import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { pagesOf, type PageParams } from '../../db/paged-rows.ts'
import { memberStatement } from '../../db/statement.ts'
import { normalize } from '../../base/tokenize.ts'
import { t } from '../../languages/message.ts'
import { MAX_CUSTOM_LENGTH } from '../../base/limits.ts'
import { isPartialDate } from '../../contact-files/contact/clean-details.ts'
import { manyLines } from '../../contact-files/contact/clean-text.ts'
import { linkIn } from '../../contact-files/contact/urls.ts'
import type { Details } from '../../contact-files/contact/details.ts'
import type { CustomField } from './custom-fields.ts'

/** The value as the field stores it; undefined if it is invalid for the field. */
export function customValueOf(
  { kind, choices }: Pick<CustomField, 'kind' | 'choices'>,
  text: string,
): string | undefined {
  const value = manyLines(text, MAX_CUSTOM_LENGTH)
  if (value === '') return undefined
  if (kind === 'number') return NUMBER.test(value) ? value : undefined
  if (kind === 'date') return isPartialDate(value) ? value : undefined
  if (kind === 'url') return linkIn(value) ?? undefined
  if (kind === 'choice') return choices.find((choice) => normalize(choice) === normalize(value))
  return value
}

/** As JSON writes a number, also with a plus sign or a leading zero. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Says which values a field takes, for an error. */
export function expectedValue({ kind, choices }: Pick<CustomField, 'kind' | 'choices'>): string {
  if (kind === 'number') return t('a number such as 12 or 2.5')
  if (kind === 'date') return t('a date (YYYY-MM-DD, YYYY-MM, YYYY or --MM-DD)')
  if (kind === 'url') return t('a URL')
  if (kind === 'choice') return t('one of: {choices}', { choices: choices.join(', ') })
  return t('a text')
}

interface ConnectionValues {
  readonly connectionId: number
  /** By the number of the field. */
  readonly values: NonNullable<Details['custom']>
}

/** Connections per read. */
const PAGE = 2000

/**
 * The values of each connection that has any, in ID order. Use it in a computation, because it reads the whole network.
 */
export async function* readCustomValues(reader: MemberReader): AsyncGenerator<ConnectionValues> {
  for await (const rows of pagesOf(reader, CUSTOM, { first: 0, limit: PAGE }))
    for (const { key, details } of rows) {
      // Written by the service.
      const { custom = {} } = JSON.parse(details) as Details
      yield { connectionId: key, values: custom }
    }
}

/**
 * The number of connections by the number of the field; fields without values are absent. Deleted connections do not count.
 *
 * @throws {RequestError} `rate_limited` when too many computations of this member are queued.
 */
export async function countCustomValues(
  db: Pick<MemberDatabase, 'compute'>,
): Promise<ReadonlyMap<string, number>> {
  return new Map(await db.compute(COMPUTATION, {}))
}

/** Runs in a thread, because it reads the details of the whole network. */
export async function countValues(reader: MemberReader): Promise<[string, number][]> {
  const counts = new Map<string, number>()
  for await (const { values } of readCustomValues(reader))
    for (const fieldId of Object.keys(values)) counts.set(fieldId, (counts.get(fieldId) ?? 0) + 1)
  return [...counts]
}

const COMPUTATION = defineComputation(import.meta.url, { countValues })

/** Scans the member's connections. */
const CUSTOM = memberStatement<PageParams, { key: number; details: string }>()(`
  select connection_id as key, details from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
    and details like '%"custom":{%'
  order by connection_id limit :limit`)
