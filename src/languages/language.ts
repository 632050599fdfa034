/**
 * The language of the person a page or email is for. It is set once per request, so that code that writes text does not
 * pass it on. Everything else, such as the tools of agents, is in English, which is the language of the source code.
 */

import { AsyncLocalStorage } from 'node:async_hooks'

/** BCP 47 tags with the names that their speakers use. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof LANGUAGES

const languageStore = new AsyncLocalStorage<Language>()

/** English unless `inLanguage` says otherwise. */
export function currentLanguage(): Language {
  return languageStore.getStore() ?? 'en'
}

/** Runs a function, and what it starts, in a language. */
export function inLanguage<T>(language: Language, run: () => T): T {
  return languageStore.run(language, run)
}

/** Whether Weft has texts in the language with this tag. */
export function isLanguage(tag: string | null | undefined): tag is Language {
  return tag !== null && tag !== undefined && Object.hasOwn(LANGUAGES, tag)
}

/** The locale for `Intl`. English dates have the day first. */
export function currentLocale(): string {
  const language = currentLanguage()
  return language === 'en' ? 'en-GB' : language
}

/** Returns a function that calls `make` once for each language, with its locale. */
export function perLanguage<T>(make: (locale: string) => T): () => T {
  const made = new Map<Language, T>()
  return () => {
    const language = currentLanguage()
    const value = made.get(language) ?? make(currentLocale())
    made.set(language, value)
    return value
  }
}
