/** `tasks/get`, `tasks/update` and `tasks/cancel` (extension io.modelcontextprotocol/tasks, SEP-2663). */

import { TASKS_EXTENSION, takesTasks, tasksNeeded } from '../protocol/client-capabilities.ts'
import { invalidParams, isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { methodError, resultOf, type Feature, type MethodHandler } from '../protocol/method.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { Results } from '../protocol/results.ts'
import type { TaskProvider } from '../protocol/task-messages.ts'

/** Only in the modern era: a legacy request does not declare whether its client supports tasks. */
export function tasksFeature<Caller>(
  tasks: TaskProvider<Caller>,
  results: Results,
): Feature<Caller> {
  const done = resultOf(results.complete('{}'))
  return {
    capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
    methods: {
      'tasks/get': aboutTask(async (caller: Caller, taskId) => {
        const task = await tasks.find(caller, taskId)
        return task ? resultOf(results.complete(JSON.stringify(task))) : NO_SUCH_TASK
      }),
      'tasks/update': aboutTask(async (caller: Caller, taskId, { inputResponses }) => {
        if (!isJsonObject(inputResponses) || !Object.values(inputResponses).every(isJsonObject))
          return NO_RESPONSES
        // Validated above: every member is an object.
        const responses = inputResponses as Readonly<Record<string, JsonObject>>
        return (await tasks.update(caller, taskId, responses)) ? done : NO_SUCH_TASK
      }),
      'tasks/cancel': aboutTask(async (caller: Caller, taskId) =>
        (await tasks.cancel(caller, taskId)) ? done : NO_SUCH_TASK,
      ),
    },
  }
}

const NO_SUCH_TASK = methodError(invalidParams('you have no task with this ID'))
const NO_RESPONSES = methodError(invalidParams('"inputResponses" must be an object of results'))
const NO_TASK_ID = methodError(invalidParams('"taskId" must be a string'))

function aboutTask<Caller>(
  answer: (caller: Caller, taskId: string, params: JsonObject) => Promise<MethodAnswer>,
): MethodHandler<Caller> {
  return ({ caller, params = {}, clientCapabilities }) => {
    if (!takesTasks(clientCapabilities)) return methodError(tasksNeeded())
    const { taskId } = params
    return typeof taskId === 'string' ? answer(caller, taskId, params) : NO_TASK_ID
  }
}
