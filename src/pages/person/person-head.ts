/** The top of a person's page: who they are, what time it is there, what to do, and how things stand between you. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { largeFace } from '../../html/face.ts'
import { formKeyField } from '../../html/form.ts'
import { attributes, html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { connectionPath, logContactPath, TAG_CADENCES_PATH } from '../../html/site-map.ts'
import { cityOf } from '../../search/questions/cities.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { dateText, relativeDayText } from '../../dates/format-date.ts'
import { INTERACTION_LABELS } from '../../connections/interactions/interaction-form.page.ts'
import { calendarDate } from '../../ui/calendar-date.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { plain } from './detail-facts.ts'
import { dialed, mailAddress } from './facts.ts'
import { editableValue } from './field-edit.ts'
import { photoForm } from '../../ui/photo-form.ts'
import { cadenceSelect, resumeButton } from '../../connections/cadence/cadence-form.page.ts'
import { actionPath, type PersonView } from '../../connections/person/person-view.page.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { InteractionKind } from '../../connections/interactions/interaction-store.ts'
import type { ContactTimes } from '../../connections/last-contact/read-contact-times.ts'

interface HeadView {
  readonly view: PersonView
  readonly connection: Connection
  readonly tags: Html
  /** A fragment with the rare actions. */
  readonly more: Html
}

export function personHead({ view, connection, tags, more }: HeadView): Html {
  const { name, details } = connection
  const { member } = view.browser
  const face = largeFace({ name, photo: details.photo })
  const label = details.photo === undefined ? t('Add a photo') : t('Replace the photo')
  const path = connectionPath(view.publicId, 'photo')
  return html`<header class="person-head">
    ${member.isTour ? face : photoForm({ face, label, path })}
    <div>
      <h1><bdi>${name}</bdi></h1>
      ${position(view, connection)}
      <div class="place">${place(view, connection)} ${tags}</div>
    </div>
    ${actions(view, connection, more)}
  </header>`
}

/** `Engineer at Stripe`, each edited in place. The company leads to its people. */
function position(view: PersonView, { title, company }: Connection): Html {
  const work = (field: 'title' | 'company', text: string, value: Html) =>
    editableValue(view, value, {
      field,
      label: field === 'title' ? t('Title') : t('Company'),
      text,
    })
  const named = title === null ? NOTHING : work('title', title, plain(title))
  if (company === null) return title === null ? NOTHING : html`<div class="position">${named}</div>`
  const link = html`<a href="${listPath({ company })}"><bdi>${company}</bdi></a>`
  const there = work('company', company, link)
  return title === null
    ? html`<div class="position">${there}</div>`
    : html`<div class="position">${named} at ${there}</div>`
}

/** The location, with the time of day there if it names a city that is known. */
function place(view: PersonView, { location }: Connection): Html {
  if (location === null) return NOTHING
  const city = cityOf(location)
  const time = city && TIME()(city.timeZone).format(view.times.now)
  const value =
    time === undefined
      ? plain(location)
      : html`<span>${plain(location)}, ${t('{time} there', { time })}</span>`
  const shown = editableValue(view, value, {
    field: 'location',
    label: t('Location'),
    text: location,
  })
  return html`<span class="located">${icon('pin')} ${shown}</span>`
}

const TIME = perLanguage((locale) => {
  const kept = new Map<string, Intl.DateTimeFormat>()
  return (timeZone: string) => {
    const made =
      kept.get(timeZone) ??
      new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone })
    kept.set(timeZone, made)
    return made
  }
})

/** The public ID of a note, contact or follow-up. */
const ENTRY_ID = /^[a-z]_\d+$/

