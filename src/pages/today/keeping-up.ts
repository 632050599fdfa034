/** The people with a cadence: who is next, and how many are on time. */

import { phrase, t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { attributes, html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { face } from '../../html/face.ts'
import { connectionPath } from '../../html/site-map.ts'
import { nearDayText } from '../../dates/format-date.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { shortName } from './log-form.ts'
import type { KeptCounts, KeptPerson } from '../../connections/cadence/kept-people.ts'

/** People whose faces are shown. */
export const MAX_FACES = 12

/** Empty without any. `people`: longest due first. `today`: YYYY-MM-DD. */
export function keepingUp(
  people: readonly KeptPerson[],
  { onTime, due, late }: KeptCounts,
  today: string,
): Html {
  const count = onTime + due + late
  if (count === 0) return NOTHING
  // People with a planned contact are on time.
  const ordered = people.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  const faces = ordered.map(({ connection, dueOn, state }) => {
    const { connectionId, name } = connection
    const when = state === 'onTime' ? nearDayText(dueOn, today) : t(STATES[state])
    return html`<li ${attributes({ class: state === 'onTime' ? undefined : state })}>
      <a href="${connectionPath(publicConnectionId(connectionId))}" title="${name}, ${when}"
        >${face(connection)} <bdi>${distinctName(name, people)}</bdi>
        <small ${attributes({ class: state === 'onTime' && 'unseen' })}>${when}</small></a
      >
    </li>`
  })
  const texts = [
    onTime > 0 && html`${t('{count} on time', { count: onTime })}`,
    due > 0 && html`<a href="${listPath({ due: '0' })}">${t('{count} due', { count: due })}</a>`,
    late > 0 &&
      html`<a class="late" href="${listPath({ due: '0' })}"
        >${t('{count} late', { count: late })}</a
      >`,
  ].filter((text) => text !== false)
  return html`<section aria-labelledby="kept">
    <h2 id="kept">Keeping up</h2>
    <ul class="kept">
      ${faces} ${count > people.length && html`<li class="more">+${count - people.length}</li>`}
    </ul>
    <p><small>${joinHtml(texts, ' · ')}</small></p>
  </section>`
}

const ORDER: readonly KeptPerson['state'][] = ['late', 'due', 'onTime']
const STATES = { due: phrase('due'), late: phrase('late') } as const

/** The given name; for namesakes with an initial, or the whole name. */
function distinctName(name: string, people: readonly KeptPerson[]): string {
  const isOwn = (nameOf: (name: string) => string) =>
    people.every(
      ({ connection: { name: other } }) => other === name || nameOf(other) !== nameOf(name),
    )
  return [shortName, initialed].find(isOwn)?.(name) ?? name
}

/** `Wanda S.` */
function initialed(name: string): string {
  const [initial = ''] = name.split(/\s+/).at(-1) ?? ''
  return `${shortName(name)} ${initial}.`
}
