/** The interface of judges: the service they check, and their findings. */

import type { TestService } from '../test/support/service.ts'
import type { Person } from './person.ts'

/** Others' software that uses Weft as its makers meant it to be used. */
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
  /** It said nothing: what it needs is not on this machine. */
  readonly skipped?: true
  /** Printed where it is not content, or was skipped. */
  readonly says: string
}
