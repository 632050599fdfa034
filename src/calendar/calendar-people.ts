/** Organizers and attendees of an event. */

import { oneLine } from '../contact-files/contact/clean-text.ts'
import { parameterOf, type CalendarProperty } from './calendar-components.ts'
import { MAX_ATTENDEES, type Attendee, type CalendarPerson } from './meeting.ts'

/** Characters. */
const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 200

const RESPONSES: Readonly<Record<string, Attendee['response']>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
}

/** Each address once. */
export function attendeesOf(properties: readonly CalendarProperty[]): Attendee[] {
  const attendees = new Map<string, Attendee>()
  for (const property of properties) {
    if (property.name !== 'attendee' || attendees.size >= MAX_ATTENDEES) continue
    const person = personOf(property)
    if (!person || !isPresentPerson(property)) continue
    const response = RESPONSES[upper(parameterOf(property, 'partstat'))] ?? 'none'
    attendees.set(person.email, { ...person, response })
  }
  return [...attendees.values()]
}

export function organizerOf(properties: readonly CalendarProperty[]): CalendarPerson | null {
  const organizer = properties.find(({ name }) => name === 'organizer')
  return (organizer && personOf(organizer)) ?? null
}

/** False for rooms and resources, and for people who only get a copy. */
function isPresentPerson(property: CalendarProperty): boolean {
  const type = upper(parameterOf(property, 'cutype'))
  const role = upper(parameterOf(property, 'role'))
  return type !== 'ROOM' && type !== 'RESOURCE' && role !== 'NON-PARTICIPANT'
}

/** The address is the value, or as in iCloud the parameter EMAIL (RFC 7986 section 6.2). */
function personOf(property: CalendarProperty): CalendarPerson | undefined {
  const [value] = property.values
  const uri = typeof value === 'string' ? value : ''
  const address = /^mailto:/i.test(uri)
    ? uri.slice('mailto:'.length)
    : parameterOf(property, 'email')
  const email = address?.trim().toLowerCase() ?? ''
  if (email.length > MAX_EMAIL_LENGTH || !/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email))
    return undefined
  const name = oneLine(parameterOf(property, 'cn') ?? '', MAX_NAME_LENGTH)
  return { email, name: name === '' || name.toLowerCase() === email ? null : name }
}

function upper(text: string | undefined): string {
  return text?.toUpperCase() ?? ''
}
