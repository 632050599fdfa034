/** Profile fields: their schemas, and the rules that JSON Schema cannot express. */

import { t } from '../languages/message.ts'
import { PLAIN_KEYWORD } from '../tools/arguments/schema-part.ts'
import * as Type from '../base/type.ts'
import type { Static, TSchema } from 'typebox'
import { MAX_EMAIL_LENGTH, MAX_URI_LENGTH } from '../base/limits.ts'
import { canonicalTimeZone } from '../dates/time-zone.ts'
import { isVisible, checkSchema } from '../base/schema.ts'
import { RequestError } from '../base/request-error.ts'
import { MAX_USERNAME_LENGTH, MIN_USERNAME_LENGTH } from './usernames.ts'

/** Maximum lengths in Unicode code points. */
export const MAX_LENGTHS = {
  name: 120,
  email: MAX_EMAIL_LENGTH,
  headline: 200,
  about: 5_000,
  location: 120,
  organization: 120,
  title: 120,
  skill: 60,
  label: 60,
  url: MAX_URI_LENGTH,
} as const
const MAX_SKILLS = 50
export const MAX_LINKS = 20

const textOf = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example], [PLAIN_KEYWORD]: true })

/** A field that may be empty. */
const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

export const MemberLink = Type.Closed({
  label: Type.String({
    minLength: 1,
    maxLength: MAX_LENGTHS.label,
    description: 'Link text',
    examples: ['Blog'],
  }),
  url: Type.String({
    minLength: 1,
    maxLength: MAX_LENGTHS.url,
    description: 'http or https',
    examples: ['https://example.com'],
  }),
})
export type MemberLink = Readonly<Static<typeof MemberLink>>

/** The texts of a public profile, any of which may be empty. */
export const PROFILE_TEXTS = {
  headline: textOf(MAX_LENGTHS.headline, 'One line under the name', 'Investor and mathematician'),
  about: textOf(MAX_LENGTHS.about, 'Plain text of several lines', 'I write about engines.'),
  location: textOf(MAX_LENGTHS.location, 'City or region', 'London'),
  organization: textOf(MAX_LENGTHS.organization, 'Company, school or other', 'Acme'),
  title: textOf(MAX_LENGTHS.title, 'Role there', 'Analyst'),
}

export const AvatarUrl = textOf(
  MAX_LENGTHS.url,
  'Image URL, http or https',
  'https://example.com/ada.png',
)

export const PROFILE_LISTS = {
  skills: Type.Optional(
    Type.Unsafe<readonly string[]>(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: MAX_LENGTHS.skill,
          examples: ['Mathematics'],
        }),
        {
          maxItems: MAX_SKILLS,
          description: 'Replaces all skills',
        },
      ),
    ),
  ),
  links: Type.Optional(
    Type.Unsafe<readonly MemberLink[]>(
      Type.Array(MemberLink, { maxItems: MAX_LINKS, description: 'Replaces all links' }),
    ),
  ),
}

export const IsPublic = Type.Optional(
  Type.Boolean({ description: 'Anyone can read the profile', [PLAIN_KEYWORD]: true }),
)

export const Name = Type.String({
  minLength: 1,
  maxLength: MAX_LENGTHS.name,
  description: 'Full name',
  examples: ['Ada Lovelace'],
})

/** An IANA name. Not part of the public profile. */
export const TimeZone = textOf(60, 'IANA name', 'Europe/Berlin')

const FIELDS = {
  email: orNull(textOf(MAX_LENGTHS.email, 'Never public', 'ada@example.com')),
  headline: orNull(PROFILE_TEXTS.headline),
  about: orNull(PROFILE_TEXTS.about),
  location: orNull(PROFILE_TEXTS.location),
  organization: orNull(PROFILE_TEXTS.organization),
  title: orNull(PROFILE_TEXTS.title),
  ...PROFILE_LISTS,
  avatarUrl: orNull(AvatarUrl),
  isPublic: IsPublic,
  timeZone: orNull(TimeZone),
}

export const NewMember = Type.Closed({
  username: Type.String({ minLength: MIN_USERNAME_LENGTH, maxLength: MAX_USERNAME_LENGTH }),
  name: Name,
  ...FIELDS,
})
export type NewMember = Static<typeof NewMember>

/** Omitted fields are kept; null clears a field. */
export const MemberChanges = Type.Closed({ name: Type.Optional(Name), ...FIELDS })
export type MemberChanges = Static<typeof MemberChanges>

export interface MemberFields {
  readonly name: string
  readonly email: string | null
  readonly headline: string | null
  readonly about: string | null
  readonly location: string | null
  readonly organization: string | null
  readonly title: string | null
  readonly skills: readonly string[]
  readonly links: readonly MemberLink[]
  readonly avatarUrl: string | null
  readonly isPublic: boolean
  /** An IANA name; null is UTC. */
  readonly timeZone: string | null
}

const EMPTY: MemberFields = {
  name: '',
  email: null,
  headline: null,
  about: null,
  location: null,
  organization: null,
  title: null,
  skills: [],
  links: [],
  avatarUrl: null,
  isPublic: true,
  timeZone: null,
}

/**
 * Applies `changes`, trimmed and validated.
 *
 * @throws {RequestError} `invalid_request` when a field is not valid; it names the first one.
 */
