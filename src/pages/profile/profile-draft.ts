/** The profile form: reading it, validating each field, and comparing it with the stored profile. */

import { t } from '../../languages/message.ts'
import {
  cleanFields,
  MemberChanges,
  MAX_LINKS,
  type MemberLink,
} from '../../members/member-fields.ts'
import { checkUsername, usernameKey } from '../../members/usernames.ts'
import { errorsOf, type FieldErrors } from '../../forms/field-errors.ts'
import type { Member } from '../../members/member-row.ts'
import type { ProfileChanges } from '../../members/profile-changes.ts'

const TEXTS = [
  'name',
  'username',
  'headline',
  'about',
  'title',
  'organization',
  'location',
  'avatar_url',
  'time_zone',
] as const

type TextName = (typeof TEXTS)[number]

export interface ProfileDraft extends Readonly<Record<TextName, string>> {
  /** Comma-separated. */
  readonly skills: string
  /** The non-empty rows. */
  readonly links: readonly MemberLink[]
  readonly is_public: boolean
  /** The member's version when the form was loaded. */
  readonly version: string
}

/** The names of a row's controls match the pointers of errors. */
export function linkField(row: number, part: keyof MemberLink): string {
  return `links/${row}/${part}`
}

export function profileDraftOf(member: Member): ProfileDraft {
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
    time_zone: member.timeZone ?? '',
    skills: skills.join(', '),
    links,
    is_public: isPublic,
    version: String(version),
  }
}

export function readProfileDraft(form: URLSearchParams): ProfileDraft {
  const text = (field: string) => form.get(field) ?? ''
  const rows = Array.from({ length: MAX_LINKS }, (_, row) => ({
    label: text(linkField(row, 'label')).trim(),
    url: text(linkField(row, 'url')).trim(),
  }))
  return {
    // One entry for every name.
    ...(Object.fromEntries(TEXTS.map((name) => [name, text(name)])) as Record<TextName, string>),
    skills: text('skills'),
    links: rows.filter(({ label, url }) => label !== '' || url !== ''),
    is_public: form.get('visibility') === 'public',
    version: text('version'),
  }
}

/** The fields that differ from the stored profile, compared as the form shows them. */
export function changesOf(draft: ProfileDraft, member: Member): ProfileChanges {
  const shown = profileDraftOf(member)
  const texts = TEXTS.filter((field) => draft[field] !== shown[field])
  return {
    ...Object.fromEntries(texts.map((field) => [field, draft[field]])),
    ...(draft.skills !== shown.skills && { skills: listed(draft.skills) }),
    ...(!isSame(draft.links, shown.links) && { links: draft.links }),
    ...(draft.is_public !== shown.is_public && { is_public: draft.is_public }),
  }
}

/** The member as it would be after saving. Invalid fields keep their stored values. */
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

/** The changes, with the field names of the validator. */
function fieldsOf(changes: ProfileChanges): MemberChanges {
  const { username: _username, avatar_url, is_public, time_zone, ...others } = changes
  return {
    ...others,
    ...(avatar_url !== undefined && { avatarUrl: avatar_url }),
    ...(is_public !== undefined && { isPublic: is_public }),
    ...(time_zone !== undefined && { timeZone: time_zone }),
  }
}

/** Validation errors by control name. Does not check whether the username is available. */
export function errorsOfChanges(changes: ProfileChanges): FieldErrors {
  const { username } = changes
  const found = Object.entries(fieldsOf(changes)).map(([field, value]) =>
    errorsOf(() => cleanFields(MemberChanges, { [field]: value })),
  )
  if (username !== undefined)
    found.push(errorsOf(() => checkUsername(usernameKey(username), false)))
  return profileErrors(Object.assign({}, ...found) as FieldErrors)
}

/** All skills share one control, so its error says which skill is invalid. */
export function profileErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, detail]) => {
      const index = /^skills\/(\d+)$/.exec(field)?.[1]
      return index === undefined
        ? [field, detail]
        : [
            'skills',
            t('contain an error: number {number} {detail}', { number: Number(index) + 1, detail }),
          ]
    }),
  )
}

function listed(skills: string): string[] {
  return skills
    .split(',')
    .map((skill) => skill.trim())
    .filter((skill) => skill !== '')
}

/** Compares label and URL of each link, in order. */
function isSame(one: readonly MemberLink[], other: readonly MemberLink[]): boolean {
  const inOrder = (links: readonly MemberLink[]) => links.map(({ label, url }) => [label, url])
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}
