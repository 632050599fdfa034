/** A host of MCP Apps: the official AppBridge, with the view in a sandboxed frame in Chromium. */

import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FrameLocator, Page } from 'playwright-core'
import type { TestService } from '../support/service.ts'

/** The messages that the bridge sends and receives. */
type Transport = Parameters<AppBridge['connect']>[0]
type Message = Parameters<Transport['send']>[0]

export interface AppHost extends AsyncDisposable {
  /** Calls a tool like the model, and shows its app with the result. */
  show(tool: string, given: Record<string, unknown>, context?: McpUiHostContext): Promise<AppView>
}

export interface AppView {
  readonly frame: FrameLocator
  readonly bridge: AppBridge
  /** The messages from the view to the model. */
  readonly told: string[]
  /** The heights that the view requested. */
  readonly heights: number[]
}

/** MCP Apps 2026-01-26, Host Behavior: the policy for a view that declares no origins. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'"

export async function openAppHost(service: TestService, page: Page): Promise<AppHost> {
  const client = new Client(
    { name: 'host', version: '1' },
    {
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [APP_TYPE] } } },
      versionNegotiation: { mode: 'auto' },
    },
  )
  const headers = { authorization: `Bearer ${await service.mintToken()}` }
  const url = new URL(`${service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const { tools } = await client.listTools()
  let receive: (message: Message) => void = () => {}
  await page.exposeFunction('fromView', (message: Message) => receive(message))
  return {
    async show(name, given, context = {}) {
      const uri = uriOf(tools.find((tool) => tool.name === name)?._meta)
      const result = await client.callTool({ name, arguments: given })
      const { contents } = await client.readResource({ uri })
      const [content] = contents
      if (!content || !('text' in content) || content.mimeType !== APP_TYPE)
        throw new Error(`${uri} is no app`)
      const capabilities = { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } }
      const bridge = new AppBridge(client, { name: 'host', version: '1' }, capabilities, {
        hostContext: context,
      })
      const view: AppView = {
        frame: page.frameLocator('iframe'),
        bridge,
        told: [],
        heights: [],
      }
      bridge.onsizechange = ({ height = 0 }) => void view.heights.push(height)
      bridge.onupdatemodelcontext = async ({ content: blocks = [] }) => {
        for (const block of blocks) if (block.type === 'text') view.told.push(block.text)
        return {}
      }
      const initialized = new Promise<void>((resolve) => {
        bridge.oninitialized = () => resolve()
      })
      const transport: Transport = {
        start: async () => {},
        close: async () => {},
        send: async (message) => {
          await page.evaluate(
            `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(message)}, '*')`,
          )
        },
      }
      await bridge.connect(transport)
      receive = (message) => transport.onmessage?.(message)
      await openFrame(page, content.text)
      await initialized
      await bridge.sendToolInput({ arguments: given })
      await bridge.sendToolResult(result)
      return view
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export const APP_TYPE = 'text/html;profile=mcp-app'

function uriOf(meta: Record<string, unknown> | undefined): string {
  const { resourceUri } = (meta?.['ui'] ?? {}) as { resourceUri?: string }
  if (resourceUri === undefined) throw new Error('the tool has no app')
  return resourceUri
}

/** A frame that can only run scripts: an opaque origin, no forms, no windows. */
async function openFrame(page: Page, html: string): Promise<void> {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  const framed = JSON.stringify(html.replace('<head>', `<head>${policy}`))
  await page.setContent('<!doctype html><html lang="en"><title>Host</title><body></body></html>')
  await page.evaluate(`(() => {
    const frame = document.createElement('iframe')
    frame.title = 'App'
    frame.style.cssText = 'width: 100%; height: 700px; border: 0'
    frame.setAttribute('sandbox', 'allow-scripts')
    window.onmessage = ({ source, data }) => { if (source === frame.contentWindow) fromView(data) }
    frame.srcdoc = ${framed}
    document.body.append(frame)
  })()`)
}
