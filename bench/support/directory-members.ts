/** Invented people as members with a public profile. */

import { inventedPeople, type InventedPerson } from '../../test/support/invented.ts'
import { DAY } from '../../src/base/clock.ts'
import { insertMembers } from '../../src/members/member.ts'
import { type Member } from '../../src/members/member-row.ts'
import { MAX_USERNAME_LENGTH } from '../../src/members/usernames.ts'
import type { Database } from '../../src/db/database.ts'

const MEMBERS_PER_TRANSACTION = 20_000

/** Inserts the first `count` people of a seed. */
export async function insertPeople(database: Database, count: number, seed: number): Promise<void> {
  const people = inventedPeople(seed)
  for (let done = 0; done < count; done += MEMBERS_PER_TRANSACTION) {
    const length = Math.min(MEMBERS_PER_TRANSACTION, count - done)
    const members = Array.from({ length }, () => memberFrom(people.next().value))
    await database.write((tx) => insertMembers(tx, members), { bulk: true })
  }
}

/** One in three lacks something, as in any directory. */
function memberFrom(person: InventedPerson): Member {
  const chance = Math.imul(person.index + 1, SCATTER) >>> 0
  const joinedAt = Date.UTC(2026, 0, 1) + (chance % 2_000) * DAY
  const member = publicMember(person, memberIdAt(person.index), joinedAt)
  return {
    ...member,
    ...(chance % 7 === 0 && { headline: null }),
    ...(chance % 5 === 0 && { about: null }),
    ...(chance % 11 === 0 && { location: null }),
    ...(chance % 13 === 0 && { organization: null, title: null }),
    ...(chance % 3 === 0 && { skills: [] }),
  }
}

/** A member with a complete profile, except for links. */
export function publicMember(person: InventedPerson, memberId: number, joinedAt: number): Member {
  return {
    memberId,
    username: person.slug.slice(-MAX_USERNAME_LENGTH).replace(/^-+/, ''),
    name: person.name,
    email: null,
    headline: person.headline,
    about: person.about,
    location: person.location,
    organization: person.company,
    title: person.title,
    skills: person.skills,
    links: [],
    avatarUrl: null,
    photo: null,
    isPublic: true,
    timeZone: null,
    version: 1,
    joinedAt,
    updatedAt: joinedAt,
    disabledAt: null,
  }
}

/** Member IDs have 28 bits. */
const ID_SPACE = 2 ** 28
/** An odd factor permutes the 28-bit integers: scattered, and no two alike. */
const SCATTER = 0x9e3779b1

/** The member ID of the person at this position of the sequence. */
function memberIdAt(index: number): number {
  return (Math.imul(index + 1, SCATTER) >>> 0) % ID_SPACE
}
