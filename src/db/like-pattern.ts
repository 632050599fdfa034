/** A pattern for LIKE with `escape '\'` that finds a text anywhere; its own wildcards mean themselves. */
export function patternContaining(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
