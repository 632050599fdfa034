/** Chooses a tool and its arguments by the words of names and descriptions, like a reader of `tools/list`. */

/** A tool as `tools/list` describes it. */
export interface OfferedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
}

export interface ObjectSchema {
  readonly type: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, PropertySchema>>
}

export interface PropertySchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: PropertySchema & ObjectSchema
}

/** English synonyms. Contains no names of tools or arguments. */
const SYNONYMS: Readonly<Record<string, string>> = {
  person: 'connection',
  people: 'connection',
  contact: 'connection',
  everything: 'all',
  detail: 'all',
  label: 'tag',
  job: 'title',
  role: 'title',
  employer: 'company',
  city: 'location',
  empty: 'clear',
  many: 'several',
  search: 'find',
}

const STOP_WORDS = new Set(
  'a an and are as at be but by can for from full has have her him his how i in is it its me my no not of on one or own so than that the their them this those to was which who with you your'.split(
    ' ',
  ),
)

/** The words of a text in a common form: lower case, without endings, synonyms as one word. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemOf(SYNONYMS[word] ?? SYNONYMS[stemOf(word)] ?? word))
}

function stemOf(word: string): string {
  return word.length <= 3 ? word : word.replace(/(?:ies|es|s|ing|ed)$/u, '').replace(/e$/u, '')
}

/** The weight of a word in this part of a description. */
const NAME_WEIGHT = 3
const TITLE_WEIGHT = 2
const PURPOSE_WEIGHT = 1.5
const REST_WEIGHT = 0.5

/** A value that the tool has no argument for, or a required argument that the request has no value for. */
const MISFIT = 3

export interface Need {
  readonly goal: string
  readonly given: Readonly<Record<string, unknown>>
  /** Whether the request names someone or something to look for. */
  readonly hasSubject: boolean
}

/** The tools, most likely first. */
export function rankTools(tools: readonly OfferedTool[], need: Need): OfferedTool[] {
  const rarity = rarityOf(tools)
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, need, rarity) }))
  return scored.toSorted((a, b) => b.score - a.score).map(({ tool }) => tool)
}

/** Words that few tools use weigh more. */
function rarityOf(tools: readonly OfferedTool[]): (word: string) => number {
  const used = new Map<string, number>()
  for (const tool of tools)
    for (const word of new Set(wordsOf(textOf(tool)))) used.set(word, (used.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + tools.length / (used.get(word) ?? tools.length))
}

function scoreOf(tool: OfferedTool, need: Need, rarity: (word: string) => number): number {
  const [purpose = '', ...rest] = tool.description.split(/(?<=\.)\s/u)
  const parts: readonly (readonly [number, Set<string>])[] = [
    [NAME_WEIGHT, new Set(wordsOf(tool.name))],
    [TITLE_WEIGHT, new Set(wordsOf(tool.title))],
    [PURPOSE_WEIGHT, new Set(wordsOf(purpose))],
    [REST_WEIGHT, new Set(wordsOf(rest.join(' ')))],
  ]
  const goal = new Set(wordsOf(need.goal))
  let score = 0
  for (const word of goal)
    score +=
      rarity(word) * Math.max(0, ...parts.map(([weight, words]) => (words.has(word) ? weight : 0)))
  // A tool whose name has additional words is about something else.
  const name = wordsOf(tool.name)
  score -= name.filter((word) => !goal.has(word)).length
  return score - MISFIT * misfitsOf(tool, need)
}

function misfitsOf(tool: OfferedTool, need: Need): number {
  const { inputSchema } = tool
  const keys = Object.keys(need.given)
  const named = keys.map((key) => argumentNamed(inputSchema, key, textOf(tool)))
  const missing = (inputSchema.required ?? []).filter((name) => {
    const property = inputSchema.properties?.[name]
    if (property === undefined || isIdArgument(name, property) || named.includes(name)) return false
    // The words of a search for a person; a filter without words is a search too.
    return (
      !(need.hasSubject && property.type === 'string') &&
      !/can be empty/u.test(property.description ?? '')
    )
  })
  return named.filter((name) => name === null).length + missing.length
}

/** All that a tool says about itself. */
export function textOf({ name, title, description }: OfferedTool): string {
  return `${name} ${title} ${description}`
}

/**
 * The argument that a value belongs to, by its name and description; null if none fits. An argument without a
 * description is what its name says in the context of `parentText`: `add` of a tool that tags is the tags to add.
 */
export function argumentNamed(
  { properties = {} }: ObjectSchema,
  key: string,
  parentText: string,
): string | null {
  const wanted = wordsOf(key)
  let best: { name: string; score: number } | null = null
  for (const [name, property] of Object.entries(properties)) {
    const inName = new Set(wordsOf(name))
    // The text of the parent is about all its arguments, so it says nothing without a word of the name.
    const isNamed = wanted.some((word) => inName.has(word))
    const inDescription = new Set(wordsOf(property.description ?? (isNamed ? parentText : '')))
    const hits = wanted.map((word) => (inName.has(word) ? 1 : inDescription.has(word) ? 0.8 : 0))
    const extra = [...inName].filter((word) => !wanted.includes(word)).length
    const score = hits.reduce((sum: number, hit) => sum + hit, 0) / wanted.length - extra * 0.1
    if (score >= 0.6 && score > (best?.score ?? 0)) best = { name, score }
  }
  return best?.name ?? null
}

/** Where the IDs of an argument come from, as its description says. */
export interface IdSource {
  /** The letter before the underscore, `c` of `c_12`; undefined if the description does not say. */
  readonly prefix: string | undefined
  /** The tool that gives them. */
  readonly tool: string | undefined
}

export function isIdArgument(name: string, property: PropertySchema): boolean {
  return /(?:^|_)ids?$/u.test(name) && property.enum === undefined
}

export function idSourceOf({ description = '' }: PropertySchema): IdSource {
  return {
    prefix: /\b([a-z])_… ID/u.exec(description)?.[1],
    tool: /\bfrom ([a-z_]+_[a-z_]+|search)\b/u.exec(description)?.[1],
  }
}
