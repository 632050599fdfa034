/** Finds the account to sign in to, by email or username. */

import { statement } from '../../db/statement.ts'
import { usernameKey } from '../../members/usernames.ts'
import type { Reader } from '../../db/database.ts'

interface Account {
  readonly memberId: number
  readonly isDisabled: boolean
}

/** Case-insensitive. Every email contains an @, and no username does. */
export async function findAccount(reader: Reader, login: string): Promise<Account | undefined> {
  const typed = login.trim()
  return typed.includes('@')
    ? findAccountByEmail(reader, typed)
    : accountOf(await reader.get(BY_USERNAME, { username: usernameKey(typed) }))
}

/** Upper and lower case are the same. */
export async function findAccountByEmail(
  reader: Reader,
  email: string,
): Promise<Account | undefined> {
  return accountOf(await reader.get(BY_EMAIL, { email: email.toLowerCase() }))
}

interface AccountRow {
  readonly member_id: number
  readonly disabled_at: number | null
}

function accountOf(row: AccountRow | undefined): Account | undefined {
  return row && { memberId: row.member_id, isDisabled: row.disabled_at !== null }
}

// Both use the unique index on their column.
const BY_EMAIL = statement<{ email: string }, AccountRow>(
  'select member_id, disabled_at from members where email = :email',
)
const BY_USERNAME = statement<{ username: string }, AccountRow>(
  'select member_id, disabled_at from members where username = :username',
)
