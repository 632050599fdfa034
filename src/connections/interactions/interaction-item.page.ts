/** An interaction in the timeline of a connection, or the form that edits it in place. */

import { currentLanguage } from '../../languages/language.ts'
import { phrase, t } from '../../languages/message.ts'
import {
  dayOfInteraction,
  publicInteractionId,
  type InteractionKind,
  type Interaction,
} from './interaction-store.ts'
import { asListed, type Connection } from '../model/connection.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { attributes, html, joinHtml, LINE_BREAK, NOTHING, type Html } from '../../html/html.ts'
import { CONNECTIONS_PATH } from '../../html/site-map.ts'
import { authorName, entryActions, sign } from '../../ui/entry-signs.ts'
import { undoButton, type TitledChange } from '../../ui/change-notice.ts'
import { nearDay } from '../../ui/calendar-date.ts'
import { personLink } from '../person/person-link.page.ts'
import { countOf } from '../../ui/numbers.ts'
import { editLink } from '../../ui/sections.ts'
import { editedEntry, editPath } from '../../ui/entry-form.ts'
import { INTERACTION_ENTRY, INTERACTION_LABELS } from './interaction-form.page.ts'
import type { IconName } from '../../html/icon.ts'
import type { Times } from '../../ui/time.ts'
import type { PersonView } from '../person/person-view.page.ts'

/** An interaction in the timeline of one of its people. */
export interface InteractionEntry {
  readonly interaction: Interaction
  readonly others: readonly Connection[]
  /** Its addition, if it is on the same page. */
  readonly added: TitledChange | undefined
}

/** `noticed` is the change of the notice, which already has an undo button. */
export function interactionItem(
  view: PersonView,
  { interaction, others, added }: InteractionEntry,
  noticed: TitledChange | undefined,
): Html {
  const { publicId, connectionId, edit, times } = view
  const { kind, subject, direction } = interaction
  const id = publicInteractionId(interaction.interactionId)
  const text = interaction.text ?? ''
  const on = dayOfInteraction(interaction)
  const isByAgent = added?.change.isByAgent === true
  const named = { id, class: isByAgent ? 'by-agent' : undefined }
  if (edit === id) {
    const place = { id: publicId, entry_id: id, back: '', view: view.view }
    const values = { text, on, kind }
    return editedEntry(
      { form: INTERACTION_ENTRY, place, values },
      { id, sign: sign(SIGNS[kind], 'contact') },
    )
  }
  const about = subject === null ? '' : html`: <bdi>${subject}</bdi>`
  const lines = text.split('\n').map((line) => html`${line}`)
  const label = t(INTERACTION_LABELS[kind])
  const author = added && html`By ${authorName({ name: added.change.actor, isByAgent })} · `
  const isOffered = added && added.change.activityId !== noticed?.change.activityId
  const back = `${CONNECTIONS_PATH}/c_${connectionId}` as const
  return html`<li ${attributes(named)}>
    <div>
      <h3>
        ${label}${direction === null ? '' : `, ${t(DIRECTIONS[direction])}`}${withOthers(others)}${about}
      </h3>
      ${text === '' ? '' : html`<p dir="auto">${joinHtml(lines, LINE_BREAK)}</p>`}
      <small
        >${whenOf(interaction, times) ?? html`${author ?? ''}${nearDay(on, times.today)}`}</small
      >
    </div>
    ${entryActions(id, [
      editLink(editPath(view, id), midSentence(label)),
      isOffered ? undoButton(added, back) : NOTHING,
    ])}
    ${sign(SIGNS[kind], 'contact')}
  </li>`
}

/** When an interaction that is ahead is planned; undefined if it is over. */
function whenOf(interaction: Interaction, times: Times): Html | undefined {
  const { happenedAt } = interaction
  const on = dayOfInteraction(interaction)
  if (happenedAt === null)
    return on > times.today ? html`Upcoming: ${nearDay(on, times.today)}` : undefined
  if (happenedAt <= times.now) return undefined
  const day = dayInZone(times.timeZone, happenedAt)
  return html`Upcoming: ${nearDay(day, times.today)}, ${times.time(happenedAt)}`
}

/** English nouns are lower case within a sentence. */
function midSentence(label: string): string {
  return currentLanguage() === 'en' ? label.toLowerCase() : label
}

const SIGNS: Readonly<Record<InteractionKind, IconName>> = {
  call: 'phone',
  meeting: 'people',
  message: 'chat',
  email: 'mail',
  event: 'calendar',
  other: 'chat',
}

const DIRECTIONS = { in: phrase('incoming'), out: phrase('outgoing') } as const

/** More people are only counted. */
const MAX_NAMED = 3

function withOthers(others: readonly Connection[]): Html {
  if (others.length === 0) return NOTHING
  const named = others.slice(0, MAX_NAMED).map((other) => personLink(asListed(other)))
  const more = others.length - named.length
  const names = joinHtml(named, ', ')
  return more === 0
    ? html`, also with ${names}`
    : html`, also with ${names} and ${countOf(more, 'other')}`
}
