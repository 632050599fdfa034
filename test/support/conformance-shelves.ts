/** The resources and prompts of the conformance suites. */

import { elicitation, filledIn, PNG, textOf } from './conformance-tools.ts'
import type {
  PromptOutcome,
  PromptRequest,
  PromptProvider,
} from '../../src/mcp/protocol/prompt-messages.ts'
import type { ResourceOutcome, ResourceProvider } from '../../src/mcp/protocol/resource-messages.ts'
import type { JsonObject } from '../../src/mcp/protocol/json-rpc.ts'

const STATIC: Readonly<Record<string, JsonObject>> = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
}

export const CONFORMANCE_RESOURCES: ResourceProvider<string> = {
  list: Object.entries(STATIC).map(([uri, { mimeType }]) => ({
    uri,
    name: uri.slice('test://'.length),
    title: uri,
    description: 'A resource that is always there.',
    mimeType: String(mimeType),
  })),
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      title: 'Template',
      description: 'A resource for every id.',
      mimeType: 'application/json',
    },
  ],
  read: async (_caller, { uri }) => read(uri),
}

function read(uri: string): ResourceOutcome {
  const found = STATIC[uri]
  if (found) return { kind: 'contents', contents: [{ uri, ...found }] }
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
  if (id === undefined) return { kind: 'not-found' }
  const content = { id, templateTest: true, data: `Data for ID: ${id}` }
  return {
    kind: 'contents',
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(content) }],
  }
}

interface TestPrompt {
  readonly name: string
  readonly arguments?: readonly string[]
  write(request: PromptRequest): PromptOutcome
}

const PROMPTS: readonly TestPrompt[] = [
  {
    name: 'test_simple_prompt',
    write: () => messages(textOf('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    arguments: ['arg1', 'arg2'],
    write: ({ arguments: { arg1, arg2 } }) =>
      messages(textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    arguments: ['resourceUri'],
    write: ({ arguments: { resourceUri: uri } }) => {
      const resource = {
        uri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      }
      return messages(
        { type: 'resource', resource },
        textOf('Please process the embedded resource above.'),
      )
    },
  },
  {
    name: 'test_prompt_with_image',
    write: () =>
      messages(
        { type: 'image', data: PNG, mimeType: 'image/png' },
        textOf('Please analyze the image above.'),
      ),
  },
  {
    name: 'test_input_required_result_prompt',
    write({ inputs: { responses } }) {
      const context = filledIn(responses['user_context'], 'context')
      if (typeof context === 'string') return messages(textOf(`In this context: ${context}`))
      const properties = { context: { type: 'string' } }
      const schema = { type: 'object', properties, required: ['context'] }
      const requests = { user_context: elicitation('What context should be used?', schema) }
      return { kind: 'input-required', requests }
    },
  },
]

export const CONFORMANCE_PROMPTS: PromptProvider<string> = {
  list: PROMPTS.map(({ name, arguments: names = [] }) => ({
    name,
    title: name,
    description: 'A prompt that the conformance suites ask for.',
    arguments: names.map((argument) => ({
      name: argument,
      description: 'An argument',
      required: true,
    })),
  })),
  async get(_caller, request) {
    const prompt = PROMPTS.find(({ name }) => name === request.name)
    if (!prompt) throw new Error(`${request.name} is not listed`)
    return prompt.write(request)
  },
}

function messages(...contents: JsonObject[]): PromptOutcome {
  return { kind: 'messages', messages: contents.map((content) => ({ role: 'user', content })) }
}
