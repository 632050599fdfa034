/** The JSON of a tool's result. Lists whose JSON is known from measuring are not serialized again. */

const JSON_TEXT = Symbol('JSON')

interface WithJson {
  readonly [JSON_TEXT]?: string
}

/** Remembers the JSON of a list, which must not change afterwards. */
export function keepJson(list: readonly unknown[], json: string): void {
  // Not enumerable, so that the list is equal to others with the same entries.
  Object.defineProperty(list, JSON_TEXT, { value: json })
}

/** The same text as `JSON.stringify`. */
export function resultJson(result: object): string {
  const fields = Object.entries(result)
  if (!fields.some(([, value]) => jsonOf(value) !== undefined)) return JSON.stringify(result)
  const texts = fields.flatMap(([name, value]) => {
    const json = jsonOf(value) ?? JSON.stringify(value)
    return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]
  })
  return `{${texts.join(',')}}`
}

function jsonOf(value: unknown): string | undefined {
  return Array.isArray(value) ? (value as WithJson)[JSON_TEXT] : undefined
}
