// The connection of a view to its host: MCP Apps 2026-01-26, JSON-RPC over postMessage. A view calls
// `connect({ title, show })`; `show(result, input)` draws the result of the tool.

export const main = document.querySelector('main')
const status = document.querySelector('#status')
const pending = new Map()
let nextId = 1
/** That of the browser, unless the host names another. */
let timeZone
export let capabilities = {}

function send(message) {
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

function request(method, params) {
  const id = nextId++
  send({ id, method, params })
  return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
}

export function say(text, isError = false) {
  status.textContent = text
  status.className = isError ? 'error' : 'muted'
}

/** The error that a failed call has as text, or the text itself. */
function errorIn(result) {
  const text = (result.content ?? []).map((block) => block.text ?? '').join('\n')
  try {
    const { error } = JSON.parse(text)
    return [error.message, error.hint].filter(Boolean).join(' ')
  } catch {
    return text || 'The call failed.'
  }
}

/** Calls a tool of the same server, with the credentials of the host. Throws the error message. */
export async function callTool(name, given) {
  const result = await request('tools/call', { name, arguments: given })
  if (result.isError) throw new Error(errorIn(result))
  return result.structuredContent ?? {}
}

/** Tells the model what the person did, so that it does not repeat it. */
export function tellModel(text) {
  if (!capabilities.updateModelContext) return
  request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {})
}

/** An element with text and children. Nothing is ever parsed as HTML. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children.filter((child) => child !== undefined && child !== ''))
  return made
}

/** A button that runs one call at a time and shows errors. Omitted if the host does not run tools for views. */
export function action(label, run) {
  if (!capabilities.serverTools) return undefined
  const button = element('button', { type: 'button', textContent: label })
  button.addEventListener('click', async () => {
    button.disabled = true
    say(`${label} …`)
    try {
      await run()
    } catch (error) {
      say(error.message, true)
    } finally {
      button.disabled = false
    }
  })
  return button
}

/** A field of a result as text: a string, or an object with a value, or several of them. */
export function textOf(value) {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (value !== null && typeof value === 'object')
    return textOf(value.value ?? value.text ?? value.name)
  return value === undefined || value === null ? '' : String(value)
}

/** `2019-03-14` as `14 Mar 2019`; other texts stay as they are. */
export function dateText(text) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }
  return new Date(text).toLocaleDateString('en-GB', options).replace(/\bSept\b/, 'Sep')
}

/** An RFC 3339 time in the time zone of the person: `14 Mar 2019, 16:05`. */
export function timeText(text) {
  const options = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit' }
  const format = { ...options, minute: '2-digit', hourCycle: 'h23', timeZone }
  return new Date(text).toLocaleString('en-GB', format).replace(/\bSept\b/, 'Sep')
}

/** A recorded value in words: dates and times written out, JSON without its punctuation. */
export function valueText(value) {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return timeText(value)
  if (!/^[[{]|[[{]"/.test(value)) return { true: 'yes', false: 'no' }[value] ?? dateText(value)
  return value
    .replaceAll(/"([^"]*)":/g, (_, key) => `${key.replaceAll('_', ' ')}: `)
    .replaceAll(/[{}[\]"]/g, '')
    .replaceAll(/,(?=\S)/g, ', ')
    .replaceAll(/\d{4}-\d\d-\d\d/g, dateText)
}

function applyContext({ theme, styles = {}, timeZone: zone }) {
  if (zone) timeZone = zone
  const root = document.documentElement
  if (theme) root.style.colorScheme = theme
  for (const [name, value] of Object.entries(styles.variables ?? {}))
    if (name.startsWith('--') && value !== undefined) root.style.setProperty(name, value)
}

function reportSize() {
  const { width, height } = document.documentElement.getBoundingClientRect()
  send({
    method: 'ui/notifications/size-changed',
    params: { width: Math.ceil(width), height: Math.ceil(height) },
  })
}

function settle(id, result, error) {
  const waiting = pending.get(id)
  pending.delete(id)
  if (error) waiting?.reject(new Error(error.message))
  else waiting?.resolve(result)
}

export async function connect({ title, show }) {
  let input = {}
  const receive = {
    'ui/notifications/tool-input': (params) => {
      input = params.arguments ?? {}
    },
    'ui/notifications/tool-result': (result) => {
      main.replaceChildren()
      say(result.isError ? errorIn(result) : '', result.isError)
      if (!result.isError) show(result.structuredContent ?? {}, input)
    },
    'ui/notifications/tool-cancelled': () => say('The call was cancelled.'),
    'ui/notifications/host-context-changed': applyContext,
  }
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return
    const { id, method, params = {}, result, error } = data
    if (method === undefined) settle(id, result, error)
    else if (id === undefined) receive[method]?.(params)
    else send({ id, result: {} })
  })
  const initialized = await request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: title, version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  })
  capabilities = initialized.hostCapabilities ?? {}
  applyContext(initialized.hostContext ?? {})
  send({ method: 'ui/notifications/initialized', params: {} })
  new ResizeObserver(reportSize).observe(document.documentElement)
}
