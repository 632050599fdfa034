/** The page that asks which of the selected people to keep. */

import { t } from '../../languages/message.ts'
import {
  asListed,
  publicConnectionId,
  type Connection,
} from '../../connections/model/connection.ts'
import { formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { attributes, html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { BULK_CONNECTIONS_PATH } from '../../html/site-map.ts'
import { workLine } from '../person/facts.ts'
import { personName } from '../../connections/person/person-link.page.ts'
import { buttonLink, panel } from '../../ui/sections.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface MergeView {
  readonly browser: SignedInRequest
  readonly people: readonly Connection[]
  readonly state: string
  /** The path of the list. */
  readonly back: string
}

export function mergePage({ browser, people, state, back }: MergeView): Answer {
  const choices = people.map((one, at) => {
    const id = publicConnectionId(one.connectionId)
    return html`<li>
      <div>
        <label>
          <input ${attributes({ type: 'radio', name: 'keep', value: id, checked: at === 0 })} />
          Keep ${personName(asListed(one))}
        </label>
        ${workLine(one)} ${hiddenField('c', id)}
      </div>
    </li>`
  })
  const form = html`<form method="post" action="${BULK_CONNECTIONS_PATH}">
    ${formTokenField(browser.formToken)} ${formKeyField()} ${hiddenField('state', state)}
    <p>
      The one you keep gets the notes, tags, follow-ups and missing values of the others. Nothing is
      overwritten, and you can split them again.
    </p>
    <ul class="items">
      ${choices}
    </ul>
    <div class="actions">
      <button name="action" value="merge">Merge</button>
      ${buttonLink(back, t('Cancel'))}
    </div>
  </form>`
  return memberPage({
    title: t('Merge people'),
    browser,
    current: 'connections',
    body: panel('merge', t('Which one do you want to keep?'), form),
  })
}
