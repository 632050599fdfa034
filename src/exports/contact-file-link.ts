/** One-time links to contact files, for the minutes in which an agent gives an export to its member. */

import { listApiTokens } from '../access/api-token.ts'
import { findLimits } from '../access/agent-limits.ts'
import { createLink, findLink, LINK, takeLink, type LinkPurpose } from '../access/one-time-link.ts'
import { MINUTE } from '../base/clock.ts'
import { findMember } from '../members/member.ts'
import { isGrantValid } from '../oauth/grant.ts'
import { contactFileUrl } from './export-url.ts'
import { findConnectionExport, type ConnectionExport } from './connection-export.ts'
import type { Database, MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'
import type { AgentLimits } from '../http/caller.ts'

const LIFETIME_MS = 10 * MINUTE

const PURPOSES: readonly LinkPurpose[] = ['export']

/** Creates a link and returns its URL, which contains the secret. */
export async function contactFileLink(
  tx: MemberTransaction,
  { exportId, publicUrl, now }: { exportId: string; publicUrl: string; now: number },
): Promise<string> {
  const { memberId } = tx
  const link = { purpose: 'export', memberId, note: exportId, lifetime: LIFETIME_MS } as const
  const { secret } = await createLink(tx.shared, link, now)
  return `${contactFileUrl(exportId, publicUrl)}?${LINK}=${secret}`
}

/** The URL without its secret. It opens only in the browser of the member. */
export function withoutLink(url: string): string {
  return url.split('?', 1).join('')
}

interface LinkedExport {
  readonly db: MemberDatabase
  readonly exported: ConnectionExport
  /** Present limits of the agent that created the link. */
  readonly limits: AgentLimits
}

/** The export that a link leads to, until it is used or expires, or the access of its agent ends. */
export async function findLinkedExport(
  database: Database,
  { exportId, secret, now }: { exportId: string; secret: string; now: number },
): Promise<LinkedExport | undefined> {
  const link = await findLink(database, secret, PURPOSES, now)
  if (link?.memberId == null || link.note !== exportId) return undefined
  const member = await findMember(database, link.memberId)
  if (!member || member.disabledAt !== null) return undefined
  const db = database.member(link.memberId)
  const exported = await findConnectionExport(db, { exportId, now })
  if (!exported || !(await hasAccess(db, exported.credentialId, now))) return undefined
  const limits = await findLimits(db, exported.credentialId)
  return limits.endsAt !== null && limits.endsAt <= now ? undefined : { db, exported, limits }
}

/** Uses the link. False if it was used meanwhile. */
export async function takeExportLink(
  database: Database,
  secret: string,
  now: number,
): Promise<boolean> {
  return (await database.write((tx) => takeLink(tx, secret, PURPOSES, now))) !== undefined
}

async function hasAccess(
  reader: MemberReader,
  credentialId: string,
  now: number,
): Promise<boolean> {
  if (await isGrantValid(reader, credentialId, now)) return true
  return (await listApiTokens(reader)).some(
    ({ tokenId, expiresAt }) => tokenId === credentialId && (expiresAt === null || expiresAt > now),
  )
}
