/** The record of a connection, as a fragment: groups of labeled values, and where they come from. */

import { phrase, t } from '../../languages/message.ts'
import { html, type Html, joinHtml, NOTHING } from '../../html/html.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { connectionPath } from '../../html/site-map.ts'
import { customFieldIn } from '../../contact-files/contact/details.ts'
import { fieldLabel } from '../activity/recorded-text.ts'
import { fieldName, fieldOrigins } from '../../connections/model/field-sources.ts'
import { labelText } from '../../connections/person/label-words.ts'
import { calendarDate } from '../../ui/calendar-date.ts'
import {
  contactFacts,
  customFacts,
  nameFacts,
  personalFacts,
  plain,
  positionFacts,
  withLabel,
  type Fact,
} from './detail-facts.ts'
import type { Connection, Source, Listed } from '../../connections/model/connection.ts'
import type { CustomField } from '../../connections/custom-fields/custom-fields.ts'
import { editableValue } from './field-edit.ts'
import type { PersonView } from '../../connections/person/person-view.page.ts'
import type { Times } from '../../ui/time.ts'

interface RecordView {
  readonly connection: Connection
  readonly fields: readonly CustomField[]
  readonly view: PersonView
}

export function recordOf({ connection, fields, view }: RecordView): Html {
  const { details } = connection
  const { publicId, times } = view
  const groups = [
    [...addressFacts(connection), ...contactFacts(details)],
    positionFacts(details),
    [
      ...nameFacts(details),
      ...dayFact(t('Birthday'), 'birthday', connection.birthday, ageOf(connection, times.today)),
      ...personalFacts(details),
    ],
    customFacts(details, fields, webLink),
  ].filter((facts) => facts.length > 0)
  return html`${groups.length === 0 ? noFacts(publicId) : groups.map((facts) => group(facts, view))}
    <details class="origin">
      <summary>Where this comes from</summary>
      <p class="quiet">
        <small
          >${t(SOURCES[connection.source])} ${times.ago(connection.createdAt)} · Updated
          ${times.ago(connection.updatedAt)}</small
        >
        ${originLines(connection, fields, times)}
      </p>
    </details>`
}

/** As `Company, Title: from LinkedIn, 3 May 2026`, for what is newer than the connection or from another source. */
function originLines(
  connection: Connection,
  fields: readonly CustomField[],
  times: Times,
): readonly Html[] {
  const known = new Map(fields.map((field) => [String(field.fieldId), field]))
  const origins = fieldOrigins(connection).filter(({ field }) => {
    const custom = customFieldIn(field)
    return custom === undefined || known.has(custom) // cleared, or its field was deleted
  })
  const groups = Map.groupBy(origins, ({ source, at }) => `${source} ${at}`)
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const labels = alike.map(({ field }) => fieldLabel(fieldName(field), known)).join(', ')
    const at = first.at === undefined ? '' : html`, ${times.day(first.at)}`
    return html`<br /><small><bdi>${labels}</bdi>: ${t(FIELD_SOURCES[first.source])}${at}</small>`
  })
}

/** After the names of fields. */
const FIELD_SOURCES: Readonly<Record<Source, string>> = {
  typed: phrase('edited'),
  contacts_app: phrase('edited in a contacts app'),
  linkedin: phrase('from LinkedIn'),
  google: phrase('from Google Contacts'),
  outlook: phrase('from Outlook'),
  vcard: phrase('from an address book'),
  monica: phrase('from Monica'),
  table: phrase('from a spreadsheet or CSV file'),
}

/** `Analyst · Babbage & Co` */
export function workLine({ title, company }: Pick<Listed, 'title' | 'company'>): Html {
  const parts = [title, company]
    .filter((part) => part !== null)
    .map((part) => html`<bdi>${part}</bdi>`)
  return parts.length === 0 ? NOTHING : html`<p>${joinHtml(parts, ' · ')}</p>`
}

function noFacts(publicId: string): Html {
  return html`<p class="quiet">
    No contact details yet. <a href="${connectionPath(publicId, 'edit')}">Add details</a>
  </p>`
}

/** Values with the same label are one fact. A sign stands for a label that everyone knows. */
function group(facts: readonly Fact[], view: PersonView): Html {
  const signs = new Map<string, IconName>([
    [t('Email'), 'mail'],
    [t('Phone'), 'phone'],
    [t('Address'), 'home'],
    [t('Profile'), 'link'],
    [t('Links'), 'link'],
    [t('Birthday'), 'cake'],
  ])
  const named = (label: string) => {
    const sign = LABELED().get(label)
    return sign ? icon(sign) : NOTHING
  }
  const heading = (label: string, sign = signs.get(label)) =>
    sign
      ? html`<dt>${icon(sign)}<span class="unseen">${label}</span></dt>`
      : html`<dt>${named(label)}<span>${label}</span></dt>`
  const labels = Map.groupBy(facts, ([label]) => label)
  return html`<dl class="record">
    ${[...labels].map(
      ([label, all]) =>
        html`<div>
          ${heading(label)} ${all.map((fact) => html`<dd>${factValue(fact, view)}</dd>`)}
        </div>`,
    )}
  </dl>`
}

