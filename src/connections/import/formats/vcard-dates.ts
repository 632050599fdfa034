// The birthday and other dates of a card.

import { birthdayIn, partialDateIn } from './dates.ts'
import { androidText, keepUnread, ordered, rank, type Card } from './vcard-card.ts'
import { textOf } from './vcard-property.ts'
import type { LabeledDate } from '../../model/details.ts'

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
