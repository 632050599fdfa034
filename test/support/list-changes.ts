/** Lists that change while a server runs; tools of the conformance suites report the changes. */

import type { Notify, SubscriptionProvider } from '../../src/mcp/protocol/subscription-messages.ts'

export type ListKind = 'tools' | 'prompts' | 'resources'

/** The names of the list kinds in the filter of a subscription. */
const FILTERS: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
}

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources']

interface ChangeableLists {
  readonly subscriptions: SubscriptionProvider<string>
  readonly announce: (kind: ListKind) => void
}

export function changeableLists(): ChangeableLists {
  const listeners = new Set<(kind: ListKind) => void>()
  return {
    announce: (kind) => listeners.forEach((listener) => listener(kind)),
    subscriptions: {
      capabilities: Object.fromEntries(KINDS.map((kind) => [kind, { listChanged: true }])),
      async open(_call, filter) {
        const kinds = KINDS.filter((kind) => filter[FILTERS[kind]] === true)
        return {
          accepted: Object.fromEntries(kinds.map((kind) => [FILTERS[kind], true])),
          async watch(notify, closing) {
            const listener = tell(kinds, notify)
            listeners.add(listener)
            await aborted(closing)
            listeners.delete(listener)
          },
        }
      },
    },
  }
}

function tell(kinds: readonly ListKind[], notify: Notify): (kind: ListKind) => void {
  return (kind) => {
    if (kinds.includes(kind)) notify(`notifications/${kind}/list_changed`, {})
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
