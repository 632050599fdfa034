/** Renders Weft's own markdown as HTML: GFM tables, headings with anchors, raw HTML as text. */

import { rawHtml, type Html } from '../../html/html.ts'
import { anchors } from './anchors.ts'

/**
 * Returns a safe fragment: raw HTML and script URLs are removed. The parser is loaded on first use, because loading it
 * takes a fifth of the start (40 ms).
 */
export async function markdownHtml(markdown: string): Promise<Html> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([
    import('micromark'),
    import('micromark-extension-gfm'),
  ])
  const rendered = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  const anchorOf = anchors()
  // Safe: micromark renders raw HTML in the Markdown as text, and the elements added here contain no text of it.
  return rawHtml(
    rendered
      // regex-ok: our own documents and those of the operator
      .replaceAll(/<(h[1-6])>(.*?)<\/h[1-6]>/g, (_all, tag: string, text: string) => {
        return `<${tag} id="${anchorOf(plainText(text))}">${text}</${tag}>`
      })
      // Wide content scrolls in its own focusable frame, not with the page.
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
      .replaceAll('</pre>', `</pre>${COPY}</div>`)
      // Drop empty headings.
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll(/<th(?=[ >])/g, '<th scope="col"'),
  )
}

const COPY = '<button type="button" class="plain" data-copy>Copy</button>'

function plainText(html: string): string {
  // regex-ok: our own documents and those of the operator
  return html.replaceAll(/<[^>]*>|&[a-z#0-9]+;/g, '')
}
