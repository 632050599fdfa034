/** Entries of the directory: who is listed, by which words and filters a search finds them, and in which order. */

import { isDeepStrictEqual } from 'node:util'
import { recordDirectoryChanges } from './directory-changes.ts'
import { filterTermsOf } from './directory-filters.ts'
import { addEntries, removeEntry, type DirectoryDocument } from './directory-index.ts'
import { rankOf } from './directory-rank.ts'
import type { SharedTransaction } from '../db/database.ts'
import { isListed, type Member } from './member-row.ts'

/** Lists new members whose profiles are public. */
export async function addToDirectory(
  tx: SharedTransaction,
  members: readonly Member[],
): Promise<void> {
  const listed = members.filter(isListed)
  await addEntries(tx, listed.map(entryOfMember))
  await recordDirectoryChanges(
    tx,
    listed.map(({ memberId }) => memberId),
  )
}

/** Lists a changed member anew, or no longer. Searches read the profile again if what they show of it changed. */
export async function updateInDirectory(
  tx: SharedTransaction,
  before: Member,
  after: Member,
): Promise<void> {
  await removeEntry(tx, after.memberId)
  if (isListed(after)) await addEntries(tx, [entryOfMember(after)])
  if (!isDeepStrictEqual(shownInSearch(before), shownInSearch(after)))
    await recordDirectoryChanges(tx, [after.memberId])
}

/** Entries have no foreign key, so the deletion of a member does not remove them. */
export async function removeFromDirectory(tx: SharedTransaction, member: Member): Promise<void> {
  await removeEntry(tx, member.memberId)
  if (isListed(member)) await recordDirectoryChanges(tx, [member.memberId])
}

function entryOfMember(member: Member): DirectoryDocument {
  const { headline, organization, title, location, skills } = member
  return {
    memberId: member.memberId,
    rank: rankOf(member),
    username: member.username,
    name: member.name,
    text: [headline, organization, title, location, ...skills].filter(Boolean).join('\n'),
    filters: filterTermsOf(member),
  }
}

/** What a search of the directory shows of a profile; undefined if that is not public. */
function shownInSearch(member: Member): object | undefined {
  if (!isListed(member)) return undefined
  const { username, name, headline, about, location, organization, title, skills } = member
  const hasPhoto = (member.photo ?? member.avatarUrl) !== null
  const hasLinks = member.links.length > 0
  const texts = { username, name, headline, about, location, organization, title, skills }
  return { ...texts, hasPhoto, hasLinks }
}
