/** When and how a member is reminded. */

import { updateRow } from '../db/change-row.ts'
import { asProperties, memberStatement, serviceStatement } from '../db/statement.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'

export const EMAIL_FREQUENCIES = ['daily', 'weekly', 'off'] as const
export type EmailFrequency = (typeof EMAIL_FREQUENCIES)[number]

/** What the member chooses. */
export interface ReminderChoices {
  readonly email: EmailFrequency
  /** Weekday of a weekly email: 1 is Monday. */
  readonly weekday: number
  /** Time of the summary: minutes after midnight in the member's time zone. */
  readonly minute: number
  /** How many days ahead a birthday is announced. */
  readonly birthdayDays: number
  /** How many minutes ahead a meeting is announced; null if it is not. */
  readonly meetingMinutes: number | null
  /** An agent that changed more on a day is in the summary of the next one; null if none is. */
  readonly agentChanges: number | null
  /** Messages outside of Weft show initials instead of names. */
  readonly initialsOnly: boolean
}

export interface ReminderSettings extends ReminderChoices {
  /** When the scheduler runs for the member again. */
  readonly nextAt: number
  /** What was due until then has been announced; 0 if the scheduler has never looked. */
  readonly ranAt: number
  /** YYYY-MM-DD: the day of the last summary. */
  readonly summarizedOn: string | null
}

/** Settings of a member who has stored none. */
const DEFAULTS: ReminderSettings = {
  email: 'daily',
  weekday: 1,
  minute: 480,
  birthdayDays: 1,
  meetingMinutes: null,
  agentChanges: 100,
  initialsOnly: false,
  nextAt: 0,
  ranAt: 0,
  summarizedOn: null,
}

/** The defaults for a member without stored ones. */
export async function readReminderSettings(reader: MemberReader): Promise<ReminderSettings> {
  const row = await reader.get(SETTINGS, {})
  return row ? settingsOf(row) : DEFAULTS
}

/** Stores the member's choices. They apply at once. */
export async function changeReminderSettings(
  tx: MemberTransaction,
  choices: ReminderChoices,
): Promise<void> {
  const { email, weekday, minute, birthdayDays, meetingMinutes, agentChanges } = choices
  const days = { email, weekday, minute, birthdayDays, meetingMinutes, agentChanges }
  const initialsOnly = Number(choices.initialsOnly)
  await updateRow(tx, 'reminder_settings', {}, { ...days, initialsOnly, nextAt: 0 })
}

/** Ends reminders by email. */
export async function endReminderEmails(tx: MemberTransaction): Promise<void> {
  await updateRow(tx, 'reminder_settings', {}, { email: 'off', nextAt: 0 })
}

/** Members with something to announce, longest due first. */
export async function findDueMembers(
  database: Reader,
  now: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await database.all(DUE, { now, limit })
  return rows.map(({ member_id }) => member_id)
}

/** The settings of a member whose turn it is; undefined if another node was faster. */
export async function claimSettings(
  tx: MemberTransaction,
  now: number,
): Promise<ReminderSettings | undefined> {
  const row = await tx.get(CLAIM, { now })
  return row && settingsOf(row)
}

/** Stores what was announced, and the time of the next run. */
export async function recordRun(
  tx: MemberTransaction,
  { nextAt, ranAt, summarizedOn }: Pick<ReminderSettings, 'nextAt' | 'ranAt' | 'summarizedOn'>,
): Promise<void> {
  await updateRow(tx, 'reminder_settings', {}, { nextAt, ranAt, summarizedOn })
}

type SettingsRow = Omit<ReminderSettings, 'initialsOnly'> & { readonly initialsOnly: number }

function settingsOf(row: SettingsRow): ReminderSettings {
  return { ...row, initialsOnly: row.initialsOnly === 1 }
}

const COLUMNS = asProperties(
  `email, weekday, minute, birthday_days, meeting_minutes, agent_changes, initials_only, next_at, ran_at, summarized_on`,
)

/** By primary key, like the next statements. */
const SETTINGS = memberStatement<object, SettingsRow>()(
  `select ${COLUMNS} from reminder_settings where member_id = :member_id`,
)

/** Locks the row, so that two nodes never announce the same. */
const CLAIM = memberStatement<{ now: number }, SettingsRow>()(`
  update reminder_settings set next_at = next_at where member_id = :member_id and next_at <= :now
  returning ${COLUMNS}`)

/** By index reminder_settings_by_next. */
const DUE = serviceStatement<{ now: number; limit: number }, { member_id: number }>(`
  select member_id from reminder_settings where next_at <= :now order by next_at limit :limit`)
