/** A public profile as a document of the search index. */

import { EMPTY_DOCUMENT, type SearchDocument } from '../search/build/search-document.ts'
import { rankOf } from '../members/directory-rank.ts'
import type { ChangedRange } from '../connections/model/search-changes.ts'
import type { Member } from '../members/member-row.ts'

/** Only what the profile shows. A headline says what someone does, as a title does. */
export function profileDocument(member: Member): SearchDocument {
  const { username, name, headline, organization, title, location } = member
  const work = [title, headline].filter((text) => text !== null)
  return {
    ...EMPTY_DOCUMENT,
    connectionId: documentIdOf(member),
    name,
    company: organization,
    title: work.length === 0 ? null : work.join(' · '),
    location,
    tags: member.skills.map((skill) => ({ tag: skill, key: skill.toLowerCase() })),
    notes: member.about === null ? [] : [member.about],
    accounts: [{ service: '', value: username }],
    detailTexts: [username],
  }
}

/** Member IDs have 28 bits. */
const MEMBER_IDS = 2 ** 28
/** Number of ranks, without the length of the membership. */
const LEVELS = 16
const RANKS_PER_LEVEL = 256

/** A 32-bit ID that is lower for more complete profiles, so that they come first among equal matches, as in the directory. */
function documentIdOf(member: Member): number {
  const level = Math.floor(rankOf(member) / RANKS_PER_LEVEL)
  return (LEVELS - 1 - level) * MEMBER_IDS + member.memberId
}

export function memberIdOf(documentId: number): number {
  return documentId % MEMBER_IDS
}

/** As ranges, all documents that the member may have had. */
export function documentsOf(memberId: number): ChangedRange[] {
  return Array.from({ length: LEVELS }, (_, level) => {
    const id = level * MEMBER_IDS + memberId
    return { first: id, last: id }
  })
}
