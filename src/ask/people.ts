/** Public profiles as a source of `/ask`. */

import { findMember } from '../members/member.ts'
import { type Member } from '../members/member-row.ts'
import { personJsonLd } from '../members/profile-json-ld.ts'
import { isReadable, profileOf, type Profile } from '../members/profile.ts'
import { findPeople } from './find-people.ts'
import type { Database } from '../db/database.ts'
import type { AskResult, AskSource } from './source.ts'

export interface PeopleDeps {
  readonly database: Database
  readonly publicUrl: string
}

export function peopleSource({ database, publicUrl }: PeopleDeps): AskSource {
  return {
    async search(query, limit) {
      const found = await findPeople(database, query, limit)
      const results = await Promise.all(
        found.map(async ({ memberId, score }) => {
          const member = await findMember(database, memberId)
          // The profile may have become private since the search.
          return member && isReadable(member) ? [resultOf(member, score, publicUrl)] : []
        }),
      )
      return results.flat()
    },
  }
}

function resultOf(member: Member, score: number, publicUrl: string): AskResult {
  const profile = profileOf(member, publicUrl)
  return {
    '@type': 'Item',
    name: profile.name,
    url: profile.profile_url,
    site: 'members',
    score,
    description: lineOf(profile),
    schema_object: personJsonLd(profile),
  }
}

function lineOf({ headline, title, organization, location }: Profile): string {
  const work = [title, organization].filter((part) => part !== null).join(', ')
  return [headline, work, location].filter((part) => part !== null && part !== '').join(' · ')
}
