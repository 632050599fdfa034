/** What the rows of the page *Today* and of the list of follow-ups share. */

import type { SignedInRequest } from '../../http/browser-request.ts'
import type { TodayPath } from '../../ui/return-to.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { Times } from '../../ui/time.ts'

export interface TaskPage {
  readonly browser: SignedInRequest
  readonly times: Times
  /** The page itself, to which its forms return. */
  readonly back: TodayPath
  /** The row in which a contact is logged. */
  readonly log: OpenLog | undefined
}

/** A person on the page who has a button that logs a contact. */
export interface Loggable {
  /** Key of the row: the ID of a follow-up or a connection. */
  readonly key: string
  readonly connectionId: number
  readonly name: string
  /** The follow-up that the contact can complete. */
  readonly followUp: string | undefined
}

/** The row with the open form. */
export interface OpenLog extends Loggable {
  readonly next: Loggable | undefined
  /** When the next contact is due after one today: YYYY-MM-DD; undefined without a cadence. */
  readonly dueOn: string | undefined
  readonly invalid: InvalidForm | undefined
}
