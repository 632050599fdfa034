/** A service with an operator who has signed in, for the tests of the operators' pages. */

import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../../test/support/service.ts'
import { createLog } from '../../base/log.ts'
import { changeRole } from '../../members/role.ts'
import { join, type Person } from '../account/account-fixture.ts'

export interface World extends AsyncDisposable {
  readonly service: TestService
  /** Ada, who runs the service. */
  readonly ada: Person
  /** Grace, a member like any other. */
  readonly grace: Person
  /** What was logged at `info` and above, each line parsed. */
  readonly logged: () => Record<string, unknown>[]
}

export async function openWorld(options: TestServiceOptions = {}): Promise<World> {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const service = await startTestService({ log, ...options })
  const ada = await join(service, {
    username: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.org',
  })
  const grace = await join(service, {
    username: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.org',
  })
  await service.database.write((tx) => changeRole(tx, ada.member.memberId, 'operator'))
  return {
    service,
    ada,
    grace,
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
