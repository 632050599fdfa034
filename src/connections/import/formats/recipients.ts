// Recipients as mail programs write them: `Ann Lee <ann@lee.example>, "Poe, Ben" <ben@poe.example>`. They are read as a
// table.

/** Whether the start of a text has nothing but recipients, and at least one name. */
export function holdsRecipients(head: string): boolean {
  if (!head.includes('<')) return false
  const items = itemsIn(head)
  const whole = items.length > 1 && head.length > MIN_BLOCK_LENGTH ? items.slice(0, -1) : items
  const read = whole.map(recipientOf)
  return read.every((one) => one !== null) && read.some((one) => one?.name !== '')
}

const MIN_BLOCK_LENGTH = 10_000 // characters: the last recipient of a longer start can be incomplete

/** The recipients as CSV. */
export async function recipientsText(blocks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const block of blocks) text += block
  const rows = itemsIn(text).flatMap((item) => {
    const { name, address } = recipientOf(item) ?? { name: '', address: item }
    return `"${name.replaceAll('"', '""')}","${address.replaceAll('"', '""')}"\n`
  })
  return `Name,Email\n${rows.join('')}`
}

/** The parts between commas, semicolons and line breaks, unless these are in quotation marks. */
function itemsIn(text: string): readonly string[] {
  const items: string[] = []
  let quoted = false
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? '\n'
    if (character === '"') quoted = !quoted
    if (at < text.length && (quoted || !SEPARATORS.has(character))) continue
    const item = text.slice(from, at).trim()
    if (item !== '') items.push(item)
    from = at + 1
  }
  return items
}

const SEPARATORS: ReadonlySet<string> = new Set([',', ';', '\n', '\r'])

interface Recipient {
  readonly name: string
  readonly address: string
}

function recipientOf(item: string): Recipient | null {
  const open = item.endsWith('>') ? item.lastIndexOf('<') : -1
  const address = open === -1 ? item : item.slice(open + 1, -1)
  if (!ADDRESS.test(address) || item.startsWith('alias ')) return null // the address book of mutt
  const name = item.slice(0, Math.max(open, 0)).trim()
  return { name: /^"[^"]*"$/.test(name) ? name.slice(1, -1) : name, address }
}

const ADDRESS = /^[^\s<>",;@]+@[^\s<>",;@]+$/
