/** `/privacy` and `/terms`: the operator's documents, served only if configured. */

import type { OperatorTexts } from '../../html/legal-links.ts'
import { PRIVACY_PATH, TERMS_PATH } from '../../html/site-map.ts'
import { publicPage } from '../../html/public-layout.ts'
import { html } from '../../html/html.ts'
import { perLanguage } from '../../languages/language.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { markdownHtml } from '../docs/markdown-html.ts'
import {
  cacheablePage,
  pageFor,
  PAGE_ANSWER,
  type NegotiatedPage,
} from '../docs/negotiated-page.ts'

export function operatorPageRoutes(legal: OperatorTexts): Route[] {
  const { privacyPolicy, termsOfService } = legal
  const textRoute = textRouteOf(legal)
  return [
    ...(privacyPolicy === null
      ? []
      : [textRoute(PRIVACY_PATH, 'readPrivacyPolicy', 'Privacy policy', privacyPolicy)]),
    ...(termsOfService === null
      ? []
      : [textRoute(TERMS_PATH, 'readTermsOfService', 'Terms of service', termsOfService)]),
  ]
}

const textRouteOf =
  (legal: OperatorTexts) =>
  (path: string, operationId: string, title: string, markdown: string): Route => {
    const page = perLanguage(() => render(title, markdown, legal))
    return defineRoute({
      method: 'GET',
      path,
      operationId,
      summary: `${title} of the operator`,
      access: 'public',
      forPeople: true,
      answers: { 200: PAGE_ANSWER },
      async handle({ header }) {
        return pageFor(header('accept'), await page())
      },
    })
  }

/** A document without a heading gets the title as its heading. */
async function render(
  title: string,
  markdown: string,
  legal: OperatorTexts,
): Promise<NegotiatedPage> {
  const text = /^# /m.test(markdown) ? markdown : `# ${title}\n\n${markdown}`
  const body = html`<article>${await markdownHtml(text)}</article>`
  return cacheablePage(publicPage({ title, body, legal }), `${text}\n`)
}
