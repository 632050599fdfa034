/**
 * Given names that look alike and are often those of two people who share an address: siblings, or a parent and a child. They
 * can also be one person's, so they are only a question.
 */

import { lazy } from '../base/lazy.ts'
import { givenNames, isGivenName } from './given-names.ts'
import { areSyllables } from './syllables.ts'
import type { PersonName } from './person-name.ts'

/**
 * Whether two normalized forms of one name are often names of two people: neither is short for the other (Ted and Ned, Diego and
 * Santiago), or each is a name of its own (Hans and Hannes, Simone and Simona).
 */
export function areTwoForms(one: string, other: string): boolean {
  if (one === other) return false
  if (areTwoNames(one, other) || haveOtherEndings(one, other)) return true
  return (
    one.slice(0, SAME_START) !== other.slice(0, SAME_START) &&
    !isPair(shortForms(), one, other) &&
    !isFullForm(one, other) &&
    !isFullForm(other, one)
  )
}

/** Whether two normalized names that are spelled alike or forms of one name are names of their own: Luke and Luce, Nino and Nina. */
export function areTwoNames(one: string, other: string): boolean {
  return isPair(twoNames(), one, other)
}

/** Anna and Anne, Maria and Marie. */
function haveOtherEndings(one: string, other: string): boolean {
  return (
    one.length === other.length &&
    one.slice(0, -1) === other.slice(0, -1) &&
    one.endsWith('a') !== other.endsWith('a') &&
    /[aeo]$/.test(one) &&
    /[aeo]$/.test(other)
  )
}

/** Letters at the start of two forms that only differ in their ending, such as Kat and Katie. */
const SAME_START = 3

/** Whether the first word is the most common full form of the second. */
function isFullForm(full: string, short: string): boolean {
  const { groups, groupsOf } = givenNames()
  return groupsOf.get(short)?.some((group) => groups[group]?.[0] === full) === true
}

function isPair(pairs: ReadonlyMap<string, ReadonlySet<string>>, one: string, other: string) {
  return pairs.get(one)?.has(other) === true || pairs.get(other)?.has(one) === true
}

/** Full forms that are not the most common one of their name, and the short forms that begin otherwise. */
const shortForms = lazy(() =>
  pairsOf(`abraham bram, adelheid heidi, aleksander olek sasha sander, aleksandr sasha shura sanya, alexandr sasha shura,
  alexandre sacha, oleksandr sasha, aleksandra sasha ola shura sanya, oleksandra sasha lesya, aleksey lyosha alyosha,
  alessandro sandro, alessandra sandra, antonia toni, beatriz bia trixie, domenico mimmo nico, dolores lola, apolonia pola,
  athanasios thanasis thanos sakis, bartholomaeus mewes, cornelis kees cees, ekaterina katya katja, yekaterina katya katja,
  elisabeth lisa lise elsa else ilse liesel betty beth lies els, elisabetta betta lisa, elzbieta ela, emilia mila, evgeniy
  zhenya, evgeny zhenya, yevgeny zhenya, evgenia zhenya, yevgenia zhenya, ferenc feri, filippo pippo, francesco cesco ciccio,
  francesca cesca, francisco paco pancho chico kiko curro cisco, francisca paca paquita, friedrich fritz, georgios yorgos,
  guilherme gui, guillaume guille, guillermo memo, hendrik henk rik, hermann manni, ignacio nacho, jakob kuba, jakub kuba,
  jacobus kobus kobe, johann hans, johannes hans hannes, josef sepp jupp, joseph joe, kristina tina stina, christine tina
  stina, cristina tina, krzysztof krzysiek, laurentius lars, lorenzo enzo renzo, matthijs thijs, mathijs thijs, maria masha,
  mariya masha, marija masha, matthias hias, mathias hias, miguel mikel, mikhail misha, mykola kolya, nikolay kolya, nikolai
  kolya, nikolaus klaus claus, nikolas klaas, oleksiy lesha, pyotr petya, sebastian basti bastian, sebastien bastien,
  sebastiaan bas, stanislaw staszek, stefan istvan, tatiana tanya, tatyana tanya, teodoro teo, theodor fedya, theresia resi,
  vincenzo enzo cenzo, volodymyr vova, vasiliy vasya, wilhelm willi willy, wilhelmina mina minna, willem wim pim, giacomo
  jaco, giovanni gianni nanni vanni, ioannis giannis yannis yiannis, konstantinos kostas dinos ntinos, dimitrios mitsos jimmy,
  margarete grete gretel, margarethe grete gretchen, margareta greta, malgorzata gosia malgosia, magdalena lena leni, helena
  lena, yelena lena, elena lena, jekaterina katja`),
)

