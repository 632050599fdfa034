/** The set that Weft's search was built with. */

import { SEARCH_PEOPLE, type SearchPerson } from './people.ts'
import { CATEGORIES, QUESTIONS } from './questions.ts'
import type { SearchSet, SetPerson } from '../support/search-set.ts'

export const OWN_SET: SearchSet = {
  name: 'own set',
  people: SEARCH_PEOPLE.map(setPersonOf),
  customFields: [],
  questions: QUESTIONS,
  categories: CATEGORIES,
}

function setPersonOf(person: SearchPerson): SetPerson {
  const { handle, name, title, company, location, emails, phones, links, tags, notes } = person
  return {
    handle,
    notes,
    values: {
      name,
      title,
      ...(company !== null && { company }),
      location,
      emails,
      phones,
      links,
      tags,
      profile_url: person.profileUrl,
      connected_on: person.connectedOn,
    },
    document: {
      name,
      title,
      company: company ?? '',
      location,
      emails: emails.join(' '),
      phones: phones.join(' '),
      links: [person.profileUrl, ...links].join(' '),
      tags: tags.join(' '),
      notes: notes.map(({ text }) => text).join('\n'),
    },
  }
}
