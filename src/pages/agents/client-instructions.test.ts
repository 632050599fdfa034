import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/service.ts'
import { CLIENTS } from './client-instructions.ts'
import { connectSection } from './connect-section.ts'

const ADDRESS = 'https://weft.example.org/mcp'

test('the snippets for each client contain the URL in the documented format', () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    Claude: [ADDRESS],
    'Claude Code': [`claude mcp add --transport http weft ${ADDRESS}`],
    ChatGPT: [ADDRESS],
  }
  for (const [name, lines] of Object.entries(expected)) assert.deepEqual(linesOf(name), lines)
})

test('the file and the link for Cursor configure the same server', () => {
  const [file = ''] = linesOf('Cursor')
  assert.deepEqual(JSON.parse(file), { mcpServers: { weft: { url: ADDRESS } } })
  const link = linkOf('Cursor', 'cursor:')
  assert.equal(link.host + link.pathname, 'anysphere.cursor-deeplink/mcp/install')
  assert.equal(link.searchParams.get('name'), 'weft')
  const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString()
  assert.deepEqual(JSON.parse(config), { url: ADDRESS })
})

test('the command, file and link for VS Code configure the same server', () => {
  const server = { type: 'http', url: ADDRESS }
  const [command = '', file = ''] = linesOf('VS Code')
  const [, quoted = ''] = /^code --add-mcp (".*")$/.exec(command) ?? []
  // Unquotes it as a shell does, which equals a JSON string.
  assert.deepEqual(JSON.parse(JSON.parse(quoted) as string), { name: 'weft', ...server })
  assert.deepEqual(JSON.parse(file), { servers: { weft: server } })
  const link = linkOf('VS Code', 'vscode:')
  assert.equal(link.pathname, 'mcp/install')
  const named = decodeURIComponent(link.search.slice(1))
  assert.deepEqual(JSON.parse(named), { name: 'weft', ...server })
})

test('the command for scripts works', async () => {
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  const address = `${service.url}/mcp`
  const [line = ''] = linesOf('Script or other program', address)
  const [, to = '', body = ''] = /^curl -s (\S+) .*-d '(.*)'$/s.exec(line) ?? []
  const headers = [...line.matchAll(/-H ["'](.*?): (.*?)["'] /g)].map(
    ([, name = '', value = '']) => [name, value.replace('$WEFT_TOKEN', token)],
  )
  assert.equal(headers.length, 2)
  const response = await fetch(to, { method: 'POST', headers: Object.fromEntries(headers), body })
  assert.equal(response.status, 200)
  assert.match(await response.text(), /"username":"ada"/)
})

test('a local URL comes with a warning', () => {
  for (const url of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])
    assert.match(String(connectSection(url)), /only works on this computer/)
  for (const url of ['https://weft.example.org', 'http://10.0.0.7:8787'])
    assert.doesNotMatch(String(connectSection(url)), /only works on this computer/)
})

function stepsOf(name: string, address: string): string {
  const client = CLIENTS.find((one) => one.name === name)
  assert.ok(client, name)
  return String(client.steps(address))
}

/** The text of the copy buttons, which equals the visible text. */
function linesOf(name: string, address = ADDRESS): string[] {
  const html = stepsOf(name, address)
  const shown = [...html.matchAll(/<div class="copyable">\s*<code\s*>(.*?)<\/code\s*>/gs)]
  const copied = [...html.matchAll(/data-copy="([^"]*)"/g)]
  const texts = copied.map(([, text = '']) => text)
  assert.deepEqual(
    shown.map(([, text]) => text),
    texts,
  )
  return texts.map(decode)
}

function linkOf(name: string, scheme: string): URL {
  const links = [...stepsOf(name, ADDRESS).matchAll(/href="([^"]*)"/g)]
  const found = links.map(([, href = '']) => new URL(decode(href)))
  const link = found.find(({ protocol }) => protocol === scheme)
  assert.ok(link, `${name} has no ${scheme} link`)
  return link
}

function decode(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
}
