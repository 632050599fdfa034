/** Public profiles as a source of `/ask`. */

import { SEARCHES } from '../connections/search/search.ts'
import { readDirectoryVersion, readProfiles } from '../members/directory-changes.ts'
import { type Member } from '../members/member-row.ts'
import { personJsonLd } from '../members/profile-json-ld.ts'
import { profileOf, type Profile } from '../members/profile.ts'
import { findInDirectory } from './find-in-directory.ts'
import { heldProfileIndex, profileIndexAt, type ProfileIndexOptions } from './profile-index.ts'
import { searchProfiles, type FoundPerson } from './search-profiles.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { AskResult, AskSource } from './source.ts'

export interface PeopleDeps {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly profileIndex?: ProfileIndexOptions
}

export function peopleSource(deps: PeopleDeps): AskSource {
  return {
    async search(query, limit) {
      const { found, profiles } = await findCurrent(deps, query, limit)
      return found.flatMap(({ memberId, score }) => {
        const member = profiles.get(memberId)
        return member ? [resultOf(member, score, deps.publicUrl)] : []
      })
    },
  }
}

interface FoundProfiles {
  readonly found: readonly FoundPerson[]
  /** By number. Those that are no longer public are missing. */
  readonly profiles: ReadonlyMap<number, Member>
}

/** In a directory that changes all the time, a search may be this many reads old. */
const MAX_SEARCHES = 3

/**
 * Searches the index that is in memory, and reads the profiles together with their version; if they have changed since, the
 * index is brought up to date and searched again.
 */
async function findCurrent(
  { database, clock, profileIndex }: PeopleDeps,
  text: string,
  limit: number,
): Promise<FoundProfiles> {
  const question = { text, limit, now: clock.now() }
  let index = heldProfileIndex(database)
  let wanted = index?.version ?? (await readDirectoryVersion(database))
  for (let searches = 1; ; searches += 1) {
    const current = (index = await profileIndexAt(database, wanted, profileIndex))
    const found = current
      ? await SEARCHES.run(ANYONE, () => searchProfiles(current, question))
      : await findInDirectory(database, text, limit)
    const { version, profiles } = await readProfiles(
      database,
      found.map(({ memberId }) => memberId),
    )
    if (!index || version <= index.version || searches === MAX_SEARCHES) return { found, profiles }
    wanted = version
  }
}

/** Anonymous callers together take the turn of one member: 0 is never a member's number. */
const ANYONE = 0

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
