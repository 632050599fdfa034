/** Attempts of agents to connect: the steps that were seen, and what probably stopped each. */

import { panel } from '../../ui/sections.ts'
import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import {
  CONNECTION_STEPS,
  diagnoseAttempt,
  STEP_LABELS,
  type ConnectionAttempt,
  type ConnectionStep,
  type Diagnosis,
} from '../../oauth/attempts/connection-attempt.ts'
import type { Times } from '../../ui/time.ts'

interface SeenAttempts {
  readonly attempts: readonly ConnectionAttempt[]
  readonly now: number
}

/** A member's own attempts; empty without any. */
export function attemptsSection(seen: SeenAttempts, times: Times): Html {
  if (seen.attempts.length === 0) return NOTHING
  return panel('attempts', t('Connection attempts'), attemptList(seen, times))
}

/** Lists attempts in the given order. */
export function attemptList({ attempts, now }: SeenAttempts, times: Times): Html {
  const items = attempts.map((attempt) => item(attempt, diagnoseAttempt(attempt, now), times))
  return html`<ul class="items">
    ${items}
  </ul>`
}

const STATES = perLanguage((): Readonly<Record<Diagnosis['state'], Html>> => ({
  connected: html`<span class="badge success">connected</span>`,
  failed: html`<span class="badge danger">failed</span>`,
  waiting: html`<span class="badge">in progress</span>`,
}))

function item(attempt: ConnectionAttempt, { state, step, cause }: Diagnosis, times: Times): Html {
  const { clientName, redirectHost, steps, updatedAt } = attempt
  return html`<li>
    <div>
      <h3><bdi>${clientName ?? t('Unknown app')}</bdi> ${STATES()[state]}</h3>
      <small>
        ${redirectHost === null ? '' : html`<bdi>${redirectHost}</bdi> · `}${times.ago(updatedAt)}
      </small>
      ${
        state === 'failed' && step !== undefined
          ? html`<p><strong>${t(STEP_LABELS[step])}:</strong> ${cause && t(cause)}</p>`
          : ''
      }
      <details>
        <summary>Steps</summary>
        <ol>
          ${CONNECTION_STEPS.map((one) => stepItem(one, steps[one], one === step && state === 'failed'))}
        </ol>
      </details>
    </div>
  </li>`
}

function stepItem(
  step: ConnectionStep,
  seen: ConnectionAttempt['steps'][ConnectionStep],
  isFailed: boolean,
): Html {
  const outcome = isFailed || seen?.cause ? t('failed') : seen ? t('done') : t('not seen')
  return html`<li>${t(STEP_LABELS[step])}: ${outcome}</li>`
}
