/** The tools of the conformance suites. The descriptions of the suites define their names and behavior. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isJsonObject,
  serializeNotification,
  type JsonObject,
} from '../../src/mcp/protocol/json-rpc.ts'
import type { Reply } from '../../src/mcp/protocol/reply.ts'
import type { ListKind } from './list-changes.ts'
import type { InputRequest, InputRequests } from '../../src/mcp/protocol/input-required.ts'
import type { ToolCallOutcome, ToolCallRequest } from '../../src/mcp/protocol/tool-messages.ts'

export interface TestTool {
  readonly name: string
  readonly description: string
  /** Members of its input schema besides the type. */
  readonly input?: JsonObject
  run(call: ToolCallRequest): ToolCallOutcome | Promise<ToolCallOutcome>
}

/** One pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** No samples. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

/** Between two notifications of one call; milliseconds. */
const STEP = 50

export function conformanceTools(announce: (kind: ListKind) => void): TestTool[] {
  return [
    ...CONTENT_TOOLS,
    ...NOTIFYING_TOOLS,
    ...ASKING_TOOLS,
    ...ROUND_TOOLS,
    ...SCHEMA_TOOLS,
    changeTool('test_trigger_tool_change', () => announce('tools')),
    changeTool('test_trigger_prompt_change', () => announce('prompts')),
  ]
}

const CONTENT_TOOLS: readonly TestTool[] = [
  says('test_simple_text', textOf('This is a simple text response for testing.')),
  says('test_streaming_elicitation', textOf('Nothing had to be asked.')),
  says('test_image_content', { type: 'image', data: PNG, mimeType: 'image/png' }),
  says('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  says(
    'test_embedded_resource',
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  says(
    'test_multiple_content_types',
    textOf('Multiple content types test:'),
    { type: 'image', data: PNG, mimeType: 'image/png' },
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  {
    name: 'test_error_handling',
    description: 'Fails.',
    run: () => {
      const content = [textOf('This tool intentionally returns an error for testing')]
      return toolResult({ content, isError: true })
    },
  },
]

const NOTIFYING_TOOLS: readonly TestTool[] = [
  {
    name: 'test_tool_with_progress',
    description: 'Tells how far it is.',
    async run({ progress }) {
      for (const done of [0, 50, 100]) {
        progress?.(done, 100, `Completed step ${done} of 100`)
        await sleep(STEP)
      }
      return text('done')
    },
  },
  loggingTool('test_tool_with_logging'),
  loggingTool('test_logging_tool'),
]

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const CONFIRMATION = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }

/** Tools that request input once, in both eras. */
const ASKING_TOOLS: readonly TestTool[] = [
  asks('test_missing_capability', () => ({ answer: sampling('Anything at all', 10) })),
  asks('test_sampling', ({ prompt }) => ({ answer: sampling(String(prompt), 100) }), {
    properties: { prompt: { type: 'string' } },
  }),
  asks(
    'test_elicitation',
    ({ message }) => ({
      answer: elicitation(String(message), {
        type: 'object',
        properties: { response: { type: 'string', description: "User's response" } },
        required: ['response'],
      }),
    }),
    { properties: { message: { type: 'string' } } },
  ),
  asks('test_elicitation_sep1034_defaults', () => ({
    answer: elicitation('Please review and update the form fields with defaults', {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'User name', default: 'John Doe' },
        age: { type: 'integer', description: 'User age', default: 30 },
        score: { type: 'number', description: 'User score', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', description: 'Verification status', default: true },
      },
      required: [],
    }),
  })),
  asks('test_elicitation_sep1330_enums', () => ({
    answer: elicitation('Please select options from the enum fields', {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled('First', 'Second', 'Third') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: {
          type: 'array',
          items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        },
        titledMulti: { type: 'array', items: { anyOf: titled('First', 'Second', 'Third') } },
      },
      required: [],
    }),
  })),
  asks('test_input_required_result_sampling', () => ({
    capital_question: sampling('What is the capital of France?', 100),
  })),
  asks('test_input_required_result_list_roots', () => ({ client_roots: ROOTS })),
]

const ROOTS: InputRequest = { method: 'roots/list', params: {} }

