/**
 * Syllables of Chinese and Korean names in Latin letters. European spellings of one name often differ as they do (Julia, Yulia;
 * Carl, Karl), but Jing and Ying, or Zhou and Zhu, are two names.
 */

import { lazy } from '../base/lazy.ts'
import { remembering } from '../base/remembering.ts'

/** Initials, and the finals that follow them, in pinyin. */
const PINYIN = `
  b:a,ai,an,ang,ao,ei,en,eng,i,ian,iao,ie,in,ing,o,u p:a,ai,an,ang,ao,ei,en,eng,i,ian,iao,ie,in,ing,o,ou,u
  m:a,ai,an,ang,ao,e,ei,en,eng,i,ian,iao,ie,in,ing,iu,o,ou,u f:a,an,ang,ei,en,eng,o,ou,u
  d:a,ai,an,ang,ao,e,ei,eng,i,ian,iao,ie,ing,iu,ong,ou,u,uan,ui,un,uo t:a,ai,an,ang,ao,e,eng,i,ian,iao,ie,ing,ong,ou,u,uan,ui,un,uo
  n:a,ai,an,ang,ao,e,ei,en,eng,i,ian,iang,iao,ie,in,ing,iu,ong,u,uan,uo l:a,ai,an,ang,ao,e,ei,eng,i,ian,iang,iao,ie,in,ing,iu,ong,ou,u,uan,un,uo
  g:a,ai,an,ang,ao,e,ei,en,eng,ong,ou,u,ua,uai,uan,uang,ui,un,uo k:a,ai,an,ang,ao,e,en,eng,ong,ou,u,ua,uai,uan,uang,ui,un,uo
  h:a,ai,an,ang,ao,e,ei,en,eng,ong,ou,u,ua,uai,uan,uang,ui,un,uo j:i,ia,ian,iang,iao,ie,in,ing,iong,iu,u,uan,ue,un
  q:i,ia,ian,iang,iao,ie,in,ing,iong,iu,u,uan,ue,un x:i,ia,ian,iang,iao,ie,in,ing,iong,iu,u,uan,ue,un
  zh:a,ai,an,ang,ao,e,en,eng,i,ong,ou,u,ua,uai,uan,uang,ui,un,uo ch:a,ai,an,ang,ao,e,en,eng,i,ong,ou,u,uai,uan,uang,ui,un,uo
  sh:a,ai,an,ang,ao,e,ei,en,eng,i,ou,u,ua,uai,uan,uang,ui,un,uo r:an,ang,ao,e,en,eng,i,ong,ou,u,uan,ui,un,uo
  z:a,ai,an,ang,ao,e,ei,en,eng,i,ong,ou,u,uan,ui,un,uo c:a,ai,an,ang,ao,e,en,eng,i,ong,ou,u,uan,ui,un,uo
  s:a,ai,an,ang,ao,e,en,eng,i,ong,ou,u,uan,ui,un,uo y:a,an,ang,ao,e,i,in,ing,ong,ou,u,uan,ue,un w:a,ai,an,ang,ei,en,eng,o,u`

/** Korean syllables that pinyin lacks, in the spellings of passports. */
const KOREAN = `
  bae baek beom byeong byung chae cheol cheon cho choe choi chul dae deok doo duk eun geon geun gi gyeong gyu gyung hae hee
  heon ho hoon hwan hye hyeok hyeon hyeong hyo hyuk hyun hyung jae jeon jeong jong joo joon jung ki ko koo kyu kyeong kyung
  kyun kwon kwang mi min moon myeong myung nam noh oh ok rae rin seo seok seon seong seul seung sik soo sook soon suk sung tae
  wook won woo yeol yeon yeong yong yoo yoon young yul`

/** Cantonese syllables that pinyin lacks, in the spellings of Hong Kong. */
const CANTONESE = `
  ching fai hing hoi hung ka kam kei keung kin kit kuen kwan kwok lam leung lok mui pak pui sau shing siu suet sum sze tak tat
  tin tsz wah wing yat yee yiu yuen yuk`

const syllables = lazy(
  () =>
    new Set([
      ...PINYIN.trim()
        .split(/\s+/)
        .flatMap((group) => {
          const [initial = '', finals = ''] = group.split(':')
          return finals.split(',').map((final) => initial + final)
        }),
      ...`${KOREAN} ${CANTONESE}`.trim().split(/\s+/),
      ...koreanFamilies().keys(),
    ]),
)

/** Spellings of one Korean family name. */
const KOREAN_FAMILIES = `lee yi rhee ri, cho jo, jung jeong chung, kang gang, park bak pak, choi choe, lim im rim, noh roh no ro,
  yoo yu ryu, jang chang, baek paik baik, kim gim, ko go koh`

const koreanFamilies = lazy(
  () =>
    new Map(
      KOREAN_FAMILIES.split(',').flatMap((group, at) =>
        group
          .trim()
          .split(/\s+/)
          .map((spelling) => [spelling, at] as const),
      ),
    ),
)

/** Whether two different normalized words can be spellings of one Korean family name: Lee and Yi. */
export function areSpellingsOfFamily(one: string, other: string): boolean {
  const family = koreanFamilies().get(one)
  return family !== undefined && family === koreanFamilies().get(other)
}

const MAX_SPLITS = 20_000

/** The two syllables of a normalized word, or the one that it is; empty if it is neither. */
const syllablesIn = remembering((word) => {
  const known = syllables()
  if (known.has(word)) return word
  for (let end = word.length - 1; end > 1; end -= 1)
    if (known.has(word.slice(0, end)) && known.has(word.slice(end)))
      return `${word.slice(0, end)} ${word.slice(end)}`
  return ''
}, MAX_SPLITS)

/** Whether all words consist of such syllables. */
export function areSyllables(words: readonly string[]): boolean {
  return words.every((word) => syllablesIn(word) !== '')
}

/** Whether two different normalized words are both one such syllable. */
export function areSingleSyllables(one: string, other: string): boolean {
  return isSingle(one) && isSingle(other)
}

function isSingle(word: string): boolean {
  return syllablesIn(word) === word
}

/** Whether two different normalized words of such syllables are spellings of one name: Joon and Jun, Luca and Luka. */
export function areSameSyllables(one: string, other: string): boolean {
  // Yeon and Yoon, of which both can be written Yun.
  if ((one.includes('oo') && other.includes('eo')) || (one.includes('eo') && other.includes('oo')))
    return false
  const key = isSingle(one) || isSingle(other) ? withPlainVowels : keyOfTwo
  return key(one) === key(other)
}

/** Hyeon and Hyun, or Hee and Hi, are one Korean syllable. */
function withPlainVowels(word: string): string {
  return word.replace(/young/g, 'yung').replace(/oo|eo/g, 'u').replace(/ee/g, 'i')
}

/** Names of other languages can have two of these syllables, too: Luca and Luka, or Hana and Hanna, are one name. */
function keyOfTwo(word: string): string {
  return withPlainVowels(word)
    .replace(/c(?!h)/g, 'k')
    .replace(/(.)\1+/g, '$1')
}
