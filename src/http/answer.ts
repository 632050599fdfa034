/** What a handler returns: plain data, so that a batch, a test and the wire all read the same thing. */

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for an answer without content. */
  readonly body: string | Uint8Array | undefined
}

type Headers = Readonly<Record<string, string>>

export const JSON_TYPE = 'application/json; charset=utf-8'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

export function json(value: unknown, status = 200, headers: Headers = {}): Answer {
  return content(JSON.stringify(value), JSON_TYPE, status, headers)
}

export function content(body: string, type: string, status = 200, headers: Headers = {}): Answer {
  return { status, headers: { 'content-type': type, ...headers }, body }
}

export function empty(status = 204, headers: Headers = {}): Answer {
  return { status, headers, body: undefined }
}
