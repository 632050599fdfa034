/**
 * How to add the server URL to common MCP clients, from the vendors' documentation (November 2026):
 * support.claude.com/articles/11175166, code.claude.com/docs/en/mcp, developers.openai.com/api/docs/guides/custom-mcp-server,
 * cursor.com/docs/mcp and code.visualstudio.com/docs/copilot/reference/mcp-configuration.
 */

import { phrase, t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { copyable } from '../../ui/sections.ts'

interface Client {
  readonly name: string
  /** A fragment with the steps to add the URL of the MCP endpoint. */
  readonly steps: (address: string) => Html
}

/** The ID of the form that creates a token. */
export const NEW_TOKEN_ID = 'new-token'

const SERVER = 'weft'

export const CLIENTS: readonly Client[] = [
  { name: 'Claude', steps: claude },
  { name: 'Claude Code', steps: claudeCode },
  { name: 'ChatGPT', steps: chatGpt },
  { name: 'Cursor', steps: cursor },
  { name: 'VS Code', steps: vsCode },
  { name: phrase('Script or other program'), steps: script },
]

function claude(address: string): Html {
  return html`<p>
      On the web or in the desktop app, open
      <a href="https://claude.ai/customize/connectors">Customize › Connectors</a>, press + and
      choose Add custom connector. Paste the URL, press Connect, then sign in here and allow access.
    </p>
    ${copyable(address, t('the URL for Claude'))}
    <p class="quiet">On Team and Enterprise plans, an owner has to add it first.</p>`
}

function claudeCode(address: string): Html {
  return html`<p>Run this command once:</p>
    ${copyable(`claude mcp add --transport http ${SERVER} ${address}`, 'the command for Claude Code')}
    <p class="quiet">
      Then type <code>/mcp</code> in Claude Code, choose ${SERVER} and sign in. Add
      <code>--scope user</code> to use it in every project.
    </p>`
}

function chatGpt(address: string): Html {
  return html`<p>
      On the web, open <a href="https://chatgpt.com/plugins">Plugins</a>, press + and choose Add
      custom MCP server. Paste the URL as its server URL, keep OAuth, and choose Create as a plugin.
    </p>
    ${copyable(address, 'the URL for ChatGPT')}`
}

/** The link format is from cursor.com/docs/mcp/install-links. */
function cursor(address: string): Html {
  const server = { url: address }
  const config = encodeURIComponent(Buffer.from(JSON.stringify(server)).toString('base64'))
  const link = `cursor://anysphere.cursor-deeplink/mcp/install?name=${SERVER}&config=${config}`
  return html`<div class="actions"><a class="button plain" href="${link}">Add to Cursor</a></div>
    <p>Or add this to <code>~/.cursor/mcp.json</code>:</p>
    ${copyable(indented({ mcpServers: { [SERVER]: server } }), 'the file for Cursor')}
    <p class="quiet">Cursor then asks you to sign in here.</p>`
}

function vsCode(address: string): Html {
  const server = { type: 'http', url: address }
  const named = JSON.stringify({ name: SERVER, ...server })
  const link = `vscode:mcp/install?${encodeURIComponent(named)}`
  return html`<div class="actions"><a class="button plain" href="${link}">Add to VS Code</a></div>
    <p>Or run this command:</p>
    ${copyable(`code --add-mcp ${quoted(named)}`, 'the command for VS Code')}
    <p>Or, for one workspace, add this to <code>.vscode/mcp.json</code>:</p>
    ${copyable(indented({ servers: { [SERVER]: server } }), 'the file for VS Code')}
    <p class="quiet">VS Code then asks you to sign in here.</p>`
}

function script(address: string): Html {
  return html`<p>
      Programs that cannot open a browser use an API token.
      <a href="#${NEW_TOKEN_ID}">Create a token</a>, store it in <code>WEFT_TOKEN</code>, and try
      it:
    </p>
    ${copyable(trial(address), t('the command for a script'))}`
}

/** A curl command for a free call that returns the token's owner. It reads the token from `WEFT_TOKEN`. */
export function trial(address: string): string {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'whoami', arguments: {} },
  }
  return [
    `curl -s ${address}`,
    '-H "Authorization: Bearer $WEFT_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(call)}'`,
  ].join(' \\\n  ')
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Quoted with double quotes, which shells on every system understand. A server URL has no `$` or backquote. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`
}
