/** The interface of judges: the service that they check, and their findings. */

import type { TestService } from '../test/support/service.ts'
import type { Person } from './person.ts'

/** Checks Weft with third-party software, used as its authors intend. */
export type Judge = (judged: Judged) => AsyncIterable<Verdict>

export interface Judged {
  readonly service: TestService
  readonly person: Person
  /** The tool endpoint. */
  readonly endpoint: string
}

export interface Verdict {
  readonly judge: string
  readonly content: boolean
  /** The judge did not run, because a program that it needs is not installed. */
  readonly skipped?: true
  /** Printed if the check failed or was skipped. */
  readonly says: string
}
