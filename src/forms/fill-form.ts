/**
 * Fills a form of a page with what was typed into it before. Works on the finished markup, so it covers the forms of all
 * pages. Texts and the values of attributes are escaped, so `<`, `>` and quotes only occur in tags.
 */

import { listsBy } from '../base/lists-by.ts'
import { FORM_KEY, FORM_TOKEN, isSecretField } from '../http/form-guard.ts'
import { textArea, textField } from '../html/form.ts'
import { attributes, html, type Html } from '../html/html.ts'

export interface TypedForm {
  /** The path that the form was sent to. */
  readonly action: string
  /** Names and values, in order. */
  readonly fields: readonly TypedField[]
}

type TypedField = readonly [name: string, value: string]

interface FilledPage {
  readonly markup: string
  /** Whether the page contains text that would otherwise be lost. */
  readonly hasTyped: boolean
}

/** The page with the form filled in and a notice. Without such a form, the page shows what was typed, to be copied. */
export function fillForm(markup: string, typed: TypedForm): FilledPage {
  const form = findForm(markup, typed)
  if (!form) {
    const copied = typed.fields.filter(isWorthCopying)
    if (copied.length === 0) return { markup, hasTyped: false }
    return { markup: withNotice(markup, lostForm(copied)), hasTyped: true }
  }
  const filled = fillControls(markup.slice(form.start, form.end), typed.fields)
  const before = withoutAutofocus(openDetails(markup.slice(0, form.start), form.details))
  const after = withoutAutofocus(markup.slice(form.end))
  return filled.hasTyped
    ? { markup: before + withNotice(filled.markup, filledNotice()) + after, hasTyped: true }
    : { markup: withNotice(before + filled.markup + after, repeatNotice()), hasTyped: false }
}

function filledNotice(): Html {
  return html`<p class="notice" role="status">
    You were signed out, so this form was not submitted. What you typed is filled in. Check it and
    submit it again.
  </p>`
}

function repeatNotice(): Html {
  return html`<p class="notice" role="status">
    You were signed out, so no changes were made. Try again.
  </p>`
}

function lostForm(fields: readonly TypedField[]): Html {
  const texts = fields.map(
    ([name, value]) =>
      html`<textarea readonly ${attributes({ 'aria-label': labelOf(name) })}>${value}</textarea>`,
  )
  return html`<div class="notice warning" role="status">
    <p>
      You were signed out, so the form was not submitted, and it is no longer on this page. Copy
      what you typed:
    </p>
    ${texts}
  </div>`
}

function isWorthCopying([name, value]: TypedField): boolean {
  return value.trim() !== '' && !/(^|_)(id|version|back)$/.test(name)
}

/** At the start of the form or of the page. */
function withNotice(markup: string, notice: Html): string {
  return markup.replace(START, (start) => start + notice.toString())
}

const START = /^<form\b[^<>]*>|<main\b[^<>]*>/

interface FoundForm {
  readonly start: number
  readonly end: number
  /** The positions of the `details` around it. */
  readonly details: readonly number[]
}

/** The form that is sent to the path. If there are several, the one whose fixed values are those that were sent. */
function findForm(markup: string, typed: TypedForm): FoundForm | undefined {
  const forms = formsOf(markup).map((form) => {
    const controls = controlsOf(markup.slice(form.start, form.end))
    const targets = controls.flatMap(({ tag, text }) =>
      tag === 'form'
        ? valueIn(text, 'action')
        : tag === 'button'
          ? valueIn(text, 'formaction')
          : [],
    )
    return { form, isTarget: targets.includes(typed.action), score: scoreOf(controls, typed) }
  })
  const fitting = forms.filter(({ isTarget }) => isTarget)
  return fitting.toSorted((one, other) => other.score - one.score)[0]?.form
}

const BLOCK = /<(\/?)(form|details)\b[^<>]*>/g

function formsOf(markup: string): FoundForm[] {
  const forms: FoundForm[] = []
  const details: number[] = []
  let start = 0
  for (const { index, 0: tag, 1: slash, 2: name } of markup.matchAll(BLOCK)) {
    if (name === 'details' && slash === '') details.push(index)
    else if (name === 'details') details.pop()
    else if (slash === '') start = index
    else forms.push({ start, end: index + tag.length, details: [...details] })
  }
  return forms
}

interface Control {
  readonly tag: string
  /** Its attributes. */
  readonly text: string
}

const CONTROL_TAG = /<(form|input|textarea|select|button)\b([^<>]*)>/g

function controlsOf(markup: string): Control[] {
  return Array.from(markup.matchAll(CONTROL_TAG), ([, tag = '', text = '']) => ({ tag, text }))
}

/** Fields whose control exists, and more for those whose value is fixed, such as the ID that a button stands for. */
function scoreOf(controls: readonly Control[], { fields }: TypedForm): number {
  const names = new Set(controls.map(({ text }) => nameIn(text)))
  const isFixed = ({ tag, text }: Control) => tag === 'button' || valueIn(text, 'type') === 'hidden'
  const fixed = new Set(
    controls.filter(isFixed).map(({ text }) => `${nameIn(text)}=${valueIn(text, 'value') ?? ''}`),
  )
  return fields.reduce(
    (sum, [name, value]) =>
      sum + Number(names.has(name)) + 2 * Number(fixed.has(`${name}=${value}`)),
    0,
  )
}

interface FilledControls {
  readonly markup: string
  readonly hasTyped: boolean
}

