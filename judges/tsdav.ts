/** The address book, as an app with the client library tsdav uses it. */

import { openDevice } from '../test/fixtures/dav-device.ts'
import { startTestService } from '../test/support/service.ts'
import { runProgram } from './program.ts'
import type { Verdict } from './judge.ts'

export async function* tsdav(): AsyncGenerator<Verdict> {
  await using service = await startTestService()
  const device = await openDevice(service, await service.addMember())
  const { code, stdout, said } = await runProgram({
    script: './tsdav-session.mjs',
    args: [service.url, ...device.credentials],
  })
  yield { judge: `tsdav 2.3.4: ${stdout}`, content: code === 0, says: said }
}
