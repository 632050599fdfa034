/** What tells people with one name apart in a list of choices. */

import { publicConnectionId, type Listed } from '../model/connection.ts'

type Namesake = Pick<Listed, 'connectionId' | 'name' | 'title' | 'company' | 'location'> & {
  readonly emails?: readonly string[]
}

/**
 * For each person, the shortest text that distinguishes them: work, then also the place, then also the email; the ID only if
 * everything is the same. Empty for a name that only one person has.
 */
export function namesakeDetails(people: readonly Namesake[]): readonly string[] {
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase())
  return people.map((person) => {
    const others = (byName.get(person.name.toLowerCase()) ?? []).filter((one) => one !== person)
    if (others.length === 0) return ''
    const isTelling = (text: string, at: number) =>
      others.every((other) => detailsOf(other)[at] !== text)
    const texts = detailsOf(person)
    const found = texts.find((text, at) => text !== '' && isTelling(text, at))
    if (found !== undefined) return found
    const all = texts.at(-1) ?? ''
    return isTelling(all, texts.length - 1) ? all : publicConnectionId(person.connectionId)
  })
}

/** Texts of one part and more: the work, with the place, with the email. */
function detailsOf({ title, company, location, emails = [] }: Namesake): readonly string[] {
  const parts = [title, company, location, emails[0]].map((part) => part ?? '')
  return [2, 3, 4].map((count) =>
    parts
      .slice(0, count)
      .filter((part) => part !== '')
      .join(' · '),
  )
}
