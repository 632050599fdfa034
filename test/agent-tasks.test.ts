/** An agent that reads only names, descriptions and schemas completes member requests in few calls. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTasks } from '../bench/agent-tasks.ts'
import { median } from '../bench/support/figures.ts'
import { TEST_ENGINE } from './support/store.ts'

const skip = TEST_ENGINE !== 'sqlite' && 'does not depend on the engine'

test(
  'an agent completes every task of the benchmark, with a median of at most 2.5 calls',
  { skip },
  async () => {
    const { results } = await runTasks()
    const failures = results
      .filter(({ failure }) => failure !== null)
      .map(({ task, failure, calls }) => ({ request: task.request, failure, calls }))
    assert.deepEqual(failures, [])
    const refused = results.flatMap(({ calls }) => calls.filter(({ isError }) => isError))
    assert.deepEqual(refused, [])
    assert.ok(median(results.map(({ calls }) => calls.length)) <= 2.5)
  },
)
