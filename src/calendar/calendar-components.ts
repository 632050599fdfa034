/** Splits a calendar into its components, so that a broken one costs only itself: ical.js would reject the whole file. */

import ICAL from 'ical.js'
import { oneLine } from '../contact-files/contact/clean-text.ts'

/** A property as ical.js reads it (jCal, RFC 7265 section 3.4). */
export interface CalendarProperty {
  readonly name: string
  readonly parameters: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly type: string
  readonly values: readonly unknown[]
}

interface CalendarText {
  /** Property lines of the calendar itself. */
  readonly header: string
  readonly events: readonly string[]
  readonly zones: readonly string[]
  /** False if the text ends before the calendar does. */
  readonly isComplete: boolean
}

/** Undefined if the unfolded text is not a calendar. Alarms and to-dos are left out. */
export function splitCalendar(text: string): CalendarText | undefined {
  const header: string[] = []
  const events: string[] = []
  const zones: string[] = []
  let open: string[] = []
  let lines: string[] = []
  let isCalendar = false
  let isOpen = false
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, edge, component = ''] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line) ?? []
    const name = component.toUpperCase()
    if (edge === undefined) {
      if (isKept(open)) addLine(lines, line)
      else if (open.length === 0 && isCalendar) header.push(line)
      continue
    }
    if (name === 'VCALENDAR') {
      isCalendar = true
      isOpen = edge.toUpperCase() === 'BEGIN'
      open = []
    } else if (edge.toUpperCase() === 'BEGIN') {
      // Without its end, an event ends where the next begins.
      if (name === 'VEVENT' || name === 'VTIMEZONE' || open.length >= MAX_DEPTH) open = []
      if (open.length === 0) lines = []
      open.push(name)
      if (isKept(open)) lines.push(line)
    } else {
      if (isKept(open)) lines.push(line)
      if (open.pop() === 'VEVENT' && open.length === 0) events.push(lines.join('\r\n'))
      else if (name === 'VTIMEZONE' && open.length === 0) zones.push(lines.join('\r\n'))
    }
  }
  if (!isCalendar) return undefined
  return { header: header.join('\r\n'), events, zones, isComplete: !isOpen }
}

/** A line that is not a property continues a text before it: some programs write the line breaks of a title as they are. */
function addLine(lines: string[], line: string): void {
  const last = lines.at(-1)
  if (last === undefined || /^[\w-]+[;:]/.test(line) || !TEXT_PROPERTY.test(last)) lines.push(line)
  else if (last.length < MAX_JOINED_LENGTH) lines[lines.length - 1] = `${last}\\n${line}`
}

/** More than a title, and little enough to copy for each of its lines. */
const MAX_JOINED_LENGTH = 1000
const TEXT_PROPERTY = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT)[;:]/i

const MAX_DEPTH = 3

/** Lines of an event itself, and all lines of a time zone. */
function isKept(open: readonly string[]): boolean {
  return open[0] === 'VTIMEZONE' || (open[0] === 'VEVENT' && open.length === 1)
}

/** The properties of a component. Undefined if it is broken. */
export function readProperties(component: string): readonly CalendarProperty[] | undefined {
  try {
    const [, properties] = ICAL.parse(component) as [
      string,
      [string, object, string, ...unknown[]][],
    ]
    return properties.map(([name, parameters, type, ...values]) => ({
      name,
      parameters: parameters as CalendarProperty['parameters'],
      type,
      // As text, because another library expands them.
      values:
        type === 'recur'
          ? values.map((rule) => String(ICAL.Recur.fromData(rule as object)))
          : values,
    }))
  } catch {
    return undefined
  }
}

/** The first value of a property in one line, if it is a text. */
export function textValue(
  properties: readonly CalendarProperty[],
  name: string,
  maxLength = MAX_VALUE_LENGTH,
): string | undefined {
  const value = properties.find((property) => property.name === name)?.values[0]
  const text = typeof value === 'string' ? oneLine(value, maxLength) : ''
  return text === '' ? undefined : text
}

const MAX_VALUE_LENGTH = 1000

/** A parameter with one value. */
export function parameterOf({ parameters }: CalendarProperty, name: string): string | undefined {
  const value = parameters[name]
  return typeof value === 'string' ? value : value?.[0]
}
