// jCard (RFC 7095): vCards as JSON. They are read as the vCards that they stand for.

import { wholeText } from '../bytes/blocks.ts'
import { jsonOf } from '../../base/parse-text.ts'
import { phrase } from '../../languages/message.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { cardLine, cardOfLines, escapedText } from './vcard-text-lines.ts'

/** Whether the text is a jCard or a list of them. */
export function holdsJcard(head: string): boolean {
  return /^\s*\[\s*(?:\[\s*)?"vcard"/i.test(head)
}

const MAX_CHARACTERS = 50_000_000

/**
 * The cards as vCard text.
 *
 * @throws {UnreadableFile} `json_file` when the JSON is damaged or too long to be read at once.
 */
export async function* jcardText(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  const text = await wholeText(blocks, MAX_CHARACTERS)
  if (text === undefined) throw unreadable()
  for (const card of cardsIn(text)) yield cardOfLines(card.flatMap(lineOf))
}

function unreadable(): UnreadableFile {
  return new UnreadableFile(
    'json_file',
    phrase('This jCard file is damaged, or longer than 50 million characters.'),
    phrase('Export the contacts as vCard (.vcf) and import that file.'),
  )
}

/** The properties of each card: `["vcard", [property, …]]`, or a list of these. */
function cardsIn(text: string): readonly (readonly unknown[])[] {
  const value = jsonOf(text)
  if (value === undefined) throw unreadable()
  const list: readonly unknown[] =
    Array.isArray(value) && value[0] === 'vcard' ? [value] : listIn(value)
  return list.map((card) => listIn(listIn(card)[1]))
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** `["tel", { "type": "cell" }, "uri", "tel:+1-555-0100"]` */
function lineOf(property: unknown): readonly string[] {
  const [name, parameters, type, ...values] = listIn(property)
  if (typeof name !== 'string' || !/^[\w-]+$/.test(name)) return []
  const all = Object.entries(parameters ?? {}).flatMap(([key, value]) =>
    key === 'group' ? [] : ([[key, [value].flat().map(String)]] as const),
  )
  const group = (parameters as { group?: unknown } | undefined)?.group
  const path = typeof group === 'string' ? `${group}.${name}` : name
  const isPlain = type === 'uri' || typeof values[0] === 'number'
  const written = isPlain ? values.map(String) : values.map(valueText)
  return [cardLine(path, all, written.join(','))]
}

/** A structured value is a list of parts, each of which can be a list. */
function valueText(value: unknown): string {
  if (!Array.isArray(value))
    return escapedText(typeof value === 'string' ? value : JSON.stringify(value ?? ''))
  return value
    .map((part: unknown) =>
      [part]
        .flat()
        .map((one) => escapedText(String(one)))
        .join(','),
    )
    .join(';')
}
