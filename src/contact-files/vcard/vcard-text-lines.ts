// Writes vCard text for formats that are read as the vCards that they stand for.

/** `parameters` are names with their values. `value` is escaped where it has to be. */
export function cardLine(
  name: string,
  parameters: readonly (readonly [name: string, values: readonly string[]])[],
  value: string,
): string {
  const written = parameters.map(
    ([parameter, values]) =>
      `;${parameter.replace(/[^\w-]/g, '')}="${values.map(parameterText).join(',')}"`,
  )
  return `${name}${written.join('')}:${value}`
}

/** RFC 6868. */
function parameterText(value: string): string {
  return value
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n|\r|\n/g, '^n')
}

/** A text value (RFC 6350 section 3.4). */
export function escapedText(value: string): string {
  return value.replace(/[\\,;]/g, (character) => `\\${character}`).replace(/\r\n|\r|\n/g, '\\n')
}

export function cardOfLines(lines: readonly string[]): string {
  return ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
}
