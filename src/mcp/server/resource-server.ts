/** Resources of Weft as the protocol reads them: each read is a metered call of the tool behind it. */

import { REPLAYED } from '../../guards/idempotency-record.ts'
import { runTool } from '../../tools/run-tool.ts'
import { type ToolError } from '../../tools/tool-outcome.ts'
import { callMeta } from '../protocol/call-result.ts'
import { INTERNAL_ERROR, INVALID_REQUEST, type RpcError } from '../protocol/json-rpc.ts'
import { resultMarkdown } from './resource-markdown.ts'
import { meteredCall, failedCall, type ToolServerDeps } from './tool-server.ts'
import { type ToolCaller } from './tool-caller.ts'
import type { Resource } from '../../tools/resource.ts'
import type {
  ResourceListing,
  ResourceOutcome,
  ResourceRequest,
  ResourceProvider,
} from '../protocol/resource-messages.ts'

const JSON_TYPE = 'application/json'
const MARKDOWN_TYPE = 'text/markdown'

/** A text that is the same for every caller. Reading it is free. */
export interface StaticDocument {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly text: string
  readonly meta?: object
  /** Can be read, and is named elsewhere. */
  readonly isUnlisted?: true
}

/** Each resource has a second address with its content as markdown. */
const MARKDOWN_SUFFIX = '.md'

export function recordResources(
  deps: ToolServerDeps,
  resources: readonly Resource[],
  documents: readonly StaticDocument[],
): ResourceProvider<ToolCaller> {
  const byUri = new Map(documents.map((document) => [document.uri, document]))
  const described = resources.flatMap(bothTypes)
  return {
    list: [
      ...described.filter(({ uri }) => !isTemplate(uri)),
      ...documents
        .filter(({ isUnlisted }) => isUnlisted !== true)
        .map(({ uri, name, title, description, mimeType }) => {
          return { uri, name, title, description, mimeType }
        }),
    ],
    templates: described
      .filter(({ uri }) => isTemplate(uri))
      .map(({ uri, ...texts }) => Object.assign(texts, { uriTemplate: uri })),
    async read(by, request) {
      const document = byUri.get(request.uri)
      if (document) return contentsOf(document)
      const match = matchResource(resources, request.uri)
      return match ? read(deps, by, request, match) : { kind: 'not-found' }
    },
  }
}

function contentsOf({ uri, mimeType, text, meta }: StaticDocument): ResourceOutcome {
  return { kind: 'contents', contents: [{ uri, mimeType, text, ...(meta && { _meta: meta }) }] }
}

function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

/** A file is not repeated as markdown. */
function bothTypes({ uri, name, title, description, fileOf }: Resource): ResourceListing[] {
  if (fileOf) return [{ uri, name, title, description }]
  return [
    { uri, name, title, description, mimeType: JSON_TYPE },
    {
      uri: uri + MARKDOWN_SUFFIX,
      name: `${name}-markdown`,
      title: `${title} (markdown)`,
      description,
      mimeType: MARKDOWN_TYPE,
    },
  ]
}

interface ResourceMatch {
  readonly resource: Resource
  /** Arguments of the resource's tool. */
  readonly given: object
  readonly mimeType: string
}

/** The resource that a URI names, if any. */
export function matchResource(
  resources: readonly Resource[],
  uri: string,
): ResourceMatch | undefined {
  const isMarkdown = uri.endsWith(MARKDOWN_SUFFIX)
  const plain = isMarkdown ? uri.slice(0, -MARKDOWN_SUFFIX.length) : uri
  for (const resource of resources) {
    const variables = resource.match(plain)
    if (variables) {
      const mimeType = isMarkdown ? MARKDOWN_TYPE : JSON_TYPE
      return { resource, given: resource.argumentsOf(variables), mimeType }
    }
  }
  return undefined
}

async function read(
  deps: ToolServerDeps,
  by: ToolCaller,
  { uri }: ResourceRequest,
  { resource, given, mimeType }: ResourceMatch,
): Promise<ResourceOutcome> {
  const call = { ...meteredCall(deps, by), once: by.nextKey?.() }
  try {
    const outcome = await runTool(deps, resource.tool, call, given)
    const headers = outcome.replayed ? REPLAYED : undefined
    if (!outcome.ok)
      return isAbsence(outcome.error)
        ? { kind: 'not-found' }
        : { kind: 'error', error: { ...rpcErrorOf(outcome.error), ...(headers && { headers }) } }
    const output = resource.partOf?.(outcome.output) ?? outcome.output
    const file = resource.fileOf?.(output)
    const text =
      file?.text ??
      (mimeType === MARKDOWN_TYPE
        ? await resultMarkdown(resource.title, { ...output })
        : JSON.stringify(output))
    const contents = [{ uri, mimeType: file?.mimeType ?? mimeType, text }]
    return { kind: 'contents', contents, meta: callMeta(outcome.meta), headers }
  } catch (error) {
    return failedCall(deps, error, by)
  }
}

/** A URI that the tool can make nothing of names nothing. */
function isAbsence({ code }: ToolError): boolean {
  return code === 'not_found' || code === 'invalid_arguments'
}

/** As in a failed tool call, whose JSON is in `data` here. */
function rpcErrorOf(error: ToolError): RpcError {
  const { message, ...data } = error
  return { code: error.code === 'internal' ? INTERNAL_ERROR : INVALID_REQUEST, message, data }
}