/** While an entry is edited in place, its Save is the filled button. */
function actions(
  { publicId, edit }: PersonView,
  { name, emails, phones }: Connection,
  more: Html,
): Html {
  const [email] = emails
  const [phone] = phones
  const kind = edit && ENTRY_ID.test(edit) ? 'button plain' : 'button'
  const act = (path: string, sign: IconName, label: string | Html) =>
    html`<a class="button plain" href="${path}">${icon(sign)} <span>${label}</span></a>`
  return html`<div class="actions">
    <a class="${kind}" href="${logContactPath(publicId)}"
      >${icon('edit')} <span>Log<span class="unseen"> contact</span></span></a
    >
    ${email === undefined ? NOTHING : act(`mailto:${mailAddress(email)}`, 'mail', t('Write'))}
    ${phone === undefined ? NOTHING : act(`tel:${dialed(phone)}`, 'phone', html`Call<span class="unseen"> ${name}</span>`)}
    ${act(`${connectionPath(publicId)}?edit=follow-up#plan`, 'bell', t('Follow up'))} ${more}
  </div>`
}

interface Standing {
  readonly view: PersonView
  readonly connection: Connection
  readonly contact: ContactTimes | undefined
  /** Kind of the last contact, if the page shows it. */
  readonly lastKind: InteractionKind | undefined
  /** Who introduced you, as a link. */
  readonly through: Html | undefined
}

/** How you know each other, the last contact and the cadence, which is saved when it is chosen. */
export function standing({ view, connection, contact, lastKind, through }: Standing): Html {
  const { lastContactOn = null } = contact ?? {}
  return html`<dl class="standing" id="cadence-panel">
    ${known(connection, through)}
    <div>
      <dt>Last contact</dt>
      <dd>
        ${
          lastContactOn === null
            ? html`<b>Never</b>`
            : html`<b>${relativeDay(lastContactOn, view.times.today)}</b
                >${lastKind === undefined ? NOTHING : html` <small>${t(INTERACTION_LABELS[lastKind])}</small>`}`
        }
      </dd>
    </div>
    <div>${cadence(view, contact)}</div>
  </dl>`
}

function known({ connectedOn }: Connection, through: Html | undefined): Html {
  if (connectedOn === null && !through) return NOTHING
  const since =
    connectedOn === null
      ? NOTHING
      : html`<b
          ><time datetime="${connectedOn}"
            >${t('since {year}', { year: connectedOn.slice(0, 4) })}</time
          ></b
        >`
  return html`<div>
    <dt>Know each other</dt>
    <dd>${since} ${through ? html`<small>through</small> ${through}` : NOTHING}</dd>
  </div>`
}

/** How long ago or ahead, with the date as the title. */
function relativeDay(day: string, today: string): Html {
  return html`<time datetime="${day}" title="${dateText(day)}"
    >${relativeDayText(day, today)}</time
  >`
}

function cadence(view: PersonView, contact: ContactTimes | undefined): Html {
  const { times } = view
  const {
    dueOn: nextOn = null,
    cadence: own = null,
    lastContactOn = null,
    pausedUntil = null,
  } = contact ?? {}
  const isPaused = pausedUntil !== null && pausedUntil > times.today
  // What falls due during a pause asks for nothing.
  const dueOn = isPaused && nextOn !== null && nextOn < pausedUntil ? null : nextOn
  const notes = [
    dueOn === null
      ? NOTHING
      : html`<span class="${dueOn < times.today ? 'late' : ''}"
          >due ${relativeDay(dueOn, times.today)}</span
        >`,
    own === null && nextOn !== null
      ? html`<a href="${TAG_CADENCES_PATH}">${t('by a tag')}</a>`
      : NOTHING,
    isPaused ? html`paused until ${calendarDate(pausedUntil)}` : NOTHING,
    contact?.isMuted === true ? html`never suggested` : NOTHING,
  ].filter((one) => one !== NOTHING)
  return html`<dt>Cadence</dt>
    <dd>
      <form method="post" action="${actionPath(view, 'cadence')}">
        ${formKeyField()} ${cadenceSelect(view, own)}
        <button class="plain unscripted">Save<span class="unseen"> cadence</span></button>
        ${isPaused ? resumeButton() : NOTHING}
      </form>
      ${notes.length === 0 ? NOTHING : html`<small>${joinHtml(notes, ' · ')}</small>`}
      ${lastContactOn === null || dueOn === null ? NOTHING : elapsed(lastContactOn, dueOn, times.today)}
    </dd>`
}

/** How much of the time between two contacts is gone. Its text is beside it. */
function elapsed(from: string, until: string, today: string): Html {
  const [days, all] = [dayCount(today) - dayCount(from), dayCount(until) - dayCount(from)]
  if (all <= 0) return NOTHING
  return html`<progress
    aria-hidden="true"
    ${attributes({ max: String(all), value: String(Math.min(Math.max(days, 0), all)) })}
  ></progress>`
}
