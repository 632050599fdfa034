/**
 * Texts that people read, in their language. The English text in the source code is the key of the catalogs, as with
 * gettext, in the syntax of ICU MessageFormat. docs/contributing/translating.md says how to add a text or a language.
 */

import { IntlMessageFormat } from 'intl-messageformat'
import { currentLanguage, perLanguage, type Language } from './language.ts'
import german from './catalogs/de.json' with { type: 'json' }

/** Translations by their English text. */
export type Catalog = Readonly<Record<string, string>>

const CATALOGS: Partial<Record<Language, Catalog>> = { de: german }

type Values = Readonly<Record<string, string | number>>

/** A text in the current language: `message('{count, plural, one {# call} other {# calls}}', { count })`. */
export function message(source: string, values?: Values): string {
  const text = translationOf(source)
  return values ? String(formatOf(text).format(values)) : text
}

/** Marks a text that `message` translates where it is shown, for constants. Returns it unchanged. */
export function phrase<const Source extends string>(source: Source): Source {
  return source
}

/** The text in the current language; unchanged if it is not in the catalog. */
export function translationOf(source: string): string {
  const catalog = CATALOGS[currentLanguage()]
  return catalog !== undefined && Object.hasOwn(catalog, source)
    ? (catalog[source] ?? source)
    : source
}

/** By text and language, because parsing takes longer than formatting. */
const formatters = perLanguage((locale) => {
  const formats = new Map<string, IntlMessageFormat>()
  return (text: string) => {
    const format = formats.get(text) ?? new IntlMessageFormat(text, locale)
    formats.set(text, format)
    return format
  }
})

/** The parsed form of a text in the current language. Only texts of the source and of catalogs are parsed. */
export function formatOf(text: string): IntlMessageFormat {
  return formatters()(text)
}
