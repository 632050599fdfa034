/** The invariants of the database after any fault. */

import { memberStatement } from '../../src/db/statement.ts'
import type { Database } from '../../src/db/database.ts'
import type { Account, LoadReport } from './load.ts'

const NAMES = memberStatement<object, { name: string; times: number }>()(`
  select name, count(*) as times from connections where member_id = :member_id group by name`)

const NOTES = memberStatement<object, { text: string; times: number }>()(`
  select text, count(*) as times from notes where member_id = :member_id group by text`)

const CREDITS = memberStatement<object, { charged: number; entries: number; balance: number }>()(`
  select
    (select quota - remaining from credit_accounts where member_id = :member_id) as charged,
    (select -coalesce(sum(delta), 0) from credit_ledger
      where member_id = :member_id and kind in ('charge', 'refund')) as entries,
    (select count(*) from credit_ledger where member_id = :member_id and balance_after < 0) as balance`)

const OPEN_JOBS = memberStatement<object, { jobs: number }>()(`
  select count(*) as jobs from jobs where member_id = :member_id and state in ('queued', 'running')`)

const NOTE_CREDITS = 1
const PERSON_CREDITS = 1
const IMPORT_CREDITS = 5
const SEARCH_CREDITS = 1

/** Describes every violated invariant; empty if there is none. */
export async function brokenInvariants(
  database: Database,
  { accounts }: LoadReport,
): Promise<string[]> {
  const broken: string[] = []
  for (const account of accounts) broken.push(...(await brokenIn(database, account)))
  return broken
}

async function brokenIn(database: Database, account: Account): Promise<string[]> {
  const { member, people, notes, imports } = account
  const db = database.member(member.memberId)
  const names = new Map((await db.all(NAMES, {})).map(({ name, times }) => [name, times]))
  const texts = new Map((await db.all(NOTES, {})).map(({ text, times }) => [text, times]))
  const broken = [
    ...notOnce('person', people, names),
    ...notOnce('note', notes, texts),
    ...imports.flatMap(({ marker, rows }) => {
      const found = [...names].filter(([name]) => name.startsWith(`${marker} `))
      const total = found.reduce((sum, [, times]) => sum + times, 0)
      return total === rows ? [] : [`the import ${marker} has ${total} people instead of ${rows}`]
    }),
    ...(await wrongCredits(database, account)),
  ]
  const open = await db.get(OPEN_JOBS, {})
  if (Number(open?.jobs) > 0) broken.push(`${open?.jobs} jobs did not end`)
  return broken.map((what) => `${member.username}: ${what}`)
}

function notOnce(
  what: string,
  markers: readonly string[],
  counts: ReadonlyMap<string, number>,
): string[] {
  return markers.flatMap((marker) => {
    const times = counts.get(marker) ?? 0
    return times === 1 ? [] : [`the ${what} "${marker}" is stored ${times} times`]
  })
}

async function wrongCredits(database: Database, account: Account): Promise<string[]> {
  const { member, people, notes, imports, searches, searchAttempts } = account
  const credits = await database.member(member.memberId).get(CREDITS, {})
  const [charged, entries] = [Number(credits?.charged), Number(credits?.entries)]
  const writes =
    people.length * PERSON_CREDITS + notes.length * NOTE_CREDITS + imports.length * IMPORT_CREDITS
  const least = writes + searches * SEARCH_CREDITS
  const most = writes + searchAttempts * SEARCH_CREDITS
  return [
    ...(charged === entries ? [] : [`the ledger has ${entries} credits, the account ${charged}`]),
    ...(Number(credits?.balance) === 0 ? [] : ['the balance went below zero']),
    ...(charged >= least && charged <= most
      ? []
      : [`${charged} credits were charged instead of ${least} to ${most}`]),
  ]
}
