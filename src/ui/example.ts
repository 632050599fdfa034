/** A drawn example of what a page brings, with invented people, beside the form that asks for it. */

import { face } from '../html/face.ts'
import { html, NOTHING, type Html } from '../html/html.ts'
import { t } from '../languages/message.ts'

interface ExampleRow {
  /** Before the face, such as a time of day. */
  readonly start?: string
  /** The name of the person whose face is shown. */
  readonly person: string
  readonly title: string
  readonly text?: string
  /** At the end of the row. */
  readonly end?: string
}

/** The body of a page with its example, which comes first on narrow screens. `caption` says where the rows are seen. */
export function besideExample(caption: string, rows: readonly ExampleRow[], body: Html): Html {
  return html`<div class="beside">
    <aside class="example" aria-label="${t('Example')}">
      <p>${caption}</p>
      <ul>
        ${rows.map(exampleRow)}
      </ul>
    </aside>
    <div>${body}</div>
  </div>`
}

function exampleRow({ start, person, title, text, end }: ExampleRow): Html {
  return html`<li>
    ${start === undefined ? NOTHING : html`<small>${start}</small>`} ${face({ name: person })}
    <span>${title} ${text === undefined ? NOTHING : html`<small>${text}</small>`}</span>
    ${end === undefined ? NOTHING : html`<small>${end}</small>`}
  </li>`
}
