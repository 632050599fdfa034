/** Reads search sets: `people.json` and `questions.json` in a folder of `data/`. */

import { readFileSync } from 'node:fs'
import type { SearchQuestion, SearchSet, SetPerson } from './score.ts'

/** A line of `people.json`. Absent fields are unknown. */
export interface StoredPerson {
  readonly id: string
  readonly name: string
  readonly given?: string
  readonly family?: string
  readonly nick?: string
  readonly title?: string
  readonly company?: string
  readonly location: string
  readonly emails?: readonly string[]
  readonly phones?: readonly string[]
  readonly url?: string
  readonly links?: readonly string[]
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
  /** Due day and text. */
  readonly followUps?: readonly (readonly [string, string])[]
  /** Name and relation. */
  readonly relations?: readonly (readonly [string, string])[]
  /** Label and day. */
  readonly dates?: readonly (readonly [string, string])[]
}

/** A line of `questions.json`. `people` are the IDs of good answers, or IDs with a lower grade: `ann:2`. */
interface StoredQuestion {
  readonly category: string
  readonly half: 'tuning' | 'held-out'
  readonly query: string
  readonly people: readonly string[]
}

/** The set in a folder of `data/`. */
export function readSearchSet(folder: string): SearchSet {
  return setOf(
    folder,
    readJson<readonly StoredPerson[]>(`${folder}/people.json`),
    readQuestions(folder),
  )
}

/** A set of people and questions. */
export function setOf(
  name: string,
  people: readonly StoredPerson[],
  questions: readonly SearchQuestion[],
): SearchSet {
  return {
    name: `${name} set`,
    people: people.map(setPersonOf),
    customFields: [...new Set(people.flatMap(({ custom = {} }) => Object.keys(custom)))],
    questions,
    categories: [...new Set(questions.map(({ category }) => category))],
  }
}

/** The questions in a folder of `data/`. */
export function readQuestions(folder: string): SearchQuestion[] {
  return readJson<readonly StoredQuestion[]>(`${folder}/questions.json`).map(questionOf)
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`data/${path}`, import.meta.url), 'utf8')) as T
}

function questionOf({ category, half, query, people }: StoredQuestion): SearchQuestion {
  return {
    category: category === 'negative' ? 'negatives' : category,
    isHeldOut: half === 'held-out',
    query,
    relevant: new Map(people.map(gradeOf)),
  }
}

function gradeOf(person: string): [handle: string, grade: number] {
  const [, handle = person, grade = '3'] = /^(.*):([12])$/.exec(person) ?? []
  return [handle, Number(grade)]
}

function setPersonOf(person: StoredPerson): SetPerson {
  const { id, name, given, family, title, company, location, url, birthday, met } = person
  const { emails = [], phones = [], links = [], tags = [], notes = [], followUps = [] } = person
  return {
    handle: id,
    notes: notes.map(([on, text]) => ({ on, text })),
    followUps: followUps.map(([dueOn, text]) => ({ dueOn, text })),
    values: {
      name,
      ...(given !== undefined && { given_name: given }),
      ...(family !== undefined && { family_name: family }),
      ...(title !== undefined && { title }),
      ...(company !== undefined && { company }),
      location,
      emails,
      phones,
      links,
      tags,
      ...(url !== undefined && { profile_url: url }),
      ...(birthday !== undefined && { birthday }),
      ...(met !== undefined && { connected_on: met }),
      details: detailsOf(person),
    },
    document: {
      name,
      nickname: person.nick ?? '',
      title: title ?? '',
      company: company ?? '',
      location,
      emails: emails.join(' '),
      phones: phones.join(' '),
      links: [url ?? '', ...links, ...(person.handles ?? []).map(([, value]) => value)].join(' '),
      tags: tags.join(' '),
      birthday: birthday ?? '',
      former: (person.former ?? []).flat().join(' '),
      custom: Object.entries(person.custom ?? {})
        .flat()
        .join(' '),
      notes: notes.map(([, text]) => text).join('\n'),
      followUps: followUps.map(([, text]) => text).join('\n'),
      related: [...(person.relations ?? []), ...(person.dates ?? [])].flat().join(' '),
    },
  }
}

/** As `field=value`. */
function detailsOf(person: StoredPerson): string[] {
  const { nick, handles, former, custom = {}, relations, dates } = person
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
  if (relations) {
    const people = relations.map(([name, relation]) => ({ name, relation }))
    details.push(`relations=${JSON.stringify(people)}`)
  }
  if (dates) {
    const days = dates.map(([label, date]) => ({ label, date }))
    details.push(`dates=${JSON.stringify(days)}`)
  }
  return details
}
