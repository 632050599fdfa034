/** Splits a calendar into its components, so that a broken one costs only itself: ical.js would reject the whole file. */

import ICAL from 'ical.js'

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
}

/** Undefined if the text is not a calendar. Alarms and to-dos are left out. */
export function splitCalendar(text: string): CalendarText | undefined {
  const header: string[] = []
  const events: string[] = []
  const zones: string[] = []
  let open: string[] = []
  let lines: string[] = []
  let isCalendar = false
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, edge, component = ''] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line) ?? []
    const name = component.toUpperCase()
    if (edge === undefined) {
      if (isKept(open)) lines.push(line)
      else if (open.length === 0 && isCalendar) header.push(line)
      continue
    }
    if (name === 'VCALENDAR') {
      isCalendar = true
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
  return isCalendar ? { header: header.join('\r\n'), events, zones } : undefined
}

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

/** The first value of a property, if it is a text. */
export function textValue(
  properties: readonly CalendarProperty[],
  name: string,
): string | undefined {
  const value = properties.find((property) => property.name === name)?.values[0]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A parameter with one value. */
export function parameterOf({ parameters }: CalendarProperty, name: string): string | undefined {
  const value = parameters[name]
  return typeof value === 'string' ? value : value?.[0]
}
