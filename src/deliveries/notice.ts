/** Causes of messages to members and agents, and what a message contains. */

/** In the order of the page that offers them. MCP clients subscribe to the same names. */
export const CAUSES = [
  'summary',
  'follow_up.due',
  'reconnect.due',
  'birthday.soon',
  'meeting.upcoming',
  'import.finished',
  'export.finished',
  'job_change.found',
  'agent.changed',
] as const

export type Cause = (typeof CAUSES)[number]

type Fact = string | number | boolean | null

/** IDs and short facts. Never notes or other free text. */
type NoticeData = Readonly<Record<string, Fact | readonly Fact[]>>

export interface Notice {
  readonly cause: Cause
  /** Makes it unique for an endpoint: the same subject is delivered once. */
  readonly subject: string
  /** True if the summary of the same day has it: who gets the summary does not get this message, too. */
  readonly isInSummary?: boolean
  readonly data: NoticeData
  /** Title for people, in the member's language. */
  readonly title: string
  readonly body: string
  /** The page of it, such as `/user`. */
  readonly path: string
}

export function isCause(text: string): text is Cause {
  return (CAUSES as readonly string[]).includes(text)
}
