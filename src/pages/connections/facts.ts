/** The record of a connection, as a fragment: who it is, then groups of labeled values. */

import { html, type Html } from '../../html/html.ts'
import { connectionPath } from '../../html/site-map.ts'
import { personBadge } from '../ui/initials.ts'
import { calendarDate } from '../ui/calendar-date.ts'
import {
  contactFacts,
  customFacts,
  lastContactFact,
  nameFacts,
  personalFacts,
  plain,
  positionFacts,
  withLabel,
  type Fact,
} from './detail-facts.ts'
import { workLine } from './person-line.ts'
import type { Connection, Source } from '../../connections/model/connection.ts'
import type { DetailsView } from './details-view.ts'

type RecordView = Pick<DetailsView, 'connection' | 'fields' | 'publicId' | 'times'>

export function recordOf({ connection, fields, publicId, times }: RecordView): Html {
  const { details } = connection
  const groups = [
    [...addressFacts(connection), ...contactFacts(details)],
    positionFacts(details),
    [
      ...nameFacts(details),
      ...dayFact('Birthday', connection.birthday),
      ...personalFacts(details),
      ...dayFact('Connected', connection.connectedOn),
      ...lastContactFact(details),
    ],
    customFacts(details, fields, webLink),
  ].filter((facts) => facts.length > 0)
  return html`${head(connection)} ${groups.length === 0 ? noFacts(publicId) : groups.map(group)}
    <p class="quiet">
      <small
        >${SOURCES[connection.source]} ${times.ago(connection.createdAt)} · Updated
        ${times.ago(connection.updatedAt)}</small
      >
    </p>`
}

function head(connection: Connection): Html {
  const { name, location, details } = connection
  return html`<div class="lead">
    ${personBadge(name, details.photo)}
    <div>
      ${workLine(connection)}
      ${location === null ? '' : html`<p class="quiet"><bdi>${location}</bdi></p>`}
    </div>
  </div>`
}

function noFacts(publicId: string): Html {
  return html`<p class="quiet">
    No contact details yet. <a href="${connectionPath(publicId, 'edit')}">Add details</a>
  </p>`
}

/** Values with the same label are one fact. */
function group(facts: readonly Fact[]): Html {
  const labels = Map.groupBy(facts, ([label]) => label)
  return html`<dl class="record">
    ${[...labels].map(
      ([label, all]) =>
        html`<div>
          <dt>${label}</dt>
          ${all.map(([, value]) => html`<dd>${value}</dd>`)}
        </div>`,
    )}
  </dl>`
}

/** Emails, phone numbers and web addresses. */
function addressFacts({ emails, phones, profileUrl, links, details }: Connection): Fact[] {
  const labeled = (value: string, link: Html) => withLabel(link, details.labels?.[value])
  return [
    ...emails.map((email): Fact => {
      const link = linkTo(`mailto:${encodeURIComponent(email)}`, email)
      return ['Email', labeled(email, link)]
    }),
    ...phones.map((phone): Fact => {
      const link = linkTo(`tel:${phone.replaceAll(/[^+\d]/g, '')}`, phone)
      return ['Phone', labeled(phone, link)]
    }),
    ...(profileUrl === null ? [] : [['Profile', webLink(profileUrl)] as const]),
    ...links.map((link): Fact => ['Links', labeled(link, webLink(link))]),
  ]
}

function dayFact(label: string, day: string | null): Fact[] {
  return day === null ? [] : [[label, calendarDate(day)]]
}

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
  typed: 'Added manually',
  linkedin: 'From LinkedIn, added',
  google: 'From Google Contacts, added',
  outlook: 'From Outlook, added',
  vcard: 'From an address book, added',
  table: 'From a spreadsheet or CSV file, added',
}