/** Adds a control for each value that has none, such as a value in a row that was added to the form. */
function fillControls(form: string, fields: readonly TypedField[]): FilledControls {
  const left = listsBy(fields)
  for (const { tag, text } of controlsOf(form)) if (tag === 'button') left.delete(nameIn(text))
  let hasTyped = false
  /** Value of the `select` around an option. */
  let selected: string | undefined
  const filled = form.replace(VALUE_TAG, (whole, tag: string, attrs: string, after: string) => {
    if (tag === 'option') return selected === undefined ? whole : option(attrs, selected) + after
    const values = isFilled(attrs) ? left.get(nameIn(attrs)) : undefined
    selected = tag === 'select' ? values?.shift() : undefined
    if (tag === 'select' || tag === 'datalist' || !isFilled(attrs)) return whole
    const control = fillControl({ tag, attrs, after }, values)
    const focus = control.isTyped && !hasTyped ? ' autofocus' : ''
    hasTyped ||= control.isTyped
    return `<${tag}${focus}${control.attrs}>${control.after}`
  })
  const extra = [...left].flatMap(([name, values]) =>
    KEPT.has(name) || isSecretField(name) ? [] : values.map((value) => [name, value] as const),
  )
  const added = extra.filter(([, value]) => value !== '').map(addedField)
  return {
    markup: filled.replace(/<\/form>$/, `${html`${added}`.toString()}</form>`),
    hasTyped: hasTyped || added.length > 0,
  }
}

const VALUE_TAG = /<(input|textarea|select|option|datalist)\b([^<>]*)>([^<]*)/g

interface ControlMarkup {
  readonly tag: string
  readonly attrs: string
  /** The text up to the next tag. */
  readonly after: string
}

/** Takes the values that it shows from `values`. */
function fillControl(
  { tag, attrs: given, after }: ControlMarkup,
  values: string[] | undefined,
): { readonly attrs: string; readonly after: string; readonly isTyped: boolean } {
  const type = valueIn(given, 'type') ?? 'text'
  const attrs = without('autofocus', given.replace(/\/$/, ''))
  if (type === 'checkbox' || type === 'radio') {
    const at = values?.indexOf(valueIn(attrs, 'value') ?? 'on') ?? -1
    if (at >= 0) values?.splice(at, 1)
    const isChanged = at >= 0 !== /\schecked\b/.test(attrs)
    return {
      attrs: without('checked', attrs) + (at >= 0 ? ' checked' : ''),
      after,
      isTyped: isChanged,
    }
  }
  const value = values?.shift() ?? ''
  if (tag === 'textarea')
    // A first line break of the content is dropped (HTML Living Standard, section 13.1.2.5).
    return { attrs, after: `\n${html`${value}`.toString()}`, isTyped: value !== '' }
  const isTyped = type !== 'hidden' && value !== (valueIn(attrs, 'value') ?? '')
  return { attrs: `${without('value', attrs)} ${attributes({ value }).toString()}`, after, isTyped }
}

function option(attrs: string, selected: string): string {
  const isSelected = valueIn(attrs, 'value') === selected
  return `<option${without('selected', attrs)}${isSelected ? ' selected' : ''}>`
}

/** Set by the page itself. */
const KEPT: ReadonlySet<string> = new Set([FORM_TOKEN, FORM_KEY])

function isFilled(attrs: string): boolean {
  const name = nameIn(attrs)
  return name !== '' && valueIn(attrs, 'type') !== 'file' && !KEPT.has(name) && !isSecretField(name)
}

function addedField([name, value]: TypedField): Html {
  const field = { name, label: labelOf(name), value }
  return value.includes('\n') ? textArea(field) : textField(field)
}

/** `emails-1-value` becomes `Emails 1 value`. */
function labelOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The page opens with the form in view. */
function openDetails(markup: string, positions: readonly number[]): string {
  let opened = markup
  for (const at of positions.toReversed()) {
    const [tag = ''] = /^<details\b[^>]*>/.exec(opened.slice(at)) ?? []
    if (!/\sopen\b/.test(tag))
      opened = `${opened.slice(0, at)}<details open${opened.slice(at + '<details'.length)}`
  }
  return opened
}

function withoutAutofocus(markup: string): string {
  return markup.replaceAll(TAG, (tag) =>
    tag.includes(' autofocus') ? without('autofocus', tag) : tag,
  )
}

const TAG = /<[a-z]+\b[^<>]*>/g

function nameIn(attrs: string): string {
  return valueIn(attrs, 'name') ?? ''
}

/** The value of an attribute; undefined if it has none. */
function valueIn(attrs: string, attribute: keyof typeof VALUES): string | undefined {
  const value = VALUES[attribute].exec(attrs)?.[1]
  return value?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
}

const VALUES = {
  action: /\saction="([^"]*)"/,
  formaction: /\sformaction="([^"]*)"/,
  name: /\sname="([^"]*)"/,
  type: /\stype="([^"]*)"/,
  value: /\svalue="([^"]*)"/,
} as const

/** Without an attribute, with or without a value. */
function without(attribute: keyof typeof REMOVED, attrs: string): string {
  return attrs.replace(REMOVED[attribute], '')
}

const REMOVED = {
  autofocus: /\sautofocus(?:="")?(?=[\s/>]|$)/,
  checked: /\schecked(?:="")?(?=[\s/>]|$)/,
  selected: /\sselected(?:="")?(?=[\s/>]|$)/,
  value: /\svalue="[^"]*"/,
} as const
