/** HTML validation of a page as sent, before a browser repairs it or a script changes it. */

import { HtmlValidate, StaticConfigLoader } from 'html-validate'

/** The validation errors of the document, one per line; empty if it is valid. */
export function htmlMistakes(document: string): string[] {
  const { results } = VALIDATOR.validateStringSync(document)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, selector }) => `${line}: ${message} (${ruleId}) ${selector ?? ''}`,
    ),
  )
}

/** Resolves the configuration once instead of for each document, which takes almost half the time of a validation. */
class ResolvedConfigLoader extends StaticConfigLoader {
  #config: ReturnType<StaticConfigLoader['getConfigFor']> | undefined

  override getConfigFor(
    ...args: Parameters<StaticConfigLoader['getConfigFor']>
  ): ReturnType<StaticConfigLoader['getConfigFor']> {
    this.#config ??= super.getConfigFor(...args)
    return this.#config
  }
}

const VALIDATOR = new HtmlValidate(
  new ResolvedConfigLoader({
    root: true,
    extends: [
      'html-validate:recommended',
      'html-validate:document',
      'html-validate:standard',
      'html-validate:a11y',
    ],
    rules: {
      // As oxfmt formats the templates.
      'doctype-style': ['error', { style: 'lowercase' }],
      'void-style': ['error', { style: 'selfclosing' }],
      // An empty fragment leaves whitespace.
      'no-trailing-whitespace': 'off',
      // Asset URLs contain a hash, and nothing is loaded from other origins.
      'require-sri': ['error', { target: 'crossorigin' }],
      // Without a script, the page of a running job reloads itself.
      'meta-refresh': 'off',
      // A title may contain a name of any length.
      'long-title': 'off',
      // Repeated field names form a list.
      'form-dup-name': 'off',
      // Form buttons submit by default, as nearly all of ours should.
      'no-implicit-button-type': 'off',
    },
  }),
)
