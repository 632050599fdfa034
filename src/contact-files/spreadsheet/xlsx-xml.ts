// Parses the XML files of a workbook.

import { phrase } from '../../languages/message.ts'
import type { SAXParser } from 'sax'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import type { ZipEntry } from '../bytes/zip.ts'

export type Attributes = Readonly<Record<string, string>>

interface XmlHandlers {
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
}

/** Feeds the XML of an entry to handlers; yields the size of each block of bytes after it. */
export async function* parsed(entry: ZipEntry, handlers: XmlHandlers): AsyncGenerator<number> {
  const { default: sax } = await import('sax')
  const parser: SAXParser = sax.parser(true, { position: false })
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.onopentag = ({ name, attributes }) =>
    handlers.open?.(local(name), attributes as Attributes)
  parser.onclosetag = (name) => handlers.close?.(local(name))
  const onText = (text: string) => handlers.text?.(text)
  const onError = () => {
    throw damaged()
  }
  Object.assign(parser, { ontext: onText, oncdata: onText, onerror: onError })
  const decoder = new TextDecoder('utf-8')
  for await (const bytes of entry.open()) {
    parser.write(decoder.decode(bytes, { stream: true }))
    yield bytes.length
  }
  parser.close()
}

/** Feeds all of it. */
export async function parse(entry: ZipEntry | undefined, handlers: XmlHandlers): Promise<void> {
  if (entry === undefined) return
  const blocks = parsed(entry, handlers)
  while ((await blocks.next()).done !== true);
}

function damaged(): UnreadableFile {
  return new UnreadableFile(
    'spreadsheet_file',
    phrase('This spreadsheet is damaged.'),
    phrase('Open it in a spreadsheet program, save it as CSV, then import that file.'),
  )
}
