/** A stored member, and its row in `members`. */

import { type MemberFields, type MemberLink } from './member-fields.ts'

export interface Member extends MemberFields {
  /** 1 to 2^28 - 1, because other features pack it into 28 bits. */
  readonly memberId: number
  /** Lower case. */
  readonly username: string
  /** Increases with every change. */
  readonly version: number
  readonly joinedAt: number
  readonly updatedAt: number
  readonly disabledAt: number | null
}

export interface MemberRow {
  readonly member_id: number
  readonly username: string
  readonly name: string
  readonly email: string | null
  readonly headline: string | null
  readonly about: string | null
  readonly location: string | null
  readonly organization: string | null
  readonly title: string | null
  readonly skills: string
  readonly links: string
  readonly avatar_url: string | null
  readonly is_public: number
  readonly version: number
  readonly joined_at: number
  readonly updated_at: number
  readonly disabled_at: number | null
}

/** The member of a row as the database returned it. */
export function memberOf(row: MemberRow): Member {
  return {
    memberId: row.member_id,
    username: row.username,
    name: row.name,
    email: row.email,
    headline: row.headline,
    about: row.about,
    location: row.location,
    organization: row.organization,
    title: row.title,
    // Written only by columnsOf. Empty for most members.
    skills: row.skills === '[]' ? [] : (JSON.parse(row.skills) as string[]),
    links: row.links === '[]' ? [] : (JSON.parse(row.links) as MemberLink[]),
    avatarUrl: row.avatar_url,
    isPublic: row.is_public === 1,
    version: row.version,
    joinedAt: row.joined_at,
    updatedAt: row.updated_at,
    disabledAt: row.disabled_at,
  }
}

export function columnsOf(member: Member): MemberRow {
  return {
    member_id: member.memberId,
    username: member.username,
    name: member.name,
    email: member.email,
    headline: member.headline,
    about: member.about,
    location: member.location,
    organization: member.organization,
    title: member.title,
    skills: JSON.stringify(member.skills),
    links: JSON.stringify(member.links),
    avatar_url: member.avatarUrl,
    is_public: member.isPublic ? 1 : 0,
    version: member.version,
    joined_at: member.joinedAt,
    updated_at: member.updatedAt,
    disabled_at: member.disabledAt,
  }
}

export const MEMBER_COLUMNS = [
  'member_id',
  'username',
  'name',
  'email',
  'headline',
  'about',
  'location',
  'organization',
  'title',
  'skills',
  'links',
  'avatar_url',
  'is_public',
  'version',
  'joined_at',
  'updated_at',
  'disabled_at',
] as const satisfies readonly (keyof MemberRow)[]
