/** Tool calls as agents send them. */

/** Calls a tool at `/mcp` of a service, with a bearer token. */
export function postToolCall(
  url: string,
  token: string,
  name: string,
  args: object = {},
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
}
