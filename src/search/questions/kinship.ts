/**
 * Relatives: `Alfie's dad` is the person whose son or child is Alfie, and `Anna's spouse` the person whose husband or wife
 * is Anna, or Anna herself, whose record names her husband.
 */

import { normalize } from '../../base/tokenize.ts'

/** In a dozen languages; and who introduced people to each other. */
const RELATIVES = {
  spouse: `married verheiratet marie mariee casado casada sposato sposata getrouwd husband wife spouse partner hubby fiance fiancee girlfriend boyfriend ehemann ehefrau mann frau verlobter
    verlobte freund freundin mari femme epoux epouse conjoint conjointe marido mujer esposo esposa pareja marito moglie
    esposo mulher echtgenoot echtgenote man vrouw make maka ektemann kone maz zona manzel manzelka es karisi kocasi`,
  parent: `father mother dad daddy mum mummy mom parent parents papa vater mutter mama eltern pere mere padre madre pai mae
    genitore vader moeder far mor pappa mamma ojciec matka tata otec mati otets anne baba`,
  child: `child children son daughter kid kids kind kinder sohn tochter fils fille enfant enfants hijo hija figlio figlia
    filho filha zoon dochter barn son dotter syn corka dziecko dcera dite doch ogul kiz cocuk`,
  sibling: `brother sister sibling siblings bro sis bruder schwester geschwister frere soeur hermano hermana fratello
    sorella irmao irma broer zus bror syster soster brat siostra sestra kardes`,
  grandparent: `grandmother grandfather grandma grandpa granny grandparent oma opa grossmutter grossvater abuela abuelo avo
    nonna nonno mormor farmor morfar farfar babcia dziadek`,
  grandchild: `grandson granddaughter grandchild grandchildren enkel enkelin nieto nieta nipote wnuk wnuczka`,
  aunt: `aunt uncle auntie tante onkel oncle tio tia zia zio oom moster faster farbror morbror ciotka wujek teta stryc`,
  nephew: `nephew niece neffe nichte neveu niece sobrino sobrina sobrinho sobrinha neef nicht siostrzeniec bratanek synovec`,
  introduction: `introduce introduced introducing vorgestellt presente presentee presento presentado apresentou presentato
    voorgesteld przedstawil przedstawila predstavil predstavila`,
  cousin: `cousin cousine vetter kusine primo prima cugino cugina neef kusin kuzyn kuzynka bratranec sestrenice`,
} as const

type Kinship = keyof typeof RELATIVES

const INVERSE: Readonly<Record<Kinship, Kinship>> = {
  spouse: 'spouse',
  parent: 'child',
  child: 'parent',
  sibling: 'sibling',
  grandparent: 'grandchild',
  grandchild: 'grandparent',
  aunt: 'nephew',
  nephew: 'aunt',
  cousin: 'cousin',
  introduction: 'introduction',
}

const KINSHIPS: ReadonlyMap<string, Kinship> = new Map(
  Object.entries(RELATIVES).flatMap(([kinship, words]) =>
    words.split(/\s+/).map((word) => [word, kinship as Kinship] as const),
  ),
)

/** Never the start of a token, so these terms match no typed word. */
export const KIN_PREFIX = '^kin/'

/** The term that finds people who are or have such a relative; undefined for other words. `word` is normalized. */
export function kinTerm(word: string): string | undefined {
  const kinship = KINSHIPS.get(word)
  return kinship && `${KIN_PREFIX}${kinship}`
}

/** The terms to index of the relatives that a note names. */
export function kinTermsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) =>
    word.length < MIN_KIN_WORD && !SHORT_WORDS.has(word) ? [] : (kinTerm(word) ?? []),
  )
}

/** Most shorter ones are other words in other languages: `es`, `man`, `far`. */
const MIN_KIN_WORD = 4
const SHORT_WORDS: ReadonlySet<string> = new Set(
  'dad mum mom pai mae oma opa avo tio tia zio zia'.split(' '),
)

/** The terms to index of what a person calls a relative: the relative, and what the person is to the relative. */
export function kinTermsOf(relation: string): readonly string[] {
  const kinship = KINSHIPS.get(normalize(relation).trim())
  return kinship
    ? [...new Set([kinship, INVERSE[kinship]])].map((one) => `${KIN_PREFIX}${one}`)
    : []
}
