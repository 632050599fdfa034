/**
 * Other forms of a word: `invested` and `investor` for `investing`, `Verträge` for `Vertrag`. Two words are forms of each
 * other if they consist of one stem and two endings of the same paradigm. The paradigms are the regular inflections of a
 * dozen languages and their most frequent derivations, so a word of an unknown language is read as a word of each. Nothing
 * is known about names: callers decide in which fields forms count.
 */

import { memoize } from '../../base/memoize.ts'

/** Words that begin with one of these stems and end with one of its endings. All are normalized. */
export interface StemForms {
  readonly stem: string
  readonly endings: ReadonlySet<string>
}

interface Paradigm {
  readonly endings: ReadonlySet<string>
  /** Letters of a stem. */
  readonly minStem: number
  /** Stems that have these endings; any by default. */
  readonly stem?: RegExp
}

/** `-` is the stem itself, and `=` at the start of an ending repeats its last letter: `planned`. */
function paradigm(minStem: number, endings: string, stem?: RegExp): Paradigm {
  const list = endings.split(' ').map((ending) => (ending === '-' ? '' : ending))
  return { minStem, endings: new Set(list), ...(stem && { stem }) }
}

const PARADIGMS: readonly Paradigm[] = [
  // English
  paradigm(4, '- s ed ing ings er ers or ors ment ments al als'),
  paradigm(4, '- es ed ing er ers', /(?:[sxz]|[cs]h)$/),
  paradigm(3, '- s es ed ing', /(?:[wxy]|[^aeiouy]{2})$/),
  paradigm(3, '- s =ed =ing =er =ers', /[^aeiou][aeiou][^aeiouwxyh]$/),
  paradigm(3, 'e es ed ing er ers', /[^e]$/),
  paradigm(4, 'e es ed ing er ers or ors ion ions al als ement ements ation ations', /[^e]$/),
  paradigm(3, 'y ies ied ying ier iers'),
  paradigm(4, 'y ies ied ying ication ications'),
  paradigm(4, 'ish ishes ished ishing isher ishers ication ications'),
  paradigm(4, 'ce ces se ses sed sing ser sers sor sors'),
  paradigm(6, '- s ed ing t ts'),
  // German; Dutch
  paradigm(4, '- e en er ern em n s st t te ten end ung ungen in innen', /[^aeiou]$/),
  paradigm(4, 'e et ete eten er ung ungen en', /(?:[dt]|[bcdfgkpst][mn])$/),
  paradigm(4, 'ieren iert iere ierte ierten ierung ition itionen ation ationen or oren'),
  paradigm(4, '- en s t te ten de den d er ers ing ingen', /[^aeiou]$/),
  // French
  paradigm(4, '- s e es x'),
  paradigm(4, 'e er es ee ees ent ons ez ait ant ement ements ation ations ateur ateurs eur eurs'),
  paradigm(4, 'ir i is it ie ies issent issons issait issant'),
  paradigm(4, '- re s ent ez ons u ue us ues ant eur eurs', /[^aeiou]$/),
  paradigm(3, 'al aux ale ales'),
  // Spanish; Portuguese; Italian
  paradigm(4, 'o a os as oes ao aos', /[^aeiou]$/),
  paradigm(4, '- s es', /[^s]$/),
  paradigm(4, 'ar o a as an amos ando ado ada ados adas aba e en acion aciones ador adora adores'),
  paradigm(4, 'er ir o e es en emos imos iendo ido ida idos idas io ia'),
  paradigm(4, 'ar o a as am amos ando ado ada ados adas ava e em ou aram acao acoes ador'),
  paradigm(4, 'er ir o e em emos endo ido ida eu iu'),
  paradigm(4, 'm ns'),
  paradigm(4, 'o a i e', /[^aeiou]$/),
  paradigm(4, 'are o a i ano iamo ate ando ato ata ati ava azione azioni atore atori'),
  paradigm(4, 'ere ire o e i ono endo ito ita iti uto uta izione izioni itore itori'),
  // Swedish, Danish, Norwegian
  paradigm(4, '- a ar ade at er en s erna arna e ene ning ninger ningar', /[^aeiou]$/),
  // Polish, Czech; Russian, Ukrainian in Latin letters
  paradigm(4, '- a y i u e o om ow em ami ach ah am ov', /[^aeiouy]$/),
  paradigm(4, 'ac a am asz aja aj al ala ali anie ania at aet ayut ayu it il ila ili ic i'),
  // Turkish
  paradigm(4, '- lar ler lari leri i u in un da de dan den'),
]

/** Forms that no ending explains. */
const IRREGULAR = new Map(
  `begin began begun|bring brought|build built|buy bought|choose chose chosen|draw drew drawn|drive drove driven|fall fell
   fallen|find found|fly flew flown|give gave given|grow grew grown|hold held|keep kept|know knew known|lead led|leave
   left|lend lent|lose lost|make made|mean meant|meet met|pay paid|person people|ride rode ridden|rise rose risen|run
   ran|sell sold|send sent|show shown|sing sang sung|sleep slept|speak spoke spoken|spend spent|swim swam swum|take took
   taken|teach taught|tell told|think thought|win won|wear wore worn|write wrote written|child children|wife wives|life
   lives|mouse mice|foot feet|tooth teeth|woman women|man men`
    .split('|')
    .map((line) => line.trim().split(/\s+/))
    .flatMap((forms) => forms.map((form) => [form, forms] as const)),
)