/** Forms or similar spellings of one name that are names of two people. */
const twoNames = lazy(() =>
  pairsOf(`amelia emilia emily, annabel bella, aria arya, anna anita annette anouk nina, carlo carlos, catherine karen karin
  kathleen, christina kirsten kerstin kristen, christine kirsten kerstin, claude klaus, eddie edie, elena ilona, elizabeth
  isabel helma, ella ellen, elly eli elli, emily emilia, essie jessie, george jurgen jerzy, gian gianna, gil gill, hannes jan,
  hans hannes jan, helen ilona, ives yves, james diego giacomo hamish jack santiago seamus tiago, jana joan, jane janet janne,
  janet jeanette, jill juliana, joan joanna, joey joy, johannes jan, karl karol, katharina karin karen kathleen, keef kev,
  lenny leni, lev lew, louis ludwig, luke luce, marc marcus, marcin marcel, marco marcos, marek marcus, margaret daisy megan,
  maria maja marika marion marisa maryam mia mieke miriam moira molly rosemary, marian mariana marianna, mark marcus, mary
  marika marisa molly polly, mati matty, michael michele mykola moshe, michel mitchell, michela michele, milla mila, nicholas
  colin nikita, nino nina, noel noll, paul pauli, peppe pepe, petra petri piet, phil phyl, simone simona, susan susanna,
  teresa tracy, tom toma, vinnie winnie, wilhelm helmut, wilhelmina helma wilma, wilma willemijn`),
)

/** The first word of each entry with the others. */
function pairsOf(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    text.split(',').map((entry) => {
      const [first = '', ...others] = entry.trim().split(/\s+/)
      return [first, new Set(others)]
    }),
  )
}

/**
 * Whether a name with all words of another one has more of a given name, so that the other one is a name of its own: Jean-Luc
 * and Luc, Anna Maria and Maria, Ji-hye and Ji. A second name that is only added (Christopher James and Christopher), or an initial
 * (W. Graham and Graham), makes no other name. `omitted` are the words of the long name that the short one lacks.
 */
export function isPartOfGivenName(long: PersonName, omitted: readonly string[]): boolean {
  const given = long.given.filter((word) => word.length > 1 && !MARKERS.has(word))
  const lacking = omitted.filter((word) => given.includes(word))
  const [first = ''] = given
  if (lacking.length === 0) return false
  if (lacking.includes(first) || long.isHyphenated || areSyllables(given)) return true
  return lacking.some(
    (word) => (COMPOUND_STARTS.has(first) && isGivenName(word)) || COMPOUND_ENDS.has(word),
  )
}

/** Thị and Văn, which say that a Vietnamese name is of a woman or a man. */
const MARKERS: ReadonlySet<string> = new Set(['thi', 'van'])

/** Names that often form one with the next: José Luis, Mary Ann, Mohammed Ali. */
const COMPOUND_STARTS: ReadonlySet<string> = new Set(
  `ana anna anne carlos eva gian hans jan jean joao jose juan karl lee luis marco maria marie mary miguel mohamed mohammad mohammed
  muhammad pedro pier rosa`.split(/\s+/),
)

/** The second parts of Indian names: Mohan Lal, Hari Das. */
const COMPOUND_ENDS: ReadonlySet<string> = new Set(
  'chand das dev jahan lal nath pal prasad ram'.split(' '),
)

/**
 * Whether two normalized words differ by a slip of the keyboard, which makes no other name: two letters swapped or one doubled,
 * one missing inside a long word, or another spelling in Latin letters. Other typos are names of siblings, too: Mara and Maria,
 * Rohit and Mohit, Yoshio and Yoshiko.
 */
export function isSlip(one: string, other: string): boolean {
  if (romanized(one) === romanized(other)) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (short.length === long.length)
    return (
      short[at] === long[at + 1] &&
      short[at + 1] === long[at] &&
      short.slice(at + 2) === long.slice(at + 2)
    )
  if (short.slice(at) !== long.slice(at + 1)) return false
  return long[at] === long[at - 1] || (short.length >= LONG_NAME && at < long.length - ENDING)
}

/** Letters. The last ones often make another name. */
const [LONG_NAME, ENDING] = [7, 2]

/** Yudhi and Yudi, Joko and Djoko, Krishnamurthy and Krishnamoorthy, Noura and Nora, Khadija and Khadijah. */
function romanized(word: string): string {
  return word
    .replace(/dj/g, 'j')
    .replace(/tj/g, 'c')
    .replace(/oo|oe/g, 'u')
    .replace(/ou/g, 'o')
    .replace(/ee/g, 'i')
    .replace(/(?<=[bdgkpt])h|h$/g, '')
}
