/**
 * The layout of every email, as plain text and as HTML: paragraphs, facts, lists and a link. Styles are inline, because
 * many mail programs drop style sheets; those that keep them show dark colors. Nothing is loaded.
 */

import { html, type Html } from '../html/html.ts'
import { currentLanguage } from '../languages/language.ts'

/** The content of an email, independent of its format. */
interface Content {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Label and value. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  readonly sections?: readonly EmailSection[]
  readonly link?: EmailLink
  /** After the link. */
  readonly closing: readonly string[]
  /** A quiet link at the end. */
  readonly footer?: EmailLink
}

interface EmailLink {
  readonly label: string
  readonly url: string
}

/** A list of things under a heading. */
export interface EmailSection {
  readonly title: string
  readonly items: readonly EmailItem[]
}

export interface EmailItem {
  readonly text: string
  /** Quieter, below the text: a reason or a date. */
  readonly detail?: string
  readonly isLate?: boolean
  readonly url: string
}

export interface ComposedEmail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes an email in both formats. */
export function compose(content: Content): ComposedEmail {
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) }
}

/** Columns of plain text (RFC 3676 section 4.2 suggests 78 at most). Addresses stay whole. */
const MAX_COLUMNS = 72

function textOf({ paragraphs, facts = [], sections = [], link, closing, footer }: Content): string {
  const linkText = ({ label, url }: EmailLink) => `${wrapped(`${label}:`)}\n${url}`
  const blocks = [
    ...paragraphs.map((text) => wrapped(text)),
    ...(facts.length > 0
      ? [facts.map(([label, value]) => wrapped(`${label}: ${value}`, '  ')).join('\n')]
      : []),
    ...sections.map(({ title, items }) => [`${title}:`, ...items.map(itemText)].join('\n')),
    ...(link ? [linkText(link)] : []),
    ...closing.map((text) => wrapped(text)),
    ...(footer ? [linkText(footer)] : []),
  ]
  return `${blocks.join('\n\n')}\n`
}

function itemText({ text, detail, url }: EmailItem): string {
  return `${wrapped(`- ${text}${detail === undefined ? '' : ` (${detail})`}`, '  ')}\n  ${url}`
}

/** The text in lines that are broken between words; `indent` begins all but the first. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > MAX_COLUMNS) {
      lines.push(line)
      line = indent + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

const LINE = 'border-top: 1px solid #e0deda'
/** At least 44 pixels high, for a thumb. */
const ROW = 'display: block; padding: 12px 0; text-decoration: none; color: #2457ab'
const BUTTON =
  'display: inline-block; padding: 11px 20px; border-radius: 8px; font-weight: 600; ' +
  'text-decoration: none; color: #ffffff; background: #2457ab'
const SMALL = 'font-size: 14px; line-height: 20px'
const HEADING = 'margin: 28px 0 6px; font-size: 16px; line-height: 24px'
const FONT = 'font-family: system-ui, -apple-system, Roboto, Helvetica, Arial, sans-serif'

function itemHtml({ text, detail, isLate = false, url }: EmailItem): Html {
  const [name, color] = isLate ? ['late', '#984515'] : ['quiet', '#484d57']
  return html`<li class="line" style="${LINE}">
    <a class="link" href="${url}" style="${ROW}"
      ><bdi>${text}</bdi>${
        detail !== undefined &&
        html`<br /><span class="${name}" style="${SMALL}; color: ${color}">${detail}</span>`
      }</a
    >
  </li>`
}

function sectionHtml({ title, items }: EmailSection): Html {
  return html`<h2 style="${HEADING}">${title}</h2>
    <ul style="margin: 0; padding: 0; list-style: none">
      ${items.map(itemHtml)}
    </ul>`
}

function factHtml([label, value]: readonly [string, string]): Html {
  return html`<dt class="quiet" style="${SMALL}; color: #484d57">${label}</dt>
    <dd style="margin: 0 0 10px"><bdi>${value}</bdi></dd>`
}

/** Mail programs show the subject above, so a list needs no title. */
function titleHtml(subject: string): Html {
  return html`<h1 style="margin: 0 0 16px; font-size: 20px; line-height: 28px">${subject}</h1>`
}

function paragraphHtml(text: string): Html {
  return html`<p style="margin: 0 0 16px">${text}</p>`
}

function buttonHtml({ label, url }: EmailLink): Html {
  return html`<p style="margin: 24px 0">
    <a class="button" href="${url}" style="${BUTTON}">${label}</a>
  </p>`
}

function footerHtml({ label, url }: EmailLink): Html {
  return html`<p class="line" style="margin: 24px 0 0; ${LINE}">
    <a class="link" href="${url}" style="${ROW}; ${SMALL}">${label}</a>
  </p>`
}

function htmlOf(content: Content): string {
  const { subject, paragraphs, facts = [], sections = [], link, closing, footer } = content
  return html`<!doctype html>
    <html lang="${currentLanguage()}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
        <style>
          :root {
            color-scheme: light dark;
            supported-color-schemes: light dark;
          }
          @media (prefers-color-scheme: dark) {
            .page {
              background: #0c0e12 !important;
              color: #ebedf1 !important;
            }
            .sheet {
              background: #14161c !important;
            }
            .quiet {
              color: #b7bbc3 !important;
            }
            .late {
              color: #f1b778 !important;
            }
            .link {
              color: #92c1fd !important;
            }
            .line {
              border-color: #2c2f36 !important;
            }
            .button {
              background: #396fc8 !important;
            }
          }
        </style>
      </head>
      <body class="page" style="margin: 0; background: #efede9; color: #1b1f29">
        <div
          class="sheet"
          style="max-width: 560px; margin: 0 auto; padding: 20px; background: #fefefc; font-size: 16px; line-height: 24px; overflow-wrap: anywhere; ${FONT}"
        >
          ${sections.length === 0 && titleHtml(subject)} ${paragraphs.map(paragraphHtml)}
          ${facts.length > 0 && html`<dl style="margin: 0 0 16px">${facts.map(factHtml)}</dl>`}
          ${sections.map(sectionHtml)} ${link && buttonHtml(link)} ${closing.map(paragraphHtml)}
          ${footer && footerHtml(footer)}
        </div>
      </body>
    </html>`.toString()
}
