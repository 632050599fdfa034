/** The page of one connection: details, tags, follow-ups, notes and history. */

import { formError, formKeyField, formTokenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { changeNotice } from '../activity/change-notice.ts'
import { recordOf } from './facts.ts'
import { followUpSection } from './follow-up-section.ts'
import { returnToOf, historySection } from './history-section.ts'
import { noteSection } from './note-section.ts'
import { connectionPath } from '../../html/site-map.ts'
import { tagSection } from './tag-section.ts'
import type { Answer } from '../../http/response.ts'
import type { DetailsView } from './details-view.ts'

export function detailsPage(view: DetailsView): Answer {
  const { browser, connection, publicId, noticed, invalid } = view
  const { member, formToken } = browser
  const back = noticed && returnToOf(noticed, connection)
  const notice = noticed && back ? changeNotice({ described: noticed, back, formToken }) : ''
  return memberPage({
    title: connection.name,
    heading: html`<bdi>${connection.name}</bdi>`,
    actions: html`<a class="button plain" href="${connectionPath(publicId, 'edit')}">Edit</a>`,
    member,
    current: 'connections',
    formToken,
    status: invalid?.status ?? 200,
    body: html`${notice} ${formError(invalid?.problem)}
      <article class="panel person" aria-label="Details">${recordOf(view)}</article>
      ${tagSection(view)} ${followUpSection(view)} ${noteSection(view)} ${historySection(view)}
      ${splitSection(view)} ${deleteSection(publicId, formToken)}`,
  })
}

function splitSection({ splittable, publicId, browser: { formToken } }: DetailsView): Html {
  if (splittable === undefined) return NOTHING
  return html`<section class="panel" aria-labelledby="split">
    <h2 id="split">Split</h2>
    <div class="with-act">
      <p class="quiet">
        <bdi>${splittable}</bdi> was merged into this connection. Split them if they are different
        people: they become two connections again, and are no longer listed as duplicates. Your
        edits stay here.
      </p>
      <form method="post" action="${connectionPath(publicId, 'split')}">
        ${formTokenField(formToken)} ${formKeyField()}
        <button class="plain">Split</button>
      </form>
    </div>
  </section>`
}

function deleteSection(publicId: string, formToken: string): Html {
  return html`<section class="panel" aria-labelledby="delete">
    <h2 id="delete">Delete</h2>
    <div class="with-act">
      <p class="quiet">
        You can restore it for 30 days, with its tags, notes and follow-ups. After that it is
        permanently deleted. Imports skip it.
      </p>
      <form method="post" action="${connectionPath(publicId, 'delete')}">
        ${formTokenField(formToken)} ${formKeyField()}
        <button class="plain danger">Delete</button>
      </form>
    </div>
  </section>`
}
