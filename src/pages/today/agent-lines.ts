/** What agents changed since the last visit, one line for each agent. */

import { t } from '../../languages/message.ts'
import { face, hueOf } from '../../html/face.ts'
import { nameLink } from '../../connections/person/person-link.page.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { ACTIVITY_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { betweenAuthorAndSentence } from '../activity/described-change.ts'
import type { AgentChanges, AgentWork } from '../activity/agent-changes.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { countOf } from '../../ui/numbers.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** `visitedAt`: undefined if the member has joined since. Empty without changes. */
export function agentSection(
  agents: readonly AgentChanges[],
  visitedAt: number | undefined,
  { times }: Pick<TaskPage, 'times'>,
): Html {
  if (agents.length === 0) return NOTHING
  const lines = agents.map(
    (one) =>
      html`<li>
        <details>
          <summary>
            ${icon('right')}
            <span class="face bot hue-${hueOf(one.actor)}" aria-hidden="true"
              >${icon('agents')}</span
            >
            <span class="t"
              ><b><bdi>${one.actor}</bdi></b
              >${betweenAuthorAndSentence()}${summary(one)}</span
            >
            <small class="when">${times.ago(one.at)}</small>
          </summary>
          <ul>
            ${one.work.map(workItem)}
          </ul>
          <p><a href="${ACTIVITY_PATH}">Review in Activity</a></p>
        </details>
        ${undoAll(one)}
      </li>`,
  )
  return html`<section aria-labelledby="agents">
    <h2 id="agents">
      Changed by agents
      <small
        >${
          visitedAt === undefined
            ? t('since you joined')
            : html`since your visit ${times.ago(visitedAt)}`
        }</small
      >
    </h2>
    <ul class="agent-lines">
      ${lines}
    </ul>
  </section>`
}

/** Kinds of work that fit a line. */
const MAX_KINDS = 3

/** As `tagged 12 people, changed 9 people, logged 4 contacts and 2 more`. */
function summary({ work }: AgentChanges): string {
  const texts = work.slice(0, MAX_KINDS).map(({ text }) => text)
  const more = work.length - texts.length
  return `${texts.join(', ')}${more > 0 ? ` ${t('and {more} more', { more })}` : ''}`
}

/** What was done, and the people. */
function workItem({ text, people, more }: AgentWork): Html {
  const names = people.map((one) => nameLink(one))
  const others = more > 0 ? [html`${countOf(more, 'other')}`] : []
  return html`<li>
    <span>${text}</span>
    <span class="stack"
      >${people.map(({ name, details }) => face({ name, photo: details.photo }))}</span
    >
    <span class="t">${joinHtml([...names, ...others], ', ')}</span>
  </li>`
}

function undoAll({ actor, since, undoCount }: AgentChanges): Html {
  if (undoCount === undefined) return NOTHING
  return confirmButton({
    verb: t('Undo all changes by'),
    label: t('Undo'),
    name: actor,
    text: t('Undoes {undoCount} by this agent. If one cannot be undone, none is.', {
      undoCount: countOf(undoCount, 'change'),
    }),
    action: UNDO_SINCE_PATH,
    field: 'activity_id',
    id: publicActivityId(since),
  })
}
