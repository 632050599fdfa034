/**
 * HTML as template strings. `${text}` is escaped, so text can never become markup; `${fragment}` is inserted unchanged.
 * The two differ by type: a fragment is an `Html` value, which only this module creates, so a string is not accepted
 * instead. A value inside a tag is quoted or comes from `attributes`; test/templates.test.ts checks every template.
 *
 * The texts of a template are English. They are shown in the current language, see languages/template.ts.
 */

import { currentLanguage } from '../languages/language.ts'
import { markupFormat, translationOf } from '../languages/message.ts'
import { templateParts, type TemplatePart, type TemplateText } from '../languages/template.ts'

/** Markup that is safe to insert into a page. Created by `html`, `attributes`, `joinHtml` and `rawHtml` only. */
class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  /** The markup, for the response writer. In a template, a string is text and would be escaped again. */
  toString(): string {
    return this.#markup
  }
}

export type { Html }

/** `null`, `undefined` and `false` render nothing; the fragments of an array are joined. */
type HtmlValue = string | number | Html | readonly Html[] | null | undefined | false

/** The tag of a template: escapes text and numbers, inserts fragments. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  if (currentLanguage() !== 'en') return new Html(translated(partsOf(strings), values))
  const { raw } = strings
  let markup = raw[0] ?? ''
  for (let index = 0; index < values.length; index++)
    markup += render(values[index]) + (raw[index + 1] ?? '')
  return new Html(markup)
}

const PARTS = new WeakMap<TemplateStringsArray, TemplatePart[]>()

function partsOf(strings: TemplateStringsArray): readonly TemplatePart[] {
  const parts = PARTS.get(strings) ?? templateParts(strings.raw)
  PARTS.set(strings, parts)
  return parts
}

function translated(parts: readonly TemplatePart[], values: readonly HtmlValue[]): string {
  let markup = ''
  for (const part of parts) {
    if (typeof part === 'string') markup += part
    else if (typeof part === 'number') markup += render(values[part])
    else markup += translatedText(part, values)
  }
  return markup
}

/** A text in the current language. Like a template, the translation is markup, with its values escaped. */
function translatedText(
  { source, values: indexes, tags }: TemplateText,
  values: readonly HtmlValue[],
): string {
  const text = translationOf(source)
  if (indexes.length === 0 && Object.keys(tags).length === 0) return text
  // Numbers stay numbers, because plurals depend on them.
  const given: Record<string, number | Html | Element> = {}
  for (const [at, index] of indexes.entries()) {
    const value = values[index]
    given[at] = typeof value === 'number' ? value : new Html(render(value))
  }
  for (const [name, { element, start }] of Object.entries(tags))
    given[name] = (content) =>
      new Html(`${translated(start, values)}${joined(content)}</${element}>`)
  return joined([markupFormat(text).format<Html>(given)].flat())
}

/** Adds the tags of an element to its translated content. */
type Element = (content: (string | Html)[]) => Html

/** Strings here are markup of the translation. */
function joined(content: readonly (string | Html)[]): string {
  return content.map(String).join('')
}

/** The empty fragment. */
export const NOTHING: Html = new Html('')

/** A line break in a text, as in a postal address. */
export const LINE_BREAK: Html = new Html('<br />')

/** Joins fragments as `Array.join` joins strings. A separator that is a string is text. */
export function joinHtml(fragments: readonly Html[], separator: string | Html): Html {
  const between = render(separator)
  return new Html(fragments.map(render).join(between))
}

type AttributeValue = string | number | boolean | undefined

/**
 * Attributes of a tag: `<input ${attributes({ name, required })} />`. `true` becomes an attribute without a value;
 * `false` and undefined are omitted.
 */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Html {
  const written = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? name : `${name}="${escapeHtml(String(value))}"`))
  return new Html(written.join(' '))
}

/**
 * Trusts a string to be safe markup. For the output of a renderer that escapes, and for text whose rules are not those
 * of HTML, such as data in a script element. Every call says why the string is safe.
 */
export function rawHtml(markup: string): Html {
  return new Html(markup)
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (value instanceof Html) return value.toString()
  if (typeof value === 'number') return String(value)
  if (value === null || value === undefined || value === false) return ''
  // Faster than `Array.join`.
  let markup = ''
  for (const fragment of value) markup += render(fragment)
  return markup
}

const SPECIAL = /["&'<=>]/g

/** Writes numeric character references. A failed `test` resets `lastIndex`, so every call starts at 0. */
function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  let escaped = ''
  let start = 0
  do {
    const index = SPECIAL.lastIndex - 1
    escaped += `${text.slice(start, index)}&#${text.charCodeAt(index)};`
    start = index + 1
  } while (SPECIAL.test(text))
  return escaped + text.slice(start)
}