/** Letters of the shortest word that has forms. */
const MIN_WORD_LENGTH = 4

/** Empty for short words and numbers. `word` is normalized, in Latin letters. */
export const formsOf = memoize((word): readonly StemForms[] => {
  if (word.length < MIN_WORD_LENGTH || !/^[a-z]+$/.test(word)) return []
  const stems = new Map<string, Set<string>>()
  const add = (stem: string, endings: Iterable<string>) => {
    const all = stems.get(stem) ?? new Set()
    for (const ending of endings) all.add(ending)
    stems.set(stem, all)
  }
  for (const base of [word, ...withoutParticiple(word)]) addRegular(base, add)
  const forms = [...stems].map(([stem, endings]) => ({ stem, endings }))
  return [...forms, ...irregularForms(word, forms)]
})

/** Forms of an irregular verb. For `taught` and `teaching`: `teach`, `taught` and the regular forms of `teach`. */
function irregularForms(word: string, forms: readonly StemForms[]): readonly StemForms[] {
  const [, verb] = [...IRREGULAR].find(([form]) => form === word || isFormOf(forms, form)) ?? []
  if (!verb) return []
  const [base = '', ...others] = verb
  const regular = base.endsWith('e') ? ['', 's'] : ['', 's', 'ing', 'er', 'ers']
  return [
    { stem: base, endings: new Set(regular) },
    ...(base.endsWith('e') ? [{ stem: base.slice(0, -1), endings: new Set(['ing', 'er']) }] : []),
    ...others.map((stem) => ({ stem, endings: new Set(['']) })),
  ]
}

type AddForms = (stem: string, endings: Iterable<string>) => void

function addRegular(word: string, add: AddForms): void {
  for (const { endings, minStem, stem: pattern } of PARADIGMS)
    for (const ending of endings) {
      const stem = stemBefore(word, ending)
      if (stem === undefined || stem.length < minStem || pattern?.test(stem) === false) continue
      add(
        stem,
        [...endings].map((other) => spelledAfter(stem, other)),
      )
      if (endings.has('ten') && VERB_ENDINGS.has(ending)) addParticiples(stem, add)
    }
}

/** Undefined if the word does not have this ending. */
function stemBefore(word: string, ending: string): string | undefined {
  if (!ending.startsWith('='))
    return word.endsWith(ending) ? word.slice(0, word.length - ending.length) : undefined
  const stem = word.slice(0, -ending.length)
  return word === stem + spelledAfter(stem, ending) ? stem : undefined
}

function spelledAfter(stem: string, ending: string): string {
  return ending.startsWith('=') ? `${stem.at(-1) ?? ''}${ending.slice(1)}` : ending
}

/** First parts of German and Dutch verbs that `ge` follows in participles. */
const SEPARABLE =
  'ab|an|auf|aus|ein|her|hin|mit|nach|um|vor|weg|zu|zuruck|zusammen|aan|af|in|op|uit|voor'
// regex-ok: one run of letters at the start
const SEPARABLE_PARTICIPLE = new RegExp(`^((?:${SEPARABLE})?)ge([a-z]{3,}(?:t|en|d))$`)
const SEPARABLE_STEM = new RegExp(`^(${SEPARABLE})([a-z]{3,})$`)

/** `gedeckt` is read as `deckt`, `eingeholt` as `einholt`. */
function withoutParticiple(word: string): string[] {
  const [, part, rest] = SEPARABLE_PARTICIPLE.exec(word) ?? []
  return rest === undefined ? [] : [`${part ?? ''}${rest}`]
}

/** Endings of words that may be verbs with a participle. */
const VERB_ENDINGS: ReadonlySet<string> = new Set('en n e t st te ten ung ungen'.split(' '))
const PARTICIPLE_ENDINGS = ['t', 'et', 'en', 'd']

function addParticiples(stem: string, add: AddForms): void {
  add(`ge${stem}`, PARTICIPLE_ENDINGS)
  const [, part, rest] = SEPARABLE_STEM.exec(stem) ?? []
  if (rest !== undefined) add(`${part ?? ''}ge${rest}`, PARTICIPLE_ENDINGS)
}

/** Whether a word is one of these forms. */
export function isFormOf(forms: readonly StemForms[], word: string): boolean {
  return forms.some(
    ({ stem, endings }) => word.startsWith(stem) && endings.has(word.slice(stem.length)),
  )
}

/** The shortest stems: every form begins with one of them. */
export function stemRootsOf(forms: readonly StemForms[]): readonly string[] {
  const stems = forms.map(({ stem }) => stem)
  return stems.filter((stem) => !stems.some((other) => other !== stem && stem.startsWith(other)))
}
