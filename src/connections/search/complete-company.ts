/** Completes a prefix of a company name from the companies of the network. */

import { normalize, tokenize } from '../../base/tokenize.ts'
import { MAX_COMPLETIONS, type CompleteArgument } from '../../tools/completion.ts'
import { searchConnections } from './search.ts'
import { withheldFields } from './filters/withheld-fields.ts'

/** Number of connections to read; several may work at the same company. */
const MAX_SEARCHED = 50

export const completeCompany: CompleteArgument = async (db, typed, limits) => {
  if (tokenize(typed).length === 0) return []
  const start = normalize(typed.trim())
  const query = { query: typed, withheld: withheldFields(limits) }
  const { connections } = await searchConnections(db, { query, limit: MAX_SEARCHED })
  const companies = connections.flatMap(({ company }) => company ?? [])
  const matching = companies.filter((company) => normalize(company).startsWith(start))
  return [...new Set(matching)].slice(0, MAX_COMPLETIONS)
}
