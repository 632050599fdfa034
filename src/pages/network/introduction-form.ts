/** The field for the person or the company that the member wants to reach. */

import { MAX_FILTER_LENGTH } from '../../connections/search/query-lengths.ts'
import { html, type Html } from '../../html/html.ts'
import { INTRODUCTIONS_PATH } from '../../html/site-map.ts'

export function introductionForm(target: string): Html {
  return html`<form class="search" action="${INTRODUCTIONS_PATH}" role="search">
    <label class="unseen" for="to">Who do you want to meet?</label>
    <input
      id="to"
      name="to"
      type="search"
      value="${target}"
      placeholder="A person, a company or a title"
      maxlength="${MAX_FILTER_LENGTH}"
      autocomplete="off"
    />
    <button class="plain">Find the way</button>
  </form>`
}
