/** Who started an import, by the name that the member's activity has for them. */

import { memberStatement, statement } from '../../db/statement.ts'
import { manualActor } from '../../tools/activity.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** The agent that a credential was given to; without one, the member. */
export async function readStarter(
  tx: MemberTransaction,
  credentialId: string | null,
): Promise<string> {
  if (credentialId !== null)
    return (await tx.get(CREDENTIAL, { credential_id: credentialId }))?.name ?? 'an agent'
  const member = await tx.shared.get(MEMBER, { member_id: tx.memberId })
  if (!member) throw new Error(`there is no member ${tx.memberId}`)
  return manualActor(member.name)
}

/** Of an API token the name it was given, of a grant its client's; both outlive their use. */
const CREDENTIAL = memberStatement<{ credential_id: string }, { name: string }>()(`
  select name from api_tokens where member_id = :member_id and token_id = :credential_id
  union all
  select name from credential_names where member_id = :member_id and credential_id = :credential_id`)

const MEMBER = statement<{ member_id: number }, { name: string }>(
  'select name from members where member_id = :member_id',
)
