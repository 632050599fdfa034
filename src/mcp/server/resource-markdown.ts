/** The result of a tool as markdown, for people and for models that read prose better than JSON. */

import {
  heading,
  list,
  MARKDOWN_OPTIONS,
  text,
  writeMarkdown,
} from '../../http/content/write-markdown.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { Heading, List, RootContent } from 'mdast'

/** The heading is the name in the result, or else `title`. Every field is written, in the order of the result. */
export function resultMarkdown(title: string, output: JsonObject): Promise<string> {
  const { name } = output
  const { name: _heading, ...fields } = output
  const rest = typeof name === 'string' ? fields : output
  return writeMarkdown(
    [headingOf(typeof name === 'string' ? name : title, 1), ...fieldsOf(rest, 2)],
    MARKDOWN_OPTIONS,
  )
}

type Depth = 1 | 2 | 3

/** Plain values first, as one list; then a section for each object and for each list of objects. */
function fieldsOf(fields: JsonObject, depth: Depth): RootContent[] {
  const entries = Object.entries(fields).filter(([, value]) => !isEmpty(value))
  const isSection = (value: unknown) =>
    isJsonObject(value) || (Array.isArray(value) && value.some(isJsonObject))
  const facts = entries.filter(([, value]) => !isSection(value))
  return [
    ...(facts.length === 0 ? [] : [listOf(facts.map(([name, value]) => factOf(name, value)))]),
    ...entries
      .filter(([, value]) => isSection(value))
      .flatMap(([name, value]) => sectionOf(labelOf(name), value, depth)),
  ]
}

function sectionOf(title: string, value: unknown, depth: Depth): RootContent[] {
  const head = headingOf(title, depth)
  if (isJsonObject(value)) return [head, ...fieldsOf(value, 3)]
  const items = Array.isArray(value) ? value.filter(isJsonObject) : []
  return [head, listOf(items.map(itemOf))]
}

/** The text or name of an entry, and its other values after it. */
function itemOf(entry: JsonObject): string {
  const lead = ['text', 'name', 'tag'].find((field) => typeof entry[field] === 'string')
  const others = Object.entries(entry)
    .filter(([field, value]) => field !== lead && !isEmpty(value))
    .map(([field, value]) => factOf(field, value))
  if (lead === undefined) return others.join('; ')
  const details = others.length === 0 ? '' : ` (${others.join('; ')})`
  return `${String(entry[lead])}${details}`
}

function factOf(name: string, value: unknown): string {
  return `${labelOf(name)}: ${textOf(value)}`
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([name, member]) => factOf(name, member))
      .join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** `connected_on` becomes `Connected on`. */
function labelOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\bid\b/, 'ID')
    .replace(/\burl\b/, 'URL')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function headingOf(title: string, depth: Depth): Heading {
  return heading(depth, oneLine(title))
}

function listOf(items: readonly string[]): List {
  return list(items.map((item) => [text(oneLine(item))]))
}

function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
}
