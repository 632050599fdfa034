/** The page that compares the selected people and asks which of them to keep. */

import { t } from '../../languages/message.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { DUPLICATES_PATH } from '../../html/site-map.ts'
import { buttonLink } from '../../ui/sections.ts'
import { comparedColumns, comparedPeople } from './compared-people.ts'
import type { Answer } from '../../http/response.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface MergeView {
  readonly browser: SignedInRequest
  readonly people: readonly Connection[]
  /** The query string of the list. */
  readonly state: string
  /** The path of the list. */
  readonly back: string
}

export function mergePage({ browser, people, state, back }: MergeView): Answer {
  return memberPage({
    title: t('Merge people'),
    browser,
    current: 'connections',
    body: html`<section class="panel sitting" aria-label="${t('Merge people')}">
      <p class="quiet">
        The one you keep gets the notes, tags, follow-ups and missing values of the others. You can
        split them again.
      </p>
      <form method="post" action="${DUPLICATES_PATH}">
        ${formKeyField()} ${hiddenField('state', state)} ${comparedPeople(comparedColumns(people))}
        <div class="actions save-bar"><button>Merge</button> ${buttonLink(back, t('Cancel'))}</div>
      </form>
    </section>`,
  })
}
