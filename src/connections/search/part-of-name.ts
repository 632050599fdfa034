/** Parts of names in scripts without spaces, which a change by `where` does not take for names. */

import { normalForm } from '../../base/normal-form.ts'
import { familyFirstOrders, parsePersonName } from '../../identity/person-name.ts'
import type { Listed } from '../model/connection.ts'

/**
 * Returns what a query has of a name that is neither the whole name nor the given or family name, nor a part of the work or
 * the location: 王伟 of 王伟明, 김서 of 김서연. Undefined if there is none.
 */
export function partOfName(
  query: string,
  { name, company, title, location }: Pick<Listed, 'name' | 'company' | 'title' | 'location'>,
): string | undefined {
  const whole = withoutSpaces(name)
  const runs = (normalForm(query, 'NFKC').match(RUNS) ?? [])
    .flatMap((run) => (whole.includes(run) ? run : run.split(ADDRESS)))
    .filter((run) => run !== '' && whole.includes(run))
  if (runs.length === 0) return undefined
  const elsewhere = withoutSpaces([company, title, location].join(' '))
  const { given, family } = parsePersonName(name)
  const names = [
    ...name.split(SPACES),
    given.join(''),
    family.join(''),
    ...familyFirstOrders(whole),
  ]
  const own = new Set([whole, ...names.map(withoutSpaces)])
  return runs.find((run) => !own.has(run) && !elsewhere.includes(run))
}

function withoutSpaces(text: string): string {
  return normalForm(text, 'NFKC').replace(SPACES, '')
}

const SPACES = /[\s・]/gu
const RUNS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}々ー]+/gu
/** Forms of address in Japanese, Chinese and Korean, which follow a name. */
const ADDRESS = /さん|さま|くん|ちゃん|様|先生|씨|님/u
