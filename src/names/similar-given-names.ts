/** Given names that differ in one or two letters and have no other forms: neither is a typo of the other. */

import { lazy } from '../base/lazy.ts'

const similarGivenNames = lazy(
  () =>
    new Set(
      `akhil anil kapil nikhil sahil sunil dinesh ganesh mahesh mukesh naresh rajesh rakesh ramesh suresh yogesh ashish girish
      harish jagdish manish satish ashok manoj pramod vinod anjali anjana archana kalpana sanjana vandana kavita lalita savita
      sunita leela sheela leena meena reena veena geeta neeta seeta asha disha isha nisha usha diya maya priya riya devi dewi
      akiko akira haruka haruki haruna haruto hiroko hiroshi hitoshi kiyoshi satoshi takashi takeshi kazuko kazuo keiko reiko
      emiko yumiko tomoko kenichi kenji kenta kento masaki masako masao naoki naoko naomi ryoko ryota shogo shota shoto
      yui yuka yuki yuko yumi aylin ayla aysel ayten emine emre erhan orhan osman serhan serkan
      amin amir karim rahim inna nina nika`
        .trim()
        .split(/\s+/),
    ),
)

/** Whether a normalized word is one of these names. */
export function isSimilarGivenName(word: string): boolean {
  return similarGivenNames().has(word)
}
