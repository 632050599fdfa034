/** Three steps of a new member: import contacts, connect an agent, write one line about themselves. */

import { t } from '../../languages/message.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import {
  FIRST_DAY_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  PROFILE_PATH,
} from '../../html/site-map.ts'
import { countOf } from '../../ui/numbers.ts'
import { buttonLink } from '../../ui/sections.ts'
import type { Times } from '../../ui/time.ts'

interface Agent {
  readonly name: string
  readonly lastUsedAt: number | null
}

export interface SetUp {
  /** People in the network. */
  readonly live: number
  /** Names of imported files, at most three. */
  readonly files: readonly string[]
  readonly hasHeadline: boolean
  readonly agents: readonly Agent[]
  readonly publicUrl: string
}

interface Step {
  readonly isDone: boolean
  readonly title: string
  readonly why: string
  /** The page of the step. */
  readonly path: string
  /** `isOpen`: the step that comes next has the only filled button. */
  readonly actions: (isOpen: boolean) => Html
}

/** `offer` is beside the state of agents, and alone once all are done. */
export function setUpSteps(setUp: SetUp, times: Times, offer: Html): Html {
  const steps = stepsOf(setUp)
  const open = steps.find(({ isDone }) => !isDone)
  if (!open) return offer
  const done = steps.filter(({ isDone }) => isDone).length
  const items = steps.map(({ isDone, title, why, actions }, at) => {
    const isOpen = open.title === title
    return html`<li ${attributes({ class: isDone ? 'done' : isOpen && 'now' })}>
      <span class="sign">${isDone ? icon('check') : at + 1}</span>
      <h2>${title}${isDone && html`<span class="unseen">, done</span>`}</h2>
      <small>${why}</small>
      ${isDone ? NOTHING : html`<div class="actions">${actions(isOpen)}</div>`}
    </li>`
  })
  const label = t('Set up: {done} of {steps}', { done, steps: steps.length })
  return html`<ol class="set-up" aria-label="${label}">
      ${items}
    </ol>
    <div class="after-steps">${agentStatus(setUp.agents, times)} ${offer}</div>`
}

/** The open steps as quiet lines, which the member can hide. Empty once all are done. */
export function unfinishedSteps(setUp: SetUp): Html {
  const open = stepsOf(setUp).filter(({ isDone }) => !isDone)
  if (open.length === 0) return NOTHING
  return html`<form class="unfinished" method="post" action="${FIRST_DAY_PATH}">
    ${open.map(({ path, title }) => html`<a href="${path}">${title}</a>`)}
    <button class="quiet" name="end" value="yes">Hide</button>
  </form>`
}

function stepsOf({ live, files, hasHeadline, agents, publicUrl }: SetUp): readonly Step[] {
  return [
    {
      isDone: live > 0,
      title: t('Import contacts'),
      path: IMPORT_PATH,
      why:
        live > 0
          ? [countOf(live, 'person'), files.length > 0 && countOf(files.length, 'file')]
              .filter((one) => one !== false)
              .join(', ')
          : t(
              'So that Weft knows the people you know: from LinkedIn, Google, Outlook or your phone. You see what is new before it is saved.',
            ),
      actions: (isOpen) => mainLink(IMPORT_PATH, t('Choose a file'), isOpen),
    },
    {
      isDone: agents.some(({ lastUsedAt }) => lastUsedAt !== null),
      title: t('Connect an agent'),
      path: INTEGRATIONS_PATH,
      why: t('Claude, ChatGPT or Cursor then answer from your network and keep it up to date.'),
      actions: (isOpen) =>
        html`<button type="button" class="${isOpen ? '' : 'plain'}" data-copy="${publicUrl}/mcp">
            ${icon('copy')} Copy address
          </button>
          ${buttonLink(INTEGRATIONS_PATH, t('How'))}`,
    },
    {
      isDone: hasHeadline,
      title: t('Write one line about you'),
      path: PROFILE_PATH,
      why: t('Agents introduce you with it, and people recognize you by it.'),
      actions: (isOpen) => mainLink(PROFILE_PATH, t('Write it'), isOpen),
    },
  ]
}

function mainLink(path: string, label: string, isOpen: boolean): Html {
  return isOpen ? html`<a class="button" href="${path}">${label}</a>` : buttonLink(path, label)
}

/** Whether an agent has made its first call. */
function agentStatus(agents: readonly Agent[], times: Times): Html {
  const used = agents
    .flatMap(({ name, lastUsedAt }) => (lastUsedAt === null ? [] : [{ name, lastUsedAt }]))
    .toSorted((one, other) => other.lastUsedAt - one.lastUsedAt)[0]
  if (used)
    return html`<p class="status on">
      <span> <bdi>${used.name}</bdi> connected, last call ${times.ago(used.lastUsedAt)} </span>
    </p>`
  const [allowed] = agents
  return allowed
    ? html`<p class="status">
        <span>
          <bdi>${allowed.name}</bdi> has access and has not called yet. This line turns green with
          the first call.
        </span>
      </p>`
    : html`<p class="status">
        <span> No agent is connected yet. This line turns green with the first call. </span>
      </p>`
}
