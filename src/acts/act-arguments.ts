/** The arguments of acts: options of a command, and fields of a form. */

/** How the text of a field is read. */
interface Reading<T> {
  /** Undefined if the text is not valid. */
  read(text: string): T | undefined
  /** Says what is valid. */
  readonly rule: string
}

export interface Field<T = unknown> {
  /** `secret` is asked for, or read from standard input. */
  readonly kind: 'argument' | 'option' | 'flag' | 'several' | 'secret'
  readonly isRequired: boolean
  /** What the help calls the value. */
  readonly value: string
  readonly text: string
  readonly reading?: Reading<unknown>
  readonly choices?: readonly string[]
  readonly standard?: unknown
  /** The type of its value. */
  readonly type?: T
}

/** By the name in camel case: `readOnly` is `--read-only`. */
export type Fields = Readonly<Record<string, Field>>

export type Values<F> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never
}

/** An argument without a name. */
export function argument<T = string>(value: string, text = '', reading?: Reading<T>): Field<T> {
  return { kind: 'argument', isRequired: true, value, text, ...(reading && { reading }) }
}

/** An option that is required. */
export function requiredOption<T = string>(
  value: string,
  text = '',
  reading?: Reading<T>,
): Field<T> {
  return { kind: 'option', isRequired: true, value, text, ...(reading && { reading }) }
}

/** An option that can be left out. */
export function option<T = string>(
  value: string,
  text = '',
  reading?: Reading<T>,
): Field<T | undefined> {
  return { kind: 'option', isRequired: false, value, text, ...(reading && { reading }) }
}

/** An option with a default. */
export function optionOr<T>(
  value: string,
  text: string,
  standard: T,
  reading: Reading<T>,
): Field<T> {
  return { kind: 'option', isRequired: false, value, text, standard, reading }
}

/** One of several texts. */
export function choice<T extends string>(
  value: string,
  text: string,
  choices: readonly T[],
): Field<T | undefined> {
  return { kind: 'option', isRequired: false, value, text, choices }
}

/** An option without a value. */
export function flag(text: string): Field<true | undefined> {
  return { kind: 'flag', isRequired: false, value: '', text }
}

/** An option with one or more values. */
export function listOption(value: string, text: string): Field<readonly string[] | undefined> {
  return { kind: 'several', isRequired: false, value, text }
}

/** A secret that no command line shows. `question` is what a prompt asks. */
export function secret(question: string): Field<string> {
  return { kind: 'secret', isRequired: true, value: '', text: question }
}

/** The ID of something that `command` lists. */
export function listedId(command: string): Field<number> {
  return argument(
    'id',
    `from \`${command}\``,
    wholeNumber(999_999_999, `Use an ID of \`${command}\`.`),
  )
}

/** Whole numbers from 1 to `max`. */
export function wholeNumber(
  max = Number.MAX_SAFE_INTEGER,
  rule = 'Use a whole number, 1 or more.',
): Reading<number> {
  return {
    rule,
    read: (text) =>
      /^[1-9]\d{0,15}$/.test(text) && Number(text) <= max ? Number(text) : undefined,
  }
}
