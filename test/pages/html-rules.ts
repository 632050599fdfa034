/** The rules of HTML, of a page as it was sent: before a browser mended it and a script changed it. */

import { HtmlValidate, StaticConfigLoader } from 'html-validate'

/** What is wrong with the document, a mistake a line; nothing when nothing is. */
export function htmlMistakes(document: string): string[] {
  const { results } = VALIDATOR.validateStringSync(document)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line, selector }) => `${line}: ${message} (${ruleId}) ${selector ?? ''}`,
    ),
  )
}

const VALIDATOR = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: [
      'html-validate:recommended',
      'html-validate:document',
      'html-validate:standard',
      'html-validate:a11y',
    ],
    rules: {
      // As oxfmt writes the templates.
      'doctype-style': ['error', { style: 'lowercase' }],
      'void-style': ['error', { style: 'selfclosing' }],
      // A fragment that is empty leaves the blanks before it.
      'no-trailing-whitespace': 'off',
      // Our own files carry their hash in their address; nothing comes from elsewhere.
      'require-sri': ['error', { target: 'crossorigin' }],
      // Without a script the page of a running job loads itself, until the job has ended.
      'meta-refresh': 'off',
      // A title names what a member called it, however long that is.
      'long-title': 'off',
      // Fields of one name are a list.
      'form-dup-name': 'off',
      // A button of a form sends it, which is what nearly all of ours are for.
      'no-implicit-button-type': 'off',
    },
  }),
)
