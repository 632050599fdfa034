/** The pages of *Tidy up*, as tabs. */

import { tabLinks } from '../../ui/sections.ts'
import { phrase, t } from '../../languages/message.ts'
import { type Html } from '../../html/html.ts'
import { DELETED_CONNECTIONS_PATH, DUPLICATES_PATH, FIND_PHOTOS_PATH } from '../../html/site-map.ts'
import { listPath } from '../../connections/people/list-path.page.ts'

/** A list of people that is a tab. */
export const WITHOUT_EMAIL_PATH = listPath({ lacks: 'email', tidy: '1' })

const TABS = [
  { label: phrase('Duplicates'), path: DUPLICATES_PATH },
  { label: phrase('Without email'), path: WITHOUT_EMAIL_PATH },
  { label: phrase('Without photo'), path: FIND_PHOTOS_PATH },
  { label: phrase('Deleted'), path: DELETED_CONNECTIONS_PATH },
]

export function tidyTabs(current: string): Html {
  const tabs = TABS.map(({ label, path }) => ({ label: t(label), path, isHere: path === current }))
  return tabLinks(t('Tidy up'), tabs)
}
