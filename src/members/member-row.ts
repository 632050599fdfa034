/** A stored member, and its row in `members`. */

import { type MemberFields, type MemberLink } from './member-fields.ts'

export interface Member extends MemberFields {
  /** 1 to 2^28 - 1, because other features pack it into 28 bits. */
  readonly memberId: number
  /** Lower case. */
  readonly username: string
  /** Increases with every change. */
  readonly version: number
  /** The uploaded photo: its sizes are stored under `profilePhotoId`. */
  readonly photo: string | null
  readonly joinedAt: number
  readonly updatedAt: number
  readonly disabledAt: number | null
}

/** Whether the member is in the directory and has a public page: the profile is public, and the member not disabled. */
export function isListed({ isPublic, disabledAt }: Member): boolean {
  return isPublic && disabledAt === null
}

/** A member as it is selected: lists are JSON. */
export type MemberRow = Omit<Member, 'skills' | 'links' | 'isPublic'> & {
  readonly skills: string
  readonly links: string
  readonly isPublic: number
}

/** The member of a row as the database returned it. */
export function memberOf(row: MemberRow): Member {
  return {
    ...row,
    // Written only by `VALUES`. Empty for most members.
    skills: row.skills === '[]' ? [] : (JSON.parse(row.skills) as string[]),
    links: row.links === '[]' ? [] : (JSON.parse(row.links) as MemberLink[]),
    isPublic: row.isPublic === 1,
  }
}

const VALUES = {
  member_id: ({ memberId }) => memberId,
  username: ({ username }) => username,
  name: ({ name }) => name,
  email: ({ email }) => email,
  headline: ({ headline }) => headline,
  about: ({ about }) => about,
  location: ({ location }) => location,
  organization: ({ organization }) => organization,
  title: ({ title }) => title,
  skills: ({ skills }) => JSON.stringify(skills),
  links: ({ links }) => JSON.stringify(links),
  avatar_url: ({ avatarUrl }) => avatarUrl,
  photo: ({ photo }) => photo,
  is_public: ({ isPublic }) => (isPublic ? 1 : 0),
  time_zone: ({ timeZone }) => timeZone,
  version: ({ version }) => version,
  joined_at: ({ joinedAt }) => joinedAt,
  updated_at: ({ updatedAt }) => updatedAt,
  disabled_at: ({ disabledAt }) => disabledAt,
} satisfies Record<string, (member: Member) => string | number | null>

export const MEMBER_COLUMNS = Object.keys(VALUES)

/** By column. */
export function columnValues(member: Member): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(
    Object.entries(VALUES).map(([column, valueOf]) => [column, valueOf(member)]),
  )
}
