// Detects the whole export of Weft or of another contacts app by the start of its text.

import type { ContactFile } from './file/contact-file.ts'

type ReadExport = (text: AsyncIterable<string>) => Promise<ContactFile>

/** Returns the reader of the export. Readers are loaded only when they are needed. */
export function appExport(head: string): ReadExport | undefined {
  return APPS.find(({ start }) => start.test(head))?.read
}

/** `connections.json`, including that of an empty network. It is always UTF-8. */
export const WEFT_EXPORT = /^\[(?:\n\{"connection_id":"c_\d+"|\]\n$)/

/** The keys of the JSON files are always in this order. */
const APPS: readonly { readonly start: RegExp; readonly read: ReadExport }[] = [
  {
    start: WEFT_EXPORT,
    read: async (text) => (await import('./weft/weft-connections.ts')).weftFile(text),
  },
  {
    start: /^\s*\{\s*"version"\s*:\s*"[^"]{1,40}",\s*"app_version"\s*:/,
    read: async (text) => (await import('./monica/monica.ts')).monicaFile(text),
  },
  {
    start: /^\s*\{\s*"version"\s*:\s*"[^"]{1,40}",\s*"exportDate"\s*:\s*"[^"]{1,40}",\s*"user"\s*:/,
    read: async (text) => (await import('./apps/nametag.ts')).nametagFile(text),
  },
  {
    start: /^\s*\{\s*"exportedAt"\s*:\s*"[^"]{1,40}",\s*"version"\s*:\s*\d{1,9},\s*"contacts"\s*:/,
    read: async (text) => (await import('./apps/contrack.ts')).contrackFile(text),
  },
  {
    start: /^=== CONTACTS ===\r?\nID,Firstname,/,
    read: async (text) => (await import('./apps/meerkat.ts')).meerkatFile(text),
  },
]
