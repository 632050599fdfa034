/** Names so common that a name and a company do not identify a person. */

import { lazy } from '../base/lazy.ts'
import { nameSpelling } from './transliterate.ts'
import type { PersonName } from './person-name.ts'

/** Whether both the given and the family name, in any spelling, are among the most common ones of a large country. */
export function isCommonName({ given, family }: PersonName): boolean {
  const { givenNames, familyNames } = commonNames()
  const isIn = (names: ReadonlySet<string>) => (word: string) => names.has(nameSpelling(word))
  return family.some(isIn(familyNames)) && given.some(isIn(givenNames))
}

const commonNames = lazy(() => ({
  givenNames: new Set(
    `wei fang na min jing lei yang yong jie tao ming chao xia ping gang wen yan li hui jun hao yu ting xin ying anh linh minh
    huong tuan thao dung hung duc phuong mohammed muhammad mohamed ahmed ali fatima aisha maria jose juan antonio carlos
    luis ana carmen john james robert michael david william mary jennifer peter paul thomas rahul amit priya rajesh sanjay
    suresh sunita anjali deepak ivan anna elena sergey alexander aleksandr andrey olga natalia tatiana ekaterina dmitry maria joao min-jun jihoon seojun minseo`
      .trim()
      .split(/\s+/)
      .map(nameSpelling),
  ),
  familyNames: new Set(
    `wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin nguyen tran le pham hoang phan kim lee park
    choi jung kang khan ali ahmed hussain mohamed singh kumar sharma patel gupta das garcia rodriguez gonzalez fernandez
    lopez martinez sanchez perez hernandez silva santos oliveira souza pereira smith jones williams brown johnson miller
    davis wilson taylor muller schmidt schneider fischer rossi russo ferrari ivanov ivanova petrov petrova smirnov
    smirnova kuznetsov kuznetsova popov popova yilmaz kaya demir`
      .trim()
      .split(/\s+/)
      .map(nameSpelling),
  ),
}))
