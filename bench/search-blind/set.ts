/**
 * 150 invented people from ten trades, and 160 questions about them, written by someone who had read neither the search
 * nor its thesaurus nor the other set (decisions/0058). The dates suppose that today is in November 2026.
 */

import { readFileSync } from 'node:fs'
import type { SearchQuestion, SearchSet, SetPerson } from '../support/search-set.ts'

/** A line of `people.json`. Absent fields are unknown. */
interface BlindPerson {
  readonly id: string
  readonly name: string
  readonly given?: string
  readonly family?: string
  readonly nick?: string
  readonly title: string
  readonly company: string
  readonly location: string
  readonly emails?: readonly string[]
  readonly phones?: readonly string[]
  readonly url?: string
  /** Service and value. */
  readonly handles?: readonly (readonly [string, string])[]
  readonly tags?: readonly string[]
  /** YYYY-MM-DD, or --MM-DD without a year. */
  readonly birthday?: string
  /** YYYY-MM-DD */
  readonly met?: string
  /** Company, title, first and last year. */
  readonly former?: readonly (readonly [string, string, string, string])[]
  /** By the name of the custom field. */
  readonly custom?: Readonly<Record<string, string>>
  /** Day and text. */
  readonly notes?: readonly (readonly [string, string])[]
}

/** A line of `questions.json`. `people` are IDs; all of them answer the question equally well. */
interface BlindQuestion {
  readonly category: string
  readonly half: 'tuning' | 'held-out'
  readonly query: string
  readonly people: readonly string[]
}

const PEOPLE = readJson<readonly BlindPerson[]>('people.json')
const QUESTIONS = readJson<readonly BlindQuestion[]>('questions.json').map(questionOf)

export const BLIND_SET: SearchSet = {
  name: 'blind set',
  people: PEOPLE.map(setPersonOf),
  customFields: [...new Set(PEOPLE.flatMap(({ custom = {} }) => Object.keys(custom)))],
  questions: QUESTIONS,
  categories: [...new Set(QUESTIONS.map(({ category }) => category))],
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T
}

function questionOf({ category, half, query, people }: BlindQuestion): SearchQuestion {
  return {
    category: category === 'negative' ? 'negatives' : category,
    isHeldOut: half === 'held-out',
    query,
    relevant: new Map(people.map((id) => [id, 3])),
  }
}

function setPersonOf(person: BlindPerson): SetPerson {
  const { id, name, given, family, title, company, location, url, birthday, met } = person
  const { emails = [], phones = [], tags = [], notes = [] } = person
  return {
    handle: id,
    notes: notes.map(([on, text]) => ({ on, text })),
    values: {
      name,
      ...(given !== undefined && { given_name: given }),
      ...(family !== undefined && { family_name: family }),
      title,
      company,
      location,
      emails,
      phones,
      tags,
      ...(url !== undefined && { profile_url: url }),
      ...(birthday !== undefined && { birthday }),
      ...(met !== undefined && { connected_on: met }),
      details: detailsOf(person),
    },
    document: {
      name,
      nickname: person.nick ?? '',
      title,
      company,
      location,
      emails: emails.join(' '),
      phones: phones.join(' '),
      links: [url ?? '', ...(person.handles ?? []).map(([, value]) => value)].join(' '),
      tags: tags.join(' '),
      birthday: birthday ?? '',
      former: (person.former ?? []).flat().join(' '),
      custom: Object.entries(person.custom ?? {})
        .flat()
        .join(' '),
      notes: notes.map(([, text]) => text).join('\n'),
    },
  }
}

/** As `field=value`. */
function detailsOf({ nick, handles, former, custom = {} }: BlindPerson): string[] {
  const details = Object.entries(custom).map(([field, value]) => `custom.${field}=${value}`)
  if (nick !== undefined) details.push(`nickname=${nick}`)
  if (handles) {
    const accounts = handles.map(([service, value]) => ({ service, value }))
    details.push(`handles=${JSON.stringify(accounts)}`)
  }
  if (former) {
    const organizations = former.map(([name, title, from, until]) => ({
      name,
      title,
      from,
      until,
      current: false,
    }))
    details.push(`organizations=${JSON.stringify(organizations)}`)
  }
  return details
}
