/**
 * Texts that people read, in their language. The English text in the source code is the key of the catalogs, as with
 * gettext, in the syntax of ICU MessageFormat. docs/contributing/translating.md says how to add a text or a language.
 */

import { IntlMessageFormat } from 'intl-messageformat'
import { currentLanguage, inLanguage, perLanguage, type Language } from './language.ts'
import german from './catalogs/de.json' with { type: 'json' }

/** Translations by their English text. */
type Catalog = Readonly<Record<string, string>>

/** Catalogs of all languages but English. A test adds a pseudo-locale. */
export const CATALOGS: Partial<Record<Language, Catalog>> = { de: german }

type Values = Readonly<Record<string, string | number>>

/** A text that is stored, or thrown where its reader is not known, and written where it is shown. */
export interface Message {
  /** The English text. */
  readonly source: string
  readonly values?: Values
}

/** The message in the current language. */
export function messageText({ source, values }: Message): string {
  return t(source, values)
}

/** The message in English, for programs and logs. */
export function inEnglish(message: Message): string {
  return inLanguage('en', () => messageText(message))
}

/** A text in the current language: `t('{count, plural, one {# call} other {# calls}}', { count })`. */
export function t(source: string, values?: Values): string {
  const text = translationOf(source)
  if (!values) return text
  if (PLURAL.test(text)) return String(plainFormats()(text).format(values))
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** Only these need the parser, which takes ten times as long. */
const PLURAL = /\{\w+,/

/** Marks a text that `t` translates where it is shown, for constants. Returns it unchanged. */
export function phrase<const Source extends string>(source: Source): Source {
  return source
}

/** The text in the current language; unchanged if it is not in the catalog. */
export function translationOf(source: string): string {
  const catalog = CATALOGS[currentLanguage()]
  return catalog !== undefined && Object.hasOwn(catalog, source)
    ? catalog[source] || source
    : source
}

/** The parsed form of a template's text in the current language. */
export function markupFormat(text: string): IntlMessageFormat {
  return markupFormats()(text)
}

const plainFormats = perLanguage((locale) => parsedOnce(locale, true))
const markupFormats = perLanguage((locale) => parsedOnce(locale, false))

/** Parsing takes longer than formatting. Only texts of the source and of catalogs are parsed, so they are few. */
function parsedOnce(locale: string, ignoreTag: boolean): (text: string) => IntlMessageFormat {
  const formats = new Map<string, IntlMessageFormat>()
  return (text) => {
    const format =
      formats.get(text) ?? new IntlMessageFormat(text, locale, undefined, { ignoreTag })
    formats.set(text, format)
    return format
  }
}
