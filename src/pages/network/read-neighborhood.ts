/** Who is around a person or a company: relations, people met in the same interactions, and colleagues. */

import { t } from '../../languages/message.ts'
import { monthsLater } from '../../dates/calendar-day.ts'
import { requireConnection } from '../../connections/editing/require-connection.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { metTogether } from '../../connections/overview/network-charts.ts'
import { contactTimesOf } from '../../connections/last-contact/read-contact-times.ts'
import { findListed, readListed } from '../../connections/people/find-people.ts'
import { linkedRelations } from '../../connections/relations/linked-relations.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-lengths.ts'
import { html, type Html } from '../../html/html.ts'
import { hiddenField, textField } from '../../html/form.ts'
import { connectionPath, NETWORK_PATH, networkPath } from '../../html/site-map.ts'
import { nearDayText } from '../../dates/format-date.ts'
import { face } from '../../html/face.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { noResults } from '../../ui/sections.ts'
import { neighborhoodView, type Face, type Neighbor, type Strength } from './neighborhood.ts'
import type { MemberDatabase } from '../../db/database.ts'

const [MAX_NEIGHBORS, MAX_COLLEAGUES, MAX_FOUND] = [16, 12, 12]

interface Viewer {
  /** YYYY-MM-DD */
  readonly today: string
  /** The member, in the drawing. */
  readonly self: Face
}

/** @throws {RequestError} `not_found` when the connection does not exist. */
export async function aroundPerson(
  db: MemberDatabase,
  id: string,
  { today, self }: Viewer,
): Promise<Html> {
  const person = await requireConnection(db, id)
  const { name, company, connectionId, details } = person
  const [relations, together, colleagues, times] = await Promise.all([
    linkedRelations(db, person),
    metTogether(db, connectionId, MAX_NEIGHBORS),
    company === null ? [] : peopleAt(db, company),
    contactTimesOf(db, [connectionId]),
  ])
  const kinds = new Map<number, string>()
  for (const { connectionId: other, relation } of relations)
    if (other !== undefined) kinds.set(other, relation ?? t('related'))
  for (const other of together) if (!kinds.has(other)) kinds.set(other, t('met together'))
  kinds.delete(connectionId)
  const others = colleagues.filter((other) => other !== connectionId && !kinds.has(other))
  const ids = [...kinds.keys()].slice(0, MAX_NEIGHBORS)
  const neighbors = await neighborsOf(db, ids, today, (other) => kinds.get(other) ?? '')
  const last = times.get(connectionId)?.lastContactOn ?? null
  const around = {
    name,
    photo: details.photo,
    own: {
      label: last === null ? t('no contact yet') : nearDayText(last, today),
      strength: strengthOf(last, today),
    },
    path: connectionPath(id),
    neighbors,
    colleagues: await colleaguesOf(db, company ?? '', others, today),
  }
  return neighborhoodView(around, self)
}

export async function aroundCompany(
  db: MemberDatabase,
  company: string,
  { today, self }: Viewer,
): Promise<Html> {
  const ids = await peopleAt(db, company)
  const around = {
    name: company,
    photo: undefined,
    own: undefined,
    path: listPath({ company }),
    neighbors: [],
    colleagues: await colleaguesOf(db, company, ids, today),
  }
  return neighborhoodView(around, self)
}

/** A field for the person whose surroundings are to be shown, and the people that its text finds. */
export async function choosePerson(db: MemberDatabase, who: string): Promise<Html> {
  const asked = { query: who, mode: 'keyword', sort: who === '' ? 'contact' : 'relevance' } as const
  const found = await findListed(db, { ...asked, isReversed: false, filters: {} }, undefined)
  const { rows } = await readListed(db, found, found.ids.slice(0, MAX_FOUND))
  const items = rows.map(({ listed }) => {
    const path = networkPath({ around: publicConnectionId(listed.connectionId) })
    return html`<li>
      <a class="who" href="${path}">${face(listed)}<bdi>${listed.name}</bdi></a>
      <small><bdi>${listed.company}</bdi></small>
    </li>`
  })
  return html`<p class="says">
      <b>Who is around a person?</b> Their relations, the people you met with them, and their
      colleagues.
    </p>
    <form class="search" action="${NETWORK_PATH}">
      ${hiddenField('view', 'around')}
      ${textField({ name: 'who', label: t('Person'), value: who, maxLength: MAX_FILTER_LENGTH, autocomplete: 'off' })}
      <button class="plain">Find</button>
    </form>
    ${
      items.length === 0
        ? noResults(who)
        : html`<ul class="known">
            ${items}
          </ul>`
    }`
}

async function peopleAt(db: MemberDatabase, company: string): Promise<readonly number[]> {
  const asked = { query: '', mode: 'keyword', sort: 'contact', isReversed: false } as const
  const { ids } = await findListed(db, { ...asked, filters: { company } }, undefined)
  return ids
}

async function colleaguesOf(
  db: MemberDatabase,
  company: string,
  ids: readonly number[],
  today: string,
) {
  const shown = await neighborsOf(db, ids.slice(0, MAX_COLLEAGUES), today, () => t('colleague'))
  return { company, path: listPath({ company }), shown, count: ids.length }
}

/** Returns the people who are in the network, in this order. */
async function neighborsOf(
  db: MemberDatabase,
  ids: readonly number[],
  today: string,
  relationOf: (id: number) => string,
): Promise<Neighbor[]> {
  const [connections, times] = await Promise.all([
    findConnections(db, ids),
    contactTimesOf(db, ids),
  ])
  const found = new Map(connections.map((one) => [one.connectionId, one]))
  return ids.flatMap((id) => {
    const one = found.get(id)
    if (!one || one.deletedAt !== null) return []
    const lastContactOn = times.get(id)?.lastContactOn ?? null
    const publicId = publicConnectionId(id)
    return {
      name: one.name,
      photo: one.details.photo,
      relation: relationOf(id),
      strength: strengthOf(lastContactOn, today),
      path: connectionPath(publicId),
      around: networkPath({ around: publicId }),
      lastContact: lastContactOn === null ? '' : nearDayText(lastContactOn, today),
    }
  })
}

/** How lately a person was contacted. */
export function strengthOf(lastContactOn: string | null, today: string): Strength {
  if (lastContactOn === null || lastContactOn < monthsLater(today, -12)) return 'longer'
  return lastContactOn < monthsLater(today, -3) ? 'year' : 'quarter'
}
