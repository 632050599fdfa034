/** The language of a member's pages and emails. */

import { statement } from '../db/statement.ts'
import { currentLanguage, isLanguage, type Language } from '../languages/language.ts'
import type { Reader, Transaction } from '../db/database.ts'

/** Undefined if the member has not chosen one. */
export async function readLanguage(
  reader: Reader,
  memberId: number,
): Promise<Language | undefined> {
  const language = (await reader.get(LANGUAGE, { member_id: memberId }))?.language
  return isLanguage(language) ? language : undefined
}

/** Keeps the language in which someone joins, for their emails. English is the default. */
export async function keepLanguage(tx: Transaction, memberId: number): Promise<void> {
  const language = currentLanguage()
  if (language !== 'en') await setLanguage(tx, memberId, language)
}

/** `null` follows the browser. */
export async function setLanguage(
  tx: Transaction,
  memberId: number,
  language: Language | null,
): Promise<void> {
  await tx.run(SET_LANGUAGE, { member_id: memberId, language })
}

/** By the primary key. */
const LANGUAGE = statement<{ member_id: number }, { language: string | null }>(
  'select language from members where member_id = :member_id',
)

const SET_LANGUAGE = statement<{ member_id: number; language: string | null }>(
  'update members set language = :language where member_id = :member_id',
)
