/** The tags of a connection. Each links to the connections with that tag and can be removed. */

import { formTokenField, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { fieldState, type DetailsView } from './details-view.ts'
import { listPath } from './list-path.ts'
import { connectionPath } from '../../html/site-map.ts'

export function tagSection({ publicId, tags, invalid, browser: { formToken } }: DetailsView): Html {
  const action = connectionPath(publicId, 'tags')
  const state = fieldState(invalid, 'tag', 'Tag')
  return html`<section class="panel person" aria-labelledby="tags">
    <h2 id="tags">Tags</h2>
    ${
      tags.length === 0
        ? ''
        : tagForm(
            tags.map(({ tag }) => tag),
            action,
            formToken,
          )
    }
    <form class="short" method="post" action="${action}">
      ${formTokenField(formToken)}
      ${textField({ ...state, label: 'Add a tag', autocomplete: 'off' })}
      <button class="plain">Add tag</button>
    </form>
  </section>`
}

function tagForm(tags: readonly string[], action: string, formToken: string): Html {
  const items = tags.map(
    (tag) =>
      html`<li class="badge">
        <a href="${listPath({ tag })}"><bdi>${tag}</bdi></a>
        <button class="link" name="take_off" value="${tag}" aria-label="Remove tag ${tag}">
          ${icon('cross')}
        </button>
      </li>`,
  )
  return html`<form method="post" action="${action}">
    ${formTokenField(formToken)}
    <ul class="tags">
      ${items}
    </ul>
  </form>`
}
