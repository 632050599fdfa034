/** The details of a connection, as a fragment. */

import { lazy } from '../../base/lazy.ts'
import { html, type Html } from '../../html/html.ts'
import { personBadge } from '../ui/initials.ts'
import { calendarDay, type Times } from '../ui/time.ts'
import { detailFacts, withLabel } from './detail-facts.ts'
import { workLine } from './person-line.ts'
import type { CustomField } from '../../connections/model/custom-fields.ts'
import type { Connection, Source } from '../../connections/model/connection.ts'

export function factsOf(
  connection: Connection,
  fields: readonly CustomField[],
  times: Times,
): Html {
  const labelOf = (value: string) => connection.details.labels?.[value]
  const facts: readonly (readonly [string, readonly (string | Html)[]])[] = [
    [
      'Email',
      connection.emails.map((email) =>
        withLabel(linkTo(`mailto:${encodeURIComponent(email)}`, email), labelOf(email)),
      ),
    ],
    [
      'Phone',
      connection.phones.map((phone) =>
        withLabel(linkTo(`tel:${phone.replaceAll(/[^+\d]/g, '')}`, phone), labelOf(phone)),
      ),
    ],
    ['Profile', connection.profileUrl === null ? [] : [webLink(connection.profileUrl)]],
    ['Links', connection.links.map((link) => withLabel(webLink(link), labelOf(link)))],
    ['Connected', connection.connectedOn === null ? [] : [calendarDay(connection.connectedOn)]],
    ['Birthday', connection.birthday === null ? [] : [birthdayOf(connection.birthday)]],
    ...detailFacts(connection.details, fields, webLink),
    ['Source', [SOURCES[connection.source]]],
    ['Added', [times.ago(connection.createdAt)]],
    ['Updated', [times.ago(connection.updatedAt)]],
  ]
  return html`${head(connection)}
    <dl class="facts">
      ${facts.filter(([, values]) => values.length > 0).map(([label, values]) => fact(label, values))}
    </dl>`
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

function fact(label: string, values: readonly (string | Html)[]): Html {
  return html`<div>
    <dt>${label}</dt>
    ${values.map((value) => html`<dd>${value}</dd>`)}
  </div>`
}

function webLink(url: string): Html {
  const target = URL.parse(url)
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  return isWeb ? linkTo(url, url.replace(/^https?:\/\//, '')) : html`<bdi>${url}</bdi>`
}

function linkTo(href: string, text: string): Html {
  return html`<a href="${href}" rel="noopener noreferrer"><bdi>${text}</bdi></a>`
}

/** The year may be unknown. */
function birthdayOf(birthday: string): Html {
  if (!birthday.startsWith('--'))
    return html`<time datetime="${birthday}">${LONG().format(Date.parse(birthday))}</time>`
  return html`<time datetime="${birthday}"
    >${YEARLESS().format(Date.parse(`2000${birthday.slice(1)}`))}</time
  >`
}

const YEARLESS = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    }),
)
const LONG = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)

const SOURCES: Readonly<Record<Source, string>> = {
  typed: 'Added manually',
  linkedin: 'LinkedIn',
  google: 'Google Contacts',
  outlook: 'Outlook',
  vcard: 'Address book',
  table: 'Spreadsheet or CSV file',
}
