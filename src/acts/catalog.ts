/** All acts, by the first word of their command. */

import { phrase } from '../languages/message.ts'
import type { Act, AuditAction } from './act.ts'

interface ActGroup {
  readonly summary: string
  /** Imported on demand, so that a command loads only its own dependencies. */
  readonly load: () => Promise<readonly Act[]>
}

export const ACTS: Readonly<Record<string, ActGroup>> = {
  member: {
    summary: 'Create and manage members',
    load: async () => (await import('./member-acts.ts')).MEMBER_ACTS,
  },
  invite: {
    summary: 'Invite people to join',
    load: async () => (await import('./invitation-acts.ts')).INVITATION_ACTS,
  },
  token: {
    summary: "Create and manage members' API tokens",
    load: async () => (await import('./access-acts.ts')).TOKEN_ACTS,
  },
  device: {
    summary: "Create and manage the devices that sync members' address books",
    load: async () => (await import('./access-acts.ts')).DEVICE_ACTS,
  },
  calendar: {
    summary: "Connect and sync members' calendars",
    load: async () => (await import('./calendar-acts.ts')).CALENDAR_ACTS,
  },
  'address-book': {
    summary: 'Subscribe members to address books of other servers',
    load: async () => (await import('./address-book-acts.ts')).ADDRESS_BOOK_ACTS,
  },
  webhook: {
    summary: "Add and manage members' webhooks",
    load: async () => (await import('./webhook-acts.ts')).WEBHOOK_ACTS,
  },
  jobs: {
    summary: 'List, cancel and retry jobs of all members',
    load: async () => (await import('./job-acts.ts')).JOB_ACTS,
  },
  credits: {
    summary: "Show and adjust a member's credits",
    load: async () => (await import('./credit-acts.ts')).CREDIT_ACTS,
  },
  email: {
    summary: 'Test the mail server, list and retry emails',
    load: async () => (await import('./job-acts.ts')).EMAIL_ACTS,
  },
  attempts: {
    summary: '',
    load: async () => (await import('./service-acts.ts')).ATTEMPT_ACTS,
  },
  demo: {
    summary: 'The demo account',
    load: async () => (await import('./service-acts.ts')).DEMO_ACTS,
  },
  reviewer: {
    summary: '',
    load: async () => (await import('./service-acts.ts')).REVIEWER_ACTS,
  },
}

/** What the audit log has beside acts. */
const OTHER_ENTRIES: readonly AuditAction[] = [
  { action: 'sign_in', label: phrase('Signed in') },
  { action: 'import', label: phrase('Imported a file') },
]

/** All acts. */
export async function allActs(): Promise<readonly Act[]> {
  return (await Promise.all(Object.values(ACTS).map(({ load }) => load()))).flat()
}

/** What the entries of the audit log say, by action. */
export async function loggedLabels(): Promise<ReadonlyMap<string, string>> {
  const logged = (await allActs()).flatMap((act) => ('action' in act ? [act] : []))
  return new Map([...logged, ...OTHER_ENTRIES].map(({ action, label }) => [action, label]))
}
