// What is no field: kept as custom fields, except what is about the card itself.

import { withoutLast } from '../../base/without-last.ts'
import { keepCustom, type Card } from './vcard-card.ts'
import { isOther } from './vcard-fields.ts'
import { textOf } from './vcard-property.ts'

/** Keeps every property that no field reads. */
export function keepOthers(card: Card): void {
  for (const [name, properties] of card.properties) {
    if (!isOther(name)) continue
    for (const property of properties) {
      if (name === 'X-ANDROID-CUSTOM' && ANDROID_FIELD.test(property.value)) continue
      const own = property.group === '' ? undefined : card.labels.get(property.group)
      const text = textOf(property.value)
      keepCustom(
        card,
        own === undefined || own === '' ? name : own,
        name === 'GENDER' ? withoutLast(text, ';') : text,
      )
    }
  }
}

/** Those that other fields read. */
const ANDROID_FIELD = /^[^;]*\/(?:nickname|contact_event|relation);/
