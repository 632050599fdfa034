/** Markdown of our own as HTML: GFM tables, headings with anchors, raw HTML shown as text. */

import { anchors } from './anchors.ts'

/**
 * A fragment, safe whatever the text holds: neither raw HTML nor a script's address passes. The parser is loaded when
 * the first page is asked for: it would take a fifth of the start (40 ms).
 */
export async function markdownHtml(markdown: string): Promise<string> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([
    import('micromark'),
    import('micromark-extension-gfm'),
  ])
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  const anchorOf = anchors()
  return (
    html
      .replaceAll(/<(h[1-6])>(.*?)<\/\1>/g, (_all, tag: string, text: string) => {
        return `<${tag} id="${anchorOf(plainText(text))}">${text}</${tag}>`
      })
      // What is too wide moves in a frame of its own, also by the keyboard, and not the page with it.
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
      .replaceAll('</pre>', `</pre>${COPY}</div>`)
      // A heading that says nothing is none.
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll(/<th(?=[ >])/g, '<th scope="col"')
  )
}

const COPY = '<button type="button" class="plain" data-copy>Copy</button>'

function plainText(html: string): string {
  return html.replaceAll(/<[^>]*>|&[a-z#0-9]+;/g, '')
}
