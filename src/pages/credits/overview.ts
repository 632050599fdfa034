/** The data of the credits page: balance, spending this month, and the ledger. */

import { phrase, t } from '../../languages/message.ts'
import { tokenNames } from '../../access/api-token.ts'
import { creditBalance, type CreditBalance } from '../../credits/account.ts'
import { listLedger, type LedgerPage } from '../../credits/ledger.ts'
import {
  spendingByCredential,
  spendingByDay,
  type CredentialSpending,
} from '../../credits/usage.ts'
import { credentialNames } from '../../access/credential-name.ts'
import { listGrants } from '../../oauth/grant.ts'
import { monthOf, type Month } from './spending.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { Job } from '../../jobs/job.ts'
import type { Tool } from '../../tools/tool.ts'

export interface CreditOverview {
  readonly balance: CreditBalance
  readonly month: Month
  readonly spenders: readonly CredentialSpending[]
  readonly ledger: LedgerPage
  readonly names: Names
}

export interface Names {
  /** The title of a tool or job kind. */
  reason(name: string): string
  /** Undefined if no name is stored. */
  credential(id: string): CredentialName | undefined
}

interface CredentialName {
  readonly name: string
  /** How the credential ended, if it did. */
  readonly ended: 'revoked' | 'disconnected' | undefined
}

interface OverviewOptions {
  readonly quota: number
  readonly now: number
  /** The ledger cursor; undefined for the newest page. */
  readonly cursor: string | undefined
}

const PAGE_SIZE = 50

export async function readCreditOverview(
  db: MemberDatabase,
  titles: ReadonlyMap<string, string>,
  { quota, now, cursor }: OverviewOptions,
): Promise<CreditOverview> {
  const balance = await creditBalance(db, quota, now)
  const since = balance.periodStart
  const [ledger, credentials, spending, spenders] = await Promise.all([
    listLedger(db, PAGE_SIZE, cursor),
    namesOf(db, now),
    spendingByDay(db.heavy, since),
    spendingByCredential(db.heavy, since),
  ])
  const names = {
    reason: (name: string) => t(titles.get(name) ?? name),
    credential: (id: string) => credentials.get(id),
  }
  return { balance, month: monthOf(spending, balance, names.reason), spenders, ledger, names }
}

/** Titles, keyed by the reason stored in the ledger. */
export function titlesOf(
  tools: readonly Pick<Tool, 'name' | 'title'>[],
  jobs: readonly Pick<Job, 'kind' | 'title'>[],
): ReadonlyMap<string, string> {
  return new Map([
    ...jobs.map(({ kind, title }) => [kind, title] as const),
    ...tools.map(({ name, title }) => [name, title] as const),
  ])
}

async function namesOf(
  reader: MemberReader,
  now: number,
): Promise<ReadonlyMap<string, CredentialName>> {
  const [grants, kept, tokens] = await Promise.all([
    listGrants(reader, now),
    credentialNames(reader),
    tokenNames(reader),
  ])
  const connected = new Set(grants.map(({ grantId }) => grantId))
  const names = new Map<string, CredentialName>()
  for (const [id, name] of kept) {
    const ended = id.startsWith('tok_') ? phrase('revoked') : phrase('disconnected')
    names.set(id, { name, ended: connected.has(id) ? undefined : ended })
  }
  for (const [id, { name, isRevoked }] of tokens)
    names.set(id, { name, ended: isRevoked ? 'revoked' : undefined })
  return names
}
