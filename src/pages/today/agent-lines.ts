/** What agents changed since the last visit, one line for each agent. */

import { t } from '../../languages/message.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { ACTIVITY_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import type { AgentChanges } from '../activity/agent-changes.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { countOf } from '../../ui/numbers.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** `visitedAt`: undefined if the member has joined since. Empty without changes. */
export function agentSection(
  agents: readonly AgentChanges[],
  visitedAt: number | undefined,
  { times, browser }: Pick<TaskPage, 'times' | 'browser'>,
): Html {
  if (agents.length === 0) return NOTHING
  const lines = agents.map(
    (one) =>
      html`<li>
        <details>
          <summary>
            <span class="face bot" aria-hidden="true">${icon('agents')}</span>
            <span class="t"
              ><b><bdi>${one.actor}</bdi></b> ${firstTitle(one)}</span
            >
            <small class="when">${one.latest[0] && times.ago(one.latest[0].change.at)}</small>
          </summary>
          <ul>
            ${one.latest.map(({ heading }) => html`<li>${heading}</li>`)}
          </ul>
          <p><a href="${ACTIVITY_PATH}">Review in Activity</a></p>
        </details>
        ${undoAll(one, browser.formToken)}
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

/** `Added Grace Hopper and 3 other changes` */
function firstTitle({ latest, more }: AgentChanges): Html {
  const others = latest.length - 1 + more
  return html`${latest[0]?.title}
  ${others > 0 ? t('and {more}', { more: countOf(others, 'other change') }) : NOTHING}`
}

function undoAll({ actor, since, undoCount }: AgentChanges, formToken: string): Html {
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
    formToken,
  })
}
