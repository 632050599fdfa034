// The birthday and other dates of a card.

import { birthdayIn, partialDateIn } from './dates.ts'
import { keepUnread, androidText, textIn, type Card } from './vcard-card.ts'
import { textOf } from './vcard-property.ts'
import type { LabeledDate } from '../../model/details.ts'

/** The day, or a date of which only a part is known. */
export function birthdayOf(card: Card): {
  readonly day: string | null
  readonly dates: readonly LabeledDate[]
} {
  const text =
    textIn(card.properties, 'BDAY') || androidText(card.properties, 'contact_event', BIRTHDAY_EVENT)
  if (text === '') return { day: null, dates: [] }
  const day = birthdayIn(text)
  if (day !== null) return { day, dates: [] }
  const date = partialDateIn(text)
  if (date !== null) return { day: null, dates: [{ label: 'birthday', date }] }
  keepUnread(card, 'BDAY', text)
  return { day: null, dates: [] }
}

const BIRTHDAY_EVENT = '3' // ContactsContract.CommonDataKinds.Event.TYPE_BIRTHDAY of Android

export const DATE_PROPERTIES: readonly (readonly [name: string, label: string])[] = [
  ['ANNIVERSARY', 'anniversary'],
  ['X-ANNIVERSARY', 'anniversary'],
  ['X-WEDDING-ANNIVERSARY', 'anniversary'],
  ['X-EVOLUTION-ANNIVERSARY', 'anniversary'],
  ['X-KADDRESSBOOK-X-ANNIVERSARY', 'anniversary'],
  ['X-ABDATE', 'other'],
  ['DEATHDATE', 'death'],
]

export function datesOf(card: Card): readonly LabeledDate[] {
  return DATE_PROPERTIES.flatMap(([name, label]) =>
    (card.properties.get(name) ?? []).flatMap((property) => {
      const text = textOf(property.value)
      const date = partialDateIn(text)
      if (date !== null) return [{ label: card.labels.get(property.group) ?? label, date }]
      keepUnread(card, name, text)
      return []
    }),
  )
}
