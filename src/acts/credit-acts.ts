/** Credits of members. */

import { dayAt } from '../dates/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import { adjustCredits, creditBalance, type CreditBalance } from '../credits/account.ts'
import {
  adjustmentText,
  CREDITS_RULE,
  readCredits,
  readReason,
  REASON_RULE,
} from '../credits/adjustment.ts'
import { phrase } from '../languages/message.ts'
import { changeAct, showAct } from './act.ts'
import { flag, requiredOption } from './act-arguments.ts'

const entryOf = ({ quota, remaining, resetsAt }: CreditBalance) => {
  return { quota, remaining, resets_at: rfc3339(resetsAt) }
}

export const ADJUST_CREDITS = changeAct({
  name: 'credits adjust',
  summary: "Add or remove credits of the month; the member's ledger shows the reason",
  action: 'adjust_credits',
  label: phrase('Changed credits'),
  member: 'argument',
  fields: {
    by: requiredOption('credits', 'number of credits: 500, or -500 to remove them', {
      read: readCredits,
      rule: CREDITS_RULE,
    }),
    reason: requiredOption('text', 'shown to the member, at most 100 characters', {
      read: readReason,
      rule: REASON_RULE,
    }),
    json: flag('print the new balance as JSON'),
  },
  change({ mine, now, settings: { quota } }, { by: credits, reason }) {
    return adjustCredits(mine, { credits, reason, credentialId: null, quota, now })
  },
  about: ({ by, reason }) => ({ reason: adjustmentText(by, reason) }),
  done: (balance, { member: { username } }, { json }) =>
    json
      ? { result: JSON.stringify(entryOf(balance)) }
      : `${username} now has ${balance.remaining} credits, which expire on ${dayAt(balance.resetsAt)}.`,
})

export const CREDIT_ACTS = [
  showAct({
    name: 'credits show',
    summary: 'Show the balance of the month',
    member: 'argument',
    show: async ({ db, settings, now }) => entryOf(await creditBalance(db, settings.quota, now)),
    text: ({ remaining, quota, resets_at }) =>
      `${remaining} of ${quota} credits, which expire on ${resets_at.slice(0, 10)}`,
  }),
  ADJUST_CREDITS,
]
