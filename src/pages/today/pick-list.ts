/** The people a member may not want to lose touch with, ten at a time, with a cadence in one click. */

import { phrase, t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { hiddenField } from '../../html/form.ts'
import { attributes, html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { connectionPath, CONNECTIONS_PATH, FIRST_DAY_PATH, USER_PATH } from '../../html/site-map.ts'
import { dateText, nearDayText, relativeDayText } from '../../dates/format-date.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-lengths.ts'
import { icon } from '../../html/icon.ts'
import { face } from '../../html/face.ts'
import { buttonLink } from '../../ui/sections.ts'
import { withQuery } from '../../ui/with-query.ts'
import type { LikelyPerson } from '../../connections/cadence/likely-people.ts'
import type { Times } from '../../ui/time.ts'

/** People on the page, and people to pick. */
export const PICKS = 10

/** Cadences, as the forms of connections send them. */
export const PICK_CADENCES = [
  ['1 month', phrase('Month')],
  ['3 month', phrase('Quarter')],
  ['12 month', phrase('Year')],
] as const

/** Removes the cadence that a person has. */
export const NO_CADENCE_CHOICE = 'none'

interface PickList {
  readonly people: readonly LikelyPerson[]
  /** How many people have a cadence. */
  readonly picked: number
  readonly sets: { readonly current: number; readonly next: number }
  /** By connection ID: the day of a birthday that is near. */
  readonly birthdays: ReadonlyMap<number, string>
  readonly times: Times
}

export function pickList({ people, birthdays, picked, sets, times }: PickList): Html {
  const reasons = mixedReasons(
    people.map((one) =>
      reasonsFor(one, { today: times.today, birthday: birthdays.get(one.connection.connectionId) }),
    ),
  )
  const items = people.map((one, at) => pickItem(one, reasons[at]))
  const back = setPath(sets.current)
  return html`<section class="pick" aria-labelledby="pick">
    <div class="over">
      <h2 id="pick">Pick the people you don't want to lose touch with</h2>
      <span>${t('{picked} of {all}', { picked: Math.min(picked, PICKS), all: PICKS })}</span>
    </div>
    <p class="quiet">How often do you want to be in touch? You can change it at any time.</p>
    <form id="picks" method="post" action="${FIRST_DAY_PATH}" data-autosave>
      ${hiddenField('back', back)}
      <ul>
        ${items}
      </ul>
      <div class="actions">
        <button class="unscripted">Save</button>
        ${sets.current === sets.next ? NOTHING : buttonLink(setPath(sets.next), t('Ten others'))}
        ${
          picked >= PICKS
            ? html`<a class="button" href="${USER_PATH}">${t('Go to Today')}</a>`
            : html`<button class="quiet" name="end" value="yes">Hide these suggestions</button>`
        }
      </div>
    </form>
    <form class="else" action="${CONNECTIONS_PATH}" role="search" aria-label="Someone else">
      <input
        name="q"
        type="search"
        aria-label="Someone else"
        placeholder="Someone else: type a name"
        maxlength="${MAX_QUERY_LENGTH}"
        autocomplete="off"
      />
      <button class="plain unscripted">${t('Search')}</button>
    </form>
  </section>`
}

function setPath(set: number): string {
  return set === 0 ? USER_PATH : withQuery(USER_PATH, { others: String(set) })
}

function pickItem(one: LikelyPerson, reason: string | undefined): Html {
  const { connectionId, name, location, title, company } = one.connection
  const id = publicConnectionId(connectionId)
  const chosen = one.cadence && `${one.cadence.every} ${one.cadence.unit}`
  const radio = (value: string) => ({
    id: `${id}-${value.split(' ', 1)[0]}`,
    name: id,
    value,
    checked: value === chosen,
  })
  const choices = PICK_CADENCES.map(
    ([value, label]) =>
      html`<label><input type="radio" ${attributes(radio(value))} />${t(label)}</label>`,
  )
  const removal = html`<label title="${t('No cadence')}"
    ><input type="radio" ${attributes(radio(NO_CADENCE_CHOICE))} />${icon('cross')}
    <span class="unseen">${t('No cadence')}</span></label
  >`
  const reasons = [title ?? location ?? company, reason].filter((text) => text)
  return html`<li>
    ${face(one.connection)}
    <div>
      <a href="${connectionPath(id)}"><bdi>${name}</bdi></a>
      <small
        >${joinHtml(
          reasons.map((text) => html`<bdi>${text}</bdi>`),
          ' · ',
        )}</small
      >
    </div>
    <fieldset class="seg people">
      <legend class="unseen">Cadence for ${name}</legend>
      ${chosen ? removal : NOTHING} ${choices}
    </fieldset>
  </li>`
}

/** Days in which a contact or a meeting is recent. */
const RECENT_DAYS = 120

/** Characters of a note in a row. */
const MAX_NOTE = 52

/** The first words of a note. */
function beginning(note: string): string {
  const text = note.slice(0, 4 * MAX_NOTE).replaceAll(/\s+/g, ' ')
  if (text.length <= MAX_NOTE) return text
  const cut = text.slice(0, MAX_NOTE)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_NOTE / 2)).toWellFormed()}…`
}

/** Ten times the same would say nothing. */
const MAX_ALIKE = 4

/** One reason for each person: the strongest that the list does not have often enough. */
function mixedReasons(people: readonly (readonly string[])[]): (string | undefined)[] {
  const counts = new Map<string | undefined, number>()
  return people.map((reasons) => {
    const reason = reasons.find((one) => (counts.get(one) ?? 0) < MAX_ALIKE) ?? reasons[0]
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
    return reason
  })
}

/** Why the person is in the list, the strongest reason first. `birthday`: the day of one that is near. */
function reasonsFor(
  one: LikelyPerson,
  { today, birthday: near }: { readonly today: string; readonly birthday: string | undefined },
): string[] {
  const { kin, tag, note, lastContactOn, files, jobEndedOn, birthday, connection } = one
  const tagged = tag !== undefined && t('Tagged {tag}', { tag })
  const { connectedOn } = connection
  const reasons = [
    near !== undefined && t('Birthday {when}', { when: nearDayText(near, today) }),
    kin !== undefined && t('Family: {relation}', { relation: kin }),
    one.isCloseTag && tagged,
    note !== undefined && t('“{words}”', { words: beginning(note) }),
    one.hasFamilyName && t('Has your family name'),
    lastContactOn !== null &&
      t('Last contact {when}', { when: relativeDayText(lastContactOn, today) }),
    files > 1 && t('In {files} of your files', { files }),
    jobEndedOn !== null && t('New job since {when}', { when: dateText(jobEndedOn.slice(0, 7)) }),
    one.isOldest &&
      connectedOn !== null &&
      t('Met in {year}, before all others', { year: connectedOn.slice(0, 4) }),
    birthday !== null && t('Birthday on {day}', { day: dateText(`-${birthday.slice(-6)}`) }),
    tagged,
    connectedOn !== null && metText(connectedOn, today),
    one.hasPhone && t('Phone number known'),
  ]
  return reasons.filter((reason) => reason !== false)
}

function metText(connectedOn: string, today: string): string {
  const isRecent = Date.parse(today) - Date.parse(connectedOn) < RECENT_DAYS * 86_400_000
  return isRecent
    ? t('Met {when}', { when: relativeDayText(connectedOn, today) })
    : t('Met in {year}', { year: connectedOn.slice(0, 4) })
}
