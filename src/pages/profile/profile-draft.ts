/** A profile as a member types it in the form: read, checked field by field, and told apart from what is stored. */

import {
  cleanFields,
  MemberChanges,
  MAX_LINKS,
  type MemberLink,
} from '../../members/member-fields.ts'
import { checkUsername, usernameKey } from '../../members/usernames.ts'
import { errorsOf, type FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { Member } from '../../members/member.ts'
import type { ProfileChanges } from '../../members/profile-changes.ts'

/** The fields of one line of text, or of several. */
const TEXTS = [
  'name',
  'username',
  'headline',
  'about',
  'title',
  'organization',
  'location',
  'avatar_url',
] as const

type TextName = (typeof TEXTS)[number]

export interface ProfileDraft extends Readonly<Record<TextName, string>> {
  /** With commas between them. */
  readonly skills: string
  /** Their rows, without those that are empty. */
  readonly links: readonly MemberLink[]
  readonly is_public: boolean
  /** Of the member as the form was made from. */
  readonly version: string
}

/** The controls of a row are called as errors point at them. */
export function linkField(row: number, part: keyof MemberLink): string {
  return `links/${row}/${part}`
}

export function draftOf(member: Member): ProfileDraft {
  const { name, username, skills, links, isPublic, version } = member
  return {
    name,
    username,
    headline: member.headline ?? '',
    about: member.about ?? '',
    title: member.title ?? '',
    organization: member.organization ?? '',
    location: member.location ?? '',
    avatar_url: member.avatarUrl ?? '',
    skills: skills.join(', '),
    links,
    is_public: isPublic,
    version: String(version),
  }
}

export function readProfileDraft(form: URLSearchParams): ProfileDraft {
  // A browser sends every line break as two characters.
  const text = (field: string) => (form.get(field) ?? '').replaceAll('\r\n', '\n')
  const rows = Array.from({ length: MAX_LINKS }, (_, row) => ({
    label: text(linkField(row, 'label')).trim(),
    url: text(linkField(row, 'url')).trim(),
  }))
  return {
    name: text('name'),
    username: text('username'),
    headline: text('headline'),
    about: text('about'),
    title: text('title'),
    organization: text('organization'),
    location: text('location'),
    avatar_url: text('avatar_url'),
    skills: text('skills'),
    links: rows.filter(({ label, url }) => label !== '' || url !== ''),
    is_public: form.get('visibility') === 'public',
    version: text('version'),
  }
}

/** What was typed differently from what is stored; whatever looks the same in the form stays as it is. */
export function changesOf(draft: ProfileDraft, member: Member): ProfileChanges {
  const shown = draftOf(member)
  const texts = TEXTS.filter((field) => draft[field] !== shown[field])
  return {
    ...Object.fromEntries(texts.map((field) => [field, draft[field]])),
    ...(draft.skills !== shown.skills && { skills: listed(draft.skills) }),
    ...(!isSame(draft.links, shown.links) && { links: draft.links }),
    ...(draft.is_public !== shown.is_public && { is_public: draft.is_public }),
  }
}

/** The member as saving them would leave it; what cannot be saved is as it is stored. */
export function previewOf(changes: ProfileChanges, member: Member): Member {
  const username = changes.username ?? member.username
  const sound = Object.entries(fieldsOf(changes)).filter(([field, value]) =>
    isSound(() => cleanFields(MemberChanges, { [field]: value })),
  )
  return {
    ...member,
    ...cleanFields(MemberChanges, Object.fromEntries(sound), member),
    ...(isSound(() => checkUsername(usernameKey(username), false)) && {
      username: usernameKey(username),
    }),
  }
}

function isSound(check: () => unknown): boolean {
  return Object.keys(errorsOf(check)).length === 0
}

/** By the names that the member's fields have where they are checked. */
function fieldsOf(changes: ProfileChanges): MemberChanges {
  const { username: _username, avatar_url, is_public, ...others } = changes
  return {
    ...others,
    ...(avatar_url !== undefined && { avatarUrl: avatar_url }),
    ...(is_public !== undefined && { isPublic: is_public }),
  }
}

/** What is wrong with any of them, by the name of the control. Whether a username is free is not asked. */
export function errorsOfChanges(changes: ProfileChanges): FieldErrors {
  const { username } = changes
  const found = Object.entries(fieldsOf(changes)).map(([field, value]) =>
    errorsOf(() => cleanFields(MemberChanges, { [field]: value })),
  )
  if (username !== undefined)
    found.push(errorsOf(() => checkUsername(usernameKey(username), false)))
  return inControls(Object.assign({}, ...found) as FieldErrors)
}

/** All skills are in one control, which has to say which of them is meant. */
export function inControls(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, detail]) => {
      const place = /^skills\/(\d+)$/.exec(field)?.[1]
      return place === undefined
        ? [field, detail]
        : ['skills', `cannot stand as they are: number ${Number(place) + 1} ${detail}`]
    }),
  )
}

function listed(skills: string): string[] {
  return skills
    .split(',')
    .map((skill) => skill.trim())
    .filter((skill) => skill !== '')
}

/** Links from a form and from the store have the same two fields in the same order. */
function isSame(one: readonly MemberLink[], other: readonly MemberLink[]): boolean {
  const inOrder = (links: readonly MemberLink[]) => links.map(({ label, url }) => [label, url])
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}
