/**
 * A process of `node test/run.ts`: runs the test files that its arguments name. node:test follows each promise to the test that
 * created it, which takes a sixth of the CPU time. Here it follows none, so an error that no test catches fails the run
 * instead of a test; `node --test FILE` names the test.
 */

import { createHook } from 'node:async_hooks'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import process, { argv, stderr, stdout } from 'node:process'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { seedPropertyTests } from './property-tests.ts'

// Idle threads pipe into it, and node:test listens to it at the end.
stdout.setMaxListeners(0)
followNoPromises()
seedPropertyTests()
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection'])
  process.on(event, (error) => stderr.write(`FAILED outside of a test: ${inspect(error)}\n`))
const loaded = Promise.withResolvers<void>()
before(() => loaded.promise)
for (const file of globSync(argv.slice(2)))
  await import(pathToFileURL(resolve(file)).href).catch((error) => fail(file, error))
loaded.resolve()

function fail(file: string, error: unknown): void {
  void test(file, () => {
    throw error
  })
}

/** Changes the next hook that is enabled, which is the one of node:test. */
function followNoPromises(): void {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable: (this: object) => unknown }
  const { enable } = hooks
  hooks.enable = function () {
    hooks.enable = enable
    const followsNone = Object.getOwnPropertySymbols(this).find(
      ({ description }) => description === 'kNoPromiseHook',
    )
    return enable.call(followsNone ? Object.assign(this, { [followsNone]: true }) : this)
  }
}
