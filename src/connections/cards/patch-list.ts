/** Changes the lines of a list of values, such as phones or tags. */

import { labelIn } from '../../contact-files/contact/contact-draft.ts'
import { partsOf } from '../../contact-files/vcard/vcard-property.ts'
import { tagOf } from '../model/tag-store.ts'
import { valueIn, type CardVersion } from './card-lines.ts'
import { withValue, type CardPatch } from './card-patch.ts'
import { valueKey, type CardLists } from './card-values.ts'
import { LIST_WRITERS, tagsLine, type WrittenLine } from './value-lines.ts'

/** Replaces the values of a list in the card with those that the record has now. */
export function patchList(
  patch: CardPatch,
  name: keyof CardLists,
  { was, now }: Record<'was' | 'now', CardLists>,
): void {
  const [before, after] = [keyed(was[name]), keyed(now[name])]
  const removed = [...before.keys()].filter((key) => !after.has(key))
  const added = [...after.keys()].filter((key) => !before.has(key))
  const order = [...before.keys()].filter((key) => after.has(key))
  const isMoved = order.join() !== [...after.keys()].filter((key) => before.has(key)).join()
  if (removed.length + added.length === 0 && !isMoved) return
  if (name === 'tags') return setTags(patch, was.tags, now.tags)
  const left = replaceItems(patch, name, { removed, added, after })
  for (const key of left) patch.add(lineOf(patch, name, after.get(key)))
  if (isMoved || !isAsWanted(patch, name, removed, after)) rewrite(patch, name, after)
}

type Keyed = ReadonlyMap<string, unknown>

function keyed(values: readonly unknown[]): Keyed {
  return new Map(values.map((value) => [valueKey(value), value]))
}

interface ListChange {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly after: Keyed
}

/** Removes lines, or replaces their values. Returns the added values that have no line yet. */
function replaceItems(
  patch: CardPatch,
  name: Exclude<keyof CardLists, 'tags'>,
  { removed, added, after }: ListChange,
): string[] {
  const gone = new Set(removed)
  const left = [...added]
  for (const line of patch.candidates()) {
    const keys = [...keyed(patch.valuesIn(line)[name]).keys()]
    if (!keys.some((key) => gone.has(key))) continue
    const kept = keys.filter((key) => !gone.has(key) && after.has(key))
    if (kept.length > 0) {
      left.push(...kept)
      patch.remove(line)
      continue
    }
    const next = left.find((key) => isSuccessor(name, patch.valuesIn(line)[name], after.get(key)))
    if (next === undefined) patch.remove(line)
    else {
      left.splice(left.indexOf(next), 1)
      patch.replace(line, [withValue(line, lineOf(patch, name, after.get(next)).value)])
    }
  }
  return left
}

/** Whether a value can take the line of another one: both have the same label and no parameters of their own. */
function isSuccessor(
  name: Exclude<keyof CardLists, 'tags'>,
  former: readonly object[],
  next: unknown,
): boolean {
  const [one] = former
  if (former.length !== 1 || !['emails', 'phones', 'urls', 'addresses'].includes(name)) return false
  const label = (value: unknown) => (value as { readonly label?: string }).label
  const formatted = (value: unknown) => (value as { readonly formatted?: string }).formatted
  return label(one) === label(next) && formatted(one) === undefined && formatted(next) === undefined
}

function lineOf(
  patch: CardPatch,
  name: Exclude<keyof CardLists, 'tags'>,
  item: unknown,
): WrittenLine {
  // Items of a list have its type.
  const write = LIST_WRITERS[name] as (item: unknown, version: CardVersion) => WrittenLine
  return write(item, patch.version)
}

/** Whether the card no longer says what was removed and says everything else. */
function isAsWanted(
  patch: CardPatch,
  name: Exclude<keyof CardLists, 'tags'>,
  removed: readonly string[],
  after: Keyed,
): boolean {
  const present = keyed(patch.values()[name])
  return (
    removed.every((key) => !present.has(key)) && [...after.keys()].every((key) => present.has(key))
  )
}

/** Writes all values of a list again, in their order. */
function rewrite(patch: CardPatch, name: Exclude<keyof CardLists, 'tags'>, after: Keyed): void {
  for (const line of patch.candidates())
    if (patch.valuesIn(line)[name].length > 0 && patch.card.lines.includes(line)) patch.remove(line)
  for (const item of after.values()) patch.add(lineOf(patch, name, item))
}

/** Changes the categories of their lines; new ones join the first line. */
function setTags(patch: CardPatch, was: readonly string[], now: readonly string[]): void {
  const keys = new Set(now.map(keyOfTag))
  const removed = new Set(was.map(keyOfTag).filter((key) => !keys.has(key)))
  const lines = patch.candidates().filter((line) => patch.valuesIn(line).tags.length > 0)
  const present = new Set(lines.flatMap((line) => patch.valuesIn(line).tags.map(keyOfTag)))
  const more = now.filter((tag) => !present.has(keyOfTag(tag)))
  for (const [index, line] of lines.entries()) {
    const parts = partsOf(valueIn(line.text), ',')
    const kept = parts.filter((part) => !labelIn(part).some((tag) => removed.has(keyOfTag(tag))))
    const all = index === 0 ? [...kept, ...more] : kept
    if (all.length === 0) patch.remove(line)
    else if (all.length !== parts.length || more.length > 0)
      patch.replace(line, [withValue(line, tagsLine(all).value)])
  }
  if (lines.length === 0 && more.length > 0) patch.add(tagsLine(more))
}

function keyOfTag(tag: string): string {
  return tagOf(tag).key
}
