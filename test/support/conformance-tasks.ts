/** The tools of the conformance suites that create tasks, and the tasks in memory. */

import { setTimeout as sleep } from 'node:timers/promises'
import { rfc3339, SECOND, systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { takesTasks, tasksNeeded } from '../../src/mcp/protocol/client-capabilities.ts'
import { INTERNAL_ERROR, isJsonObject } from '../../src/mcp/protocol/json-rpc.ts'
import {
  elicitation,
  filledIn,
  inputRequired,
  text,
  textOf,
  toolResult,
  type TestTool,
  type ToolResult,
} from './conformance-tools.ts'
import type { InputRequests, InputResponses } from '../../src/mcp/protocol/input-required.ts'
import type { Task, TaskProvider, TaskState } from '../../src/mcp/protocol/task-messages.ts'
import type { ToolCallOutcome, ToolCallRequest } from '../../src/mcp/protocol/tool-messages.ts'

const KEPT = 600 * SECOND
const POLL_EVERY = SECOND / 5
const CONFIRM = { type: 'object', properties: { confirm: { type: 'boolean' } } }
const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

export function taskTools(): { tools: TestTool[]; keeper: TaskProvider<string> } {
  const tasks = new Map<string, RunningTask>()
  const start = (work: Work): ToolCallOutcome => {
    const task = new RunningTask(work)
    tasks.set(task.id, task)
    return { kind: 'task', task: task.described() }
  }
  return {
    tools: [
      {
        name: 'greet',
        description: 'Greets at once.',
        input: { properties: { name: { type: 'string' } } },
        run: (call) => text(`Hello, ${String(given(call, 'name'))}!`),
      },
      slowCompute(start),
      needsTask('failing_job', start, async () => {
        await sleep(SECOND)
        return { content: [textOf('This job fails')], isError: true }
      }),
      needsTask('protocol_error_job', start, () => Promise.reject(new Error('the job broke'))),
      needsTask('confirm_delete', start, async ({ ask }) => {
        const { confirm } = await ask({ confirm: elicitation('Really?', CONFIRM) })
        return { content: [textOf(`confirmed: ${String(filledIn(confirm, 'confirm'))}`)] }
      }),
      needsTask('multi_input', start, async ({ ask }) => {
        await ask({ one: elicitation('First?', CONFIRM), two: elicitation('Second?', CONFIRM) })
        return { content: [textOf('both answered')] }
      }),
      asksThenWorks(start),
    ],
    keeper: {
      find: async (_caller, taskId) => tasks.get(taskId)?.detailed(),
      async cancel(_caller, taskId) {
        tasks.get(taskId)?.cancel()
        return tasks.has(taskId)
      },
      async update(_caller, taskId, responses) {
        tasks.get(taskId)?.take(responses)
        return tasks.has(taskId)
      },
    },
  }
}

type Start = (work: Work) => ToolCallOutcome

function slowCompute(start: Start): TestTool {
  return {
    name: 'slow_compute',
    description: 'Runs for the given number of seconds.',
    input: { properties: { seconds: { type: 'number' }, label: { type: 'string' } } },
    async run(call) {
      const work: Work = async ({ signal }) => {
        await sleep(Number(given(call, 'seconds')) * SECOND, undefined, { signal })
        return { content: [textOf(`computed: ${String(given(call, 'label'))}`)] }
      }
      if (takesTasks(call.clientCapabilities)) return start(work)
      const { signal = new AbortController().signal } = call
      return toolResult(await work({ signal, ask: () => Promise.reject() }))
    },
  }
}

/** Cannot be called by a client without task support. */
function needsTask(name: string, start: Start, work: Work): TestTool {
  return {
    name,
    description: 'Always creates a task.',
    run: ({ clientCapabilities }) =>
      takesTasks(clientCapabilities) ? start(work) : { kind: 'error', error: tasksNeeded() },
  }
}

function asksThenWorks(start: Start): TestTool {
  return {
    name: 'test_tool_with_task',
    description: 'Asks for a name, and then leaves a task.',
    run({ inputs: { responses } }) {
      const name = filledIn(responses['user_name'], 'name')
      if (typeof name !== 'string')
        return inputRequired({ user_name: elicitation('What is your name?', NAME) })
      return start(async () => ({ content: [textOf(`Hello, ${name}!`)] }))
    },
  }
}

interface Workbench {
  readonly signal: AbortSignal
  /** Asks the client through the task; resolves when all responses have arrived. */
  readonly ask: (requests: InputRequests) => Promise<InputResponses>
}

type Work = (bench: Workbench) => Promise<ToolResult>

class RunningTask {
  readonly id = newId('task')
  readonly #made = systemClock.now()
  readonly #cancel = new AbortController()
  #changed = this.#made
  #state: TaskState = { status: 'working' }
  #answered = Promise.withResolvers<InputResponses>()
  #responses: InputResponses = {}

  constructor(work: Work) {
    const bench = { signal: this.#cancel.signal, ask: (asked: InputRequests) => this.#ask(asked) }
    work(bench).then(
      (result) => this.#become({ status: 'completed', result }),
      (error: unknown) =>
        this.#become({ status: 'failed', error: { code: INTERNAL_ERROR, message: String(error) } }),
    )
  }

  described(): Task {
    return {
      taskId: this.id,
      status: this.#state.status,
      createdAt: rfc3339(this.#made),
      lastUpdatedAt: rfc3339(this.#changed),
      ttlMs: KEPT,
      pollIntervalMs: POLL_EVERY,
    }
  }

  detailed() {
    return { ...this.described(), ...this.#state }
  }

  cancel(): void {
    this.#become({ status: 'cancelled' })
    this.#cancel.abort()
  }

  /** Ignores invalid responses and responses without a matching request. */
  take(responses: InputResponses): void {
    if (this.#state.status !== 'input_required') return
    const pending = Object.entries(this.#state.inputRequests)
    this.#responses = { ...this.#responses, ...responses }
    const left = pending.filter(([key]) => !this.#responses[key])
    if (left.length > 0) {
      this.#become({ status: 'input_required', inputRequests: Object.fromEntries(left) })
    } else {
      this.#become({ status: 'working' })
      this.#answered.resolve(this.#responses)
    }
  }

  #ask(inputRequests: InputRequests): Promise<InputResponses> {
    this.#become({ status: 'input_required', inputRequests })
    return this.#answered.promise
  }

  /** Only the first outcome counts. */
  #become(state: TaskState): void {
    if (['completed', 'failed', 'cancelled'].includes(this.#state.status)) return
    this.#state = state
    this.#changed = systemClock.now()
  }
}

function given({ arguments: all }: ToolCallRequest, name: string): unknown {
  return isJsonObject(all) ? all[name] : undefined
}
