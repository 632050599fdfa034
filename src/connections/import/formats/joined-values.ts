// The values that Google joins in one cell.

export function several(text: string): readonly string[] {
  return text.includes(':::')
    ? text.split(':::').map((one) => one.trim())
    : text === ''
      ? []
      : [text]
}

export function first(text: string): string {
  return (
    several(text)
      .map((one) => one.trim())
      .find((one) => one !== '') ?? ''
  )
}
