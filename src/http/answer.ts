/** What a handler returns: plain data, so that a batch, a test and the wire all read the same thing. */

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for an answer without content. */
  readonly body: string | Uint8Array | undefined
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[]
  /** For a person's own browser window: no script of another origin may read it. */
  readonly page?: true
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

/** 303: whatever the method was, the browser goes on with a GET (RFC 9110 section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Answer {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: undefined, cookies, page: true }
}

export function empty(status = 204, headers: Headers = {}): Answer {
  return { status, headers, body: undefined }
}