/** Tools that keep state between rounds, or check the responses. */
const ROUND_TOOLS: readonly TestTool[] = [
  {
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name until there is one.',
    run({ inputs }) {
      const name = filledIn(inputs.responses['user_name'], 'name')
      if (typeof name === 'string') return text(`Hello, ${name}!`)
      return inputRequired({ user_name: elicitation('What is your name?', FORM) })
    },
  },
  remembers('test_input_required_result_request_state'),
  remembers('test_input_required_result_tampered_state'),
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks three things at once.',
    run({ inputs: { responses, state } }) {
      const wanted = {
        user_name: elicitation('What is your name?', FORM),
        greeting: sampling('Generate a greeting', 50),
        client_roots: ROOTS,
      }
      const missing = Object.entries(wanted).filter(([key]) => !responses[key])
      if (missing.length === 0 && state === 'asked') return text('All three were answered.')
      return inputRequired(Object.fromEntries(missing), 'asked')
    },
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, the second time for something else.',
    run({ inputs: { responses, state } }) {
      const name = filledIn(responses['step1'], 'name')
      if (state === undefined || (state === 1 && typeof name !== 'string'))
        return inputRequired({ step1: elicitation('Step 1: What is your name?', FORM) }, 1)
      const color = filledIn(responses['step2'], 'color')
      if (typeof color === 'string' && isJsonObject(state))
        return text(`${String(state['name'])} likes ${color}.`)
      const schema = {
        type: 'object',
        properties: { color: { type: 'string' } },
        required: ['color'],
      }
      const remembered = isJsonObject(state) ? state : { name }
      return inputRequired(
        { step2: elicitation('Step 2: What is your color?', schema) },
        remembered,
      )
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client declares.',
    run({ clientCapabilities = {}, inputs: { responses } }) {
      if (Object.keys(responses).length > 0) return text('Answered.')
      return inputRequired({
        ...('elicitation' in clientCapabilities && { name: elicitation('Your name?', FORM) }),
        ...('sampling' in clientCapabilities && { greeting: sampling('Say hello', 20) }),
      })
    },
  },
]

const SCHEMA_TOOLS: readonly TestTool[] = [
  {
    ...says('json_schema_2020_12_tool', textOf('Its schema is what matters.')),
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // A JSON Schema keyword. Schemas are never awaited.
      // oxlint-disable-next-line unicorn/no-thenable
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  {
    ...says('test_parameter_header', textOf('The header said the same.')),
    input: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
]

export function textOf(content: string): JsonObject {
  return { type: 'text', text: content }
}

/** MCP 2026-07-28, schema: CallToolResult. */
export interface ToolResult {
  readonly content: readonly JsonObject[]
  readonly structuredContent?: object
  readonly isError?: boolean
}

export function toolResult(result: ToolResult): ToolCallOutcome {
  return { kind: 'serialized', members: JSON.stringify(result).slice(1, -1) }
}

/** The reply of the running call, in which a tool can log. */
export const replies = new AsyncLocalStorage<Reply>()

export function text(content: string): ToolCallOutcome {
  return toolResult({ content: [textOf(content)] })
}

export function elicitation(message: string, requestedSchema: JsonObject): InputRequest {
  return { method: 'elicitation/create', params: { message, requestedSchema } }
}

/** The value of one field of an accepted form. */
export function filledIn(response: JsonObject | undefined, field: string): unknown {
  const content = response?.['content']
  return isJsonObject(content) ? content[field] : undefined
}

export function inputRequired(requests: InputRequests, state?: unknown): ToolCallOutcome {
  return { kind: 'input-required', requests, ...(state !== undefined && { state }) }
}

function sampling(question: string, maxTokens: number): InputRequest {
  const messages = [{ role: 'user', content: textOf(question) }]
  return { method: 'sampling/createMessage', params: { messages, maxTokens } }
}

function titled(...choices: string[]): JsonObject[] {
  return choices.map((choice, index) => ({ const: `value${index + 1}`, title: `${choice} Option` }))
}

function resource(uri: string, mimeType: string, content: string): JsonObject {
  return { type: 'resource', resource: { uri, mimeType, text: content } }
}

function says(name: string, ...content: JsonObject[]): TestTool {
  const run = () => toolResult({ content })
  return { name, description: 'Always answers the same.', run }
}

/** Requests input once and returns the response. */
function asks(
  name: string,
  requestsOf: (given: JsonObject) => InputRequests,
  input: JsonObject = {},
): TestTool {
  return {
    name,
    input,
    description: 'Asks the client.',
    run({ arguments: given, inputs: { responses } }) {
      const requests = requestsOf(isJsonObject(given) ? given : {})
      if (!Object.keys(requests).every((key) => responses[key])) return inputRequired(requests)
      const { action, content, ...rest } = responses['answer'] ?? responses
      return text(`answered: action=${String(action)}, content=${JSON.stringify(content ?? rest)}`)
    },
  }
}

/** Expects the state that it gave to the client. */
function remembers(name: string): TestTool {
  return {
    name,
    description: 'Asks for a confirmation, and remembers that it did.',
    run({ inputs: { responses, state } }) {
      if (state === 'asked' && responses['confirm']) return text('state-ok')
      return inputRequired({ confirm: elicitation('Please confirm', CONFIRMATION) }, 'asked')
    },
  }
}

/** The levels at which a client receives `info` messages (RFC 5424 section 6.2.1). */
const AT_LEAST_INFO: ReadonlySet<unknown> = new Set(['debug', 'info'])

function loggingTool(name: string): TestTool {
  return {
    name,
    description: 'Logs while it runs.',
    async run({ era, meta }) {
      const level = meta['io.modelcontextprotocol/logLevel']
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool completed']) {
        if (era === 'legacy' || AT_LEAST_INFO.has(level))
          replies
            .getStore()
            ?.say(serializeNotification('notifications/message', { level: 'info', data }))
        await sleep(STEP)
      }
      return text('done')
    },
  }
}

function changeTool(name: string, announce: () => void): TestTool {
  return {
    name,
    description: 'Says that a list has changed.',
    run() {
      announce()
      return text('announced')
    },
  }
}
