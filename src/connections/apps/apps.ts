/** The apps for working with a network. Their scripts and styles are in `view/`. */

import { defineApp, type App } from '../../tools/app.ts'

const folder = new URL('./view/', import.meta.url)

export const CONNECTION_APPS: readonly App[] = [
  defineApp({
    folder,
    name: 'contact-card',
    title: 'Contact card',
    description:
      'A connection with its follow-ups and notes; follow-ups can be completed and notes added.',
    tools: ['get_connections'],
  }),
  defineApp({
    folder,
    name: 'duplicates',
    title: 'Possible duplicates',
    description:
      'Groups of probable duplicates side by side, to merge or to mark as different people.',
    tools: ['find_duplicates'],
  }),
  defineApp({
    folder,
    name: 'import',
    title: 'Import',
    description:
      'The preview of an import, which can be started, and its progress and report, which can be undone.',
    tools: ['import_connections'],
  }),
  defineApp({
    folder,
    name: 'changes',
    title: 'Changes',
    description: 'The latest changes with old and new values; each can be undone.',
    tools: ['list_activity'],
  }),
]
