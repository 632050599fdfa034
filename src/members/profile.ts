/** The public profile of a member. Every field is always present. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import { publicPhotoPath } from '../html/site-map.ts'
import { profilePhotoId, type PhotoSide } from '../connections/model/photo-store.ts'
import type { Member } from './member-row.ts'

const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Time = Type.String({ format: 'date-time' })
const Url = Type.String({ format: 'uri' })

export const Profile = Type.Object({
  object: Type.Literal('human'),
  username: Type.String(),
  name: Type.String(),
  headline: TextOrNull,
  about: TextOrNull,
  location: TextOrNull,
  organization: TextOrNull,
  title: TextOrNull,
  skills: Type.Array(Type.String()),
  links: Type.Array(Type.Object({ label: Type.String(), url: Url })),
  avatar_url: Type.Union([Url, Type.Null()]),
  profile_url: Url,
  markdown_url: Url,
  joined_at: Time,
  updated_at: Time,
})
export type Profile = Static<typeof Profile>

/** `publicUrl` has no trailing slash. */
export function profileOf(member: Member, publicUrl: string): Profile {
  const photoPath = photoPathOf(member, 512)
  return {
    object: 'human',
    username: member.username,
    name: member.name,
    headline: member.headline,
    about: member.about,
    location: member.location,
    organization: member.organization,
    title: member.title,
    skills: member.skills as string[],
    links: member.links as Profile['links'],
    avatar_url: photoPath === undefined ? member.avatarUrl : publicUrl + photoPath,
    profile_url: profileUrl(member.username, publicUrl),
    markdown_url: `${publicUrl}/api/human/${member.username}.md`,
    joined_at: rfc3339(member.joinedAt),
    updated_at: rfc3339(member.updatedAt),
  }
}

/** The public path of the member's photo; undefined if the member has none. */
export function photoPathOf(
  { username, photo }: Pick<Member, 'username' | 'photo'>,
  side: PhotoSide,
): string | undefined {
  return photo === null ? undefined : publicPhotoPath(username, profilePhotoId(photo, side))
}

/** The URL of a member's page. Usernames need no encoding. */
export function profileUrl(username: string, publicUrl: string): string {
  return `${publicUrl}/human/${username}`
}
