/** Links to the operator's privacy policy and terms, in the footer of pages that people see before they sign in. */

import { NOTHING, html, joinHtml, type Html } from './html.ts'
import { PRIVACY_PATH, TERMS_PATH } from './site-map.ts'

export interface OperatorTexts {
  /** Markdown, or null. */
  readonly privacyPolicy: string | null
  readonly termsOfService: string | null
  /** `WEFT_SUPPORT_CONTACT`: a mailto or https URL. */
  readonly supportContact?: string | null
}

/** The footer content followed by the links; empty if there is neither. */
export function footer(foot: Html | undefined, legal: OperatorTexts | undefined): Html {
  const links = legal ? linksOf(legal) : []
  if (foot === undefined && links.length === 0) return NOTHING
  const list = links.length === 0 ? NOTHING : html`<p>${joinHtml(links, html` · `)}</p>`
  return html`<footer>${foot ?? NOTHING}${list}</footer>`
}

function linksOf({ privacyPolicy, termsOfService, supportContact }: OperatorTexts): Html[] {
  return [
    ...(privacyPolicy === null ? [] : [html`<a href="${PRIVACY_PATH}">Privacy policy</a>`]),
    ...(termsOfService === null ? [] : [html`<a href="${TERMS_PATH}">Terms of service</a>`]),
    ...(supportContact == null ? [] : [html`<a href="${supportContact}">Support</a>`]),
  ]
}
