/** Resources of Weft as the protocol reads them: each read is a metered call of the tool behind it. */

import { REPLAYED } from '../../guards/idempotency-record.ts'
import { runTool, type ToolError } from '../../tools/run-tool.ts'
import { callMeta } from '../protocol/call-result.ts'
import { INTERNAL_ERROR, INVALID_REQUEST, type RpcError } from '../protocol/json-rpc.ts'
import { meteredCall, failedCall, type ToolServerDeps } from './tool-server.ts'
import { type ToolCaller } from './tool-caller.ts'
import type { Resource } from '../../tools/resource.ts'
import type {
  ResourceOutcome,
  ResourceRequest,
  ResourceProvider,
} from '../protocol/resource-messages.ts'

const MIME_TYPE = 'application/json'

export function recordResources(
  deps: ToolServerDeps,
  resources: readonly Resource[],
): ResourceProvider<ToolCaller> {
  const readers = resources.map((resource) => ({ resource, match: matcherOf(resource.uri) }))
  const isTemplate = ({ uri }: Resource) => uri.includes('{')
  return {
    list: resources
      .filter((resource) => !isTemplate(resource))
      .map(({ uri, name, title, description }) => {
        return { uri, name, title, description, mimeType: MIME_TYPE }
      }),
    templates: resources.filter(isTemplate).map(templateOf),
    async read(by, request) {
      for (const { resource, match } of readers) {
        const variables = match(request.uri)
        if (variables) return read(deps, by, request, resource, variables)
      }
      return { kind: 'not-found' }
    },
  }
}

function templateOf({ uri: uriTemplate, name, title, description, fileOf }: Resource) {
  const mimeType = fileOf ? {} : { mimeType: MIME_TYPE }
  return { uriTemplate, name, title, description, ...mimeType }
}

async function read(
  deps: ToolServerDeps,
  by: ToolCaller,
  { uri }: ResourceRequest,
  resource: Resource,
  variables: Readonly<Record<string, string>>,
): Promise<ResourceOutcome> {
  const call = { ...meteredCall(deps, by), once: by.nextKey?.() }
  try {
    const outcome = await runTool(deps, resource.tool, call, resource.argumentsOf(variables))
    const headers = outcome.replayed ? REPLAYED : undefined
    if (!outcome.ok)
      return isAbsence(outcome.error)
        ? { kind: 'not-found' }
        : { kind: 'error', error: { ...rpcErrorOf(outcome.error), ...(headers && { headers }) } }
    const file = resource.fileOf?.(outcome.output)
    const contents = [
      { uri, ...(file ?? { mimeType: MIME_TYPE, text: JSON.stringify(outcome.output) }) },
    ]
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

type Matcher = (uri: string) => Readonly<Record<string, string>> | undefined

/** The variables of a URI that fits the template; a variable is one segment, percent-decoded. */
function matcherOf(template: string): Matcher {
  const literal = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]{1,200})')}$`)
  return (uri) => {
    const found = pattern.exec(uri)
    if (!found) return undefined
    try {
      const variables = Object.entries(found.groups ?? {})
      return Object.fromEntries(variables.map(([name, text]) => [name, decodeURIComponent(text)]))
    } catch {
      return undefined // not percent-encoding: no URI (RFC 3986 section 2.1)
    }
  }
}
