// The birthday and other dates of a card.

import { birthdayIn, partialDateIn } from '../values/dates.ts'
import { androidItems, androidText, keepUnread, ordered, rank, type Card } from './vcard-card.ts'
import { textOf } from './vcard-property.ts'
import type { LabeledDate } from '../contact/details.ts'

/** The day, or a date of which only a part is known. */
export function birthdayOf(card: Card): {
  readonly day: string | null
  readonly dates: readonly LabeledDate[]
} {
  const written = ordered(card.properties, 'BDAY', rank).map(({ value }) => textOf(value))
  const texts =
    written.length > 0
      ? written
      : [androidText(card.properties, 'contact_event', BIRTHDAY_EVENT)].filter(
          (text) => text !== '',
        )
  let day: string | null = null
  const dates: LabeledDate[] = []
  for (const text of texts) {
    const date = partialDateIn(text)
    if (date === null) keepUnread(card, 'BDAY', text)
    else if (day === null && birthdayIn(text) !== null) day = date
    else if (date !== day) dates.push({ label: 'birthday', date })
  }
  return { day, dates }
}

/** ContactsContract.CommonDataKinds.Event.TYPE_BIRTHDAY and TYPE_ANNIVERSARY of Android. */
const [BIRTHDAY_EVENT, ANNIVERSARY_EVENT] = ['3', '1']

export const DATE_PROPERTIES: readonly (readonly [name: string, label: string])[] = [
  ['ANNIVERSARY', 'anniversary'],
  ['X-ANNIVERSARY', 'anniversary'],
  ['X-MS-ANNIVERSARY', 'anniversary'],
  ['X-WEDDING-ANNIVERSARY', 'anniversary'],
  ['X-EVOLUTION-ANNIVERSARY', 'anniversary'],
  ['X-KADDRESSBOOK-X-ANNIVERSARY', 'anniversary'],
  ['X-ABDATE', 'other'],
  ['DEATHDATE', 'death'],
]

export function datesOf(card: Card): readonly LabeledDate[] {
  const read = (property: string, label: string, text: string) => {
    const date = partialDateIn(text)
    if (date !== null) return [{ label, date }]
    keepUnread(card, property, text)
    return []
  }
  const written = DATE_PROPERTIES.flatMap(([name, label]) =>
    (card.properties.get(name) ?? []).flatMap((property) =>
      read(name, card.labels.get(property.group) ?? label, textOf(property.value)),
    ),
  )
  const android = androidItems(card.properties, 'contact_event')
    .filter(([, type]) => type !== BIRTHDAY_EVENT)
    .flatMap(([text = '', type, own = '']) =>
      read('X-ANDROID-CUSTOM', type === ANNIVERSARY_EVENT ? 'anniversary' : own || 'other', text),
    )
  return [...written, ...android]
}