export function cleanFields(
  schema: typeof NewMember | typeof MemberChanges,
  changes: NewMember | MemberChanges,
  before: MemberFields = EMPTY,
): MemberFields {
  refuseWrongShape(schema, changes)
  const { name, email, about, avatarUrl, skills, links, isPublic, timeZone } = changes
  const short = (field: 'headline' | 'location' | 'organization' | 'title') => {
    const text = changes[field]
    return text === undefined ? before[field] : cleanLine(text, `/${field}`, MAX_LENGTHS[field])
  }
  return {
    name: name === undefined ? before.name : requireLine(name, '/name', MAX_LENGTHS.name),
    email: email === undefined ? before.email : cleanEmail(email),
    headline: short('headline'),
    about: about === undefined ? before.about : cleanAbout(about),
    location: short('location'),
    organization: short('organization'),
    title: short('title'),
    skills: skills === undefined ? before.skills : cleanSkills(skills),
    links: links === undefined ? before.links : links.map(cleanLink),
    avatarUrl: avatarUrl === undefined ? before.avatarUrl : cleanUrl(avatarUrl, '/avatar_url'),
    isPublic: isPublic ?? before.isPublic,
    timeZone: timeZone === undefined ? before.timeZone : cleanTimeZone(timeZone),
  }
}

function refuseWrongShape(schema: TSchema, value: unknown): void {
  const checked = checkSchema(schema, value)
  if (checked.ok) return
  const errors = checked.problems.map(({ pointer, detail }) => ({
    pointer: pointer
      .replace(/^\/avatarUrl/, '/avatar_url')
      .replace(/^\/isPublic/, '/is_public')
      .replace(/^\/timeZone/, '/time_zone'),
    detail,
  }))
  const [first] = errors
  const what = first ? nameOf(first.pointer) : t('The member')
  throw new RequestError('invalid_request', `${what} ${first?.detail ?? t('is wrong')}.`, {
    errors,
  })
}

/** Control characters, line separators, unassigned code points, and overrides of the text direction. */
const UNWANTED = /[\p{Cc}\p{Cn}\p{Co}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const UNWANTED_BUT_NEWLINE = /(?!\n)[\p{Cc}\p{Cn}\p{Co}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

function cleanLine(text: string | null, pointer: string, most: number): string | null {
  const line = text?.trim() ?? ''
  if (line === '') return null
  if (!line.isWellFormed() || UNWANTED.test(line))
    throw fieldError(pointer, t('must be one line without control characters'))
  if (!isVisible(line)) throw fieldError(pointer, t('must have a visible character'))
  refuseLong(line, pointer, most)
  return line
}

function requireLine(text: string, pointer: string, most: number): string {
  const line = cleanLine(text, pointer, most)
  if (line === null)
    throw fieldError(pointer, t('must have 1 to {most} visible characters', { most }))
  return line
}

function cleanAbout(text: string | null): string | null {
  const about = text?.replaceAll('\r\n', '\n').trim() ?? ''
  if (about === '') return null
  if (!about.isWellFormed() || UNWANTED_BUT_NEWLINE.test(about))
    throw fieldError('/about', t('must be plain text without control characters except newlines'))
  if (!isVisible(about)) throw fieldError('/about', t('must have a visible character'))
  refuseLong(about, '/about', MAX_LENGTHS.about)
  return about
}

/** Removes case-insensitive duplicates and keeps the order. */
function cleanSkills(skills: readonly string[]): string[] {
  const kept = new Map<string, string>()
  for (const [index, text] of skills.entries()) {
    const skill = requireLine(text, `/skills/${index}`, MAX_LENGTHS.skill)
    const key = skill.toLowerCase()
    if (!kept.has(key)) kept.set(key, skill)
  }
  return [...kept.values()]
}

function cleanLink(link: MemberLink, index: number): MemberLink {
  const url = cleanUrl(link.url, `/links/${index}/url`)
  if (url === null) throw fieldError(`/links/${index}/url`, 'must be a URL')
  return { label: requireLine(link.label, `/links/${index}/label`, MAX_LENGTHS.label), url }
}

/** Allows only http and https URLs without credentials, never `javascript:` or `data:`. */
function cleanUrl(text: string | null, pointer: string): string | null {
  const line = cleanLine(text, pointer, MAX_LENGTHS.url)
  if (line === null) return null
  const url = URL.parse(line)
  if (!url || !/^https?:\/\//i.test(line) || url.username !== '' || url.password !== '')
    throw fieldError(pointer, 'must be an http or https URL')
  refuseLong(url.href, pointer, MAX_LENGTHS.url)
  return url.href
}

/** Checks only the basic format, because only a delivered message proves that an address works. */
const EMAIL = /^[^\s@<>()[\]\\,;:"]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,252}[\p{L}\p{N}])?$/u

/** Whether the text, without spaces around it, has the form of an email address that members can have. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTHS.email && EMAIL.test(text) && !text.includes('..')
}

function cleanEmail(text: string | null): string | null {
  const email = cleanLine(text, '/email', MAX_LENGTHS.email)?.toLowerCase() ?? null
  if (email !== null && !isEmailAddress(email))
    throw fieldError('/email', t('must be an email address such as ada@example.com'))
  return email
}

function cleanTimeZone(text: string | null): string | null {
  const line = cleanLine(text, '/time_zone', MAX_LENGTHS.location)
  if (line === null) return null
  const zone = canonicalTimeZone(line)
  if (zone !== undefined) return zone
  throw fieldError('/time_zone', t('must be the name of a time zone such as Europe/Berlin'))
}

/** JSON Schema does not define a character; Weft counts code points. */
function refuseLong(text: string, pointer: string, most: number): void {
  if (text.length > most && (text.length > 2 * most || Array.from(text).length > most))
    throw fieldError(pointer, t('must have at most {most} characters', { most }))
}

function fieldError(pointer: string, detail: string): RequestError {
  return new RequestError('invalid_request', `${nameOf(pointer)} ${detail}.`, {
    errors: [{ pointer, detail }],
  })
}

/** Turns `/links/2/url` into the start of a sentence: `The field links/2/url`. */
function nameOf(pointer: string): string {
  return pointer === '' ? t('The member') : t('The field {1}', { 1: pointer.slice(1) })
}