/** Labels that are shown below their values, which have a sign. */
const LABELED = () =>
  new Map<string, IconName>([
    [t('Position'), 'work'],
    [t('Former position'), 'work'],
  ])

function factValue([label, value, field, text, isDate]: Fact, view: PersonView): Html {
  if (field === undefined || text === undefined) return value
  return editableValue(view, value, { field, label, text, isLong: text.includes('\n'), isDate })
}

/** Emails, phone numbers and web addresses. */
function addressFacts({ emails, phones, profileUrl, links, details }: Connection): Fact[] {
  const labeled = (value: string, link: Html) => withLabel(link, details.labels?.[value])
  return [
    ...emails.map((email): Fact => {
      const link = linkTo(`mailto:${mailAddress(email)}`, email)
      return [t('Email'), withCopy(labeled(email, link), email)]
    }),
    ...phones.map((phone): Fact => {
      const link = linkTo(`tel:${dialed(phone)}`, phone)
      const label = details.labels?.[phone]
      const apps = [
        ...(label === undefined ? [] : [plain(labelText(label))]),
        ...messageLinks(phone),
      ]
      const more =
        apps.length === 0 ? NOTHING : html`<small class="apps">${joinHtml(apps, ' ')}</small>`
      return [t('Phone'), html`${withCopy(link, phone)} ${more}`]
    }),
    ...(profileUrl === null ? [] : [[t('Profile'), webLink(profileUrl)] as const]),
    ...links.map((link): Fact => [t('Links'), labeled(link, webLink(link))]),
  ]
}

/** `+49 (0)30` is dialed without the 0. */
export function dialed(phone: string): string {
  const digits = phone.startsWith('+') ? phone.replace('(0)', '') : phone
  return digits.replaceAll(/[^+\d]/g, '')
}

/** Links to apps that take a number in the international format; nothing for other numbers. */
function messageLinks(phone: string): Html[] {
  const digits = dialed(phone).slice(1)
  if (!phone.startsWith('+') || digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return []
  return [
    [`sms:+${digits}`, t('Text')],
    [`https://wa.me/${digits}`, 'WhatsApp'],
    [`https://signal.me/#p/+${digits}`, 'Signal'],
  ].map(
    ([href = '', app = '']) =>
      html`<a href="${href}" rel="noopener noreferrer"
        >${app}<span class="unseen"> to ${phone}</span></a
      >`,
  )
}

/** E.164 allows 15. */
const MIN_DIGITS = 7
const MAX_DIGITS = 15

/** A value with a small button that copies it. */
function withCopy(value: Html, text: string): Html {
  return html`<span class="with-copy"
    ><span>${value}</span
    ><button type="button" class="quiet" data-copy="${text}" aria-label="Copy ${text}">
      ${icon('copy')}
    </button></span
  >`
}

/** RFC 6068 section 2: only the last @ separates, so others are encoded. */
export function mailAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`
}

function dayFact(label: string, field: string, day: string | null, more = NOTHING): Fact[] {
  return day === null ? [] : [[label, html`${calendarDate(day)}${more}`, field, day, true]]
}

/** `, 56`; nothing if the year of birth is not known. */
function ageOf({ birthday }: Pick<Connection, 'birthday'>, today: string): Html {
  if (birthday === null || birthday.startsWith('-')) return NOTHING
  const isAhead = today.slice(5) < birthday.slice(5)
  const age = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - (isAhead ? 1 : 0)
  if (age < 1 || age > MAX_AGE) return NOTHING
  const isToday = today.slice(5) === birthday.slice(5)
  return html`<span class="quiet">, ${isToday ? t('{age} today', { age }) : age}</span>`
}

/** An older person has probably died. */
const MAX_AGE = 110

function webLink(url: string): Html {
  const target = URL.parse(url)
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  return isWeb ? linkTo(url, url.replace(/^https?:\/\//, '')) : plain(url)
}

function linkTo(href: string, text: string): Html {
  return html`<a href="${href}" rel="noopener noreferrer"><bdi>${text}</bdi></a>`
}

/** Before the day on which it was added. */
const SOURCES: Readonly<Record<Source, string>> = {
  typed: phrase('Added'),
  contacts_app: phrase('From a contacts app, added'),
  linkedin: phrase('From LinkedIn, added'),
  google: phrase('From Google Contacts, added'),
  outlook: phrase('From Outlook, added'),
  vcard: phrase('From an address book, added'),
  monica: phrase('From Monica, added'),
  table: phrase('From a spreadsheet or CSV file, added'),
}
