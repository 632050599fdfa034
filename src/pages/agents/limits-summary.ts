/** One line that says what an agent may do, with a link to change it. */

import { isLimited } from '../../access/agent-limits.ts'
import { html, type Html } from '../../html/html.ts'
import { agentLimitsPath } from '../../html/site-map.ts'
import { NO_LIMITS, type AgentLimits } from '../../http/caller.ts'
import { ALLOWED_GROUPS } from '../../tools/allowed-tools.ts'
import { numberText } from '../ui/numbers.ts'
import type { Times } from '../ui/time.ts'
import type { AgentAccess } from './overview.ts'

interface LimitedAgent {
  readonly credentialId: string
  readonly name: string
}

export function limitsLine(
  { limits }: Pick<AgentAccess, 'limits'>,
  { credentialId, name }: LimitedAgent,
  times: Times,
): Html {
  const summary = summaryOf(limits.get(credentialId) ?? NO_LIMITS, times)
  return html`<small
    >${summary} ·
    <a href="${agentLimitsPath(credentialId)}"
      >Change limits<span class="unseen"> for ${name}</span></a
    ></small
  >`
}

function summaryOf(limits: AgentLimits, times: Times): string {
  if (!isLimited(limits)) return 'No limits'
  const { readOnly, groups, withholdsText, monthlyCredits, endsAt } = limits
  const labels = Object.entries(ALLOWED_GROUPS).filter(([group]) => groups?.includes(group))
  const isOver = endsAt !== null && endsAt <= times.now
  return [
    readOnly ? ['Read only'] : [],
    groups === null ? [] : [`Only ${labels.map(([, label]) => label.toLowerCase()).join(', ')}`],
    withholdsText ? ['No free text'] : [],
    monthlyCredits === null ? [] : [`${numberText(monthlyCredits)} credits per month`],
    // The end is the first moment after the last day.
    endsAt === null ? [] : [`${isOver ? 'Ended' : 'Until'} ${times.longDay(endsAt - 1)}`],
  ]
    .flat()
    .join(' · ')
}
