/** Given names of a man and a woman that look like two spellings of one name: spouses are often called so. */

import { lazy } from '../base/lazy.ts'

/** Normalized: the masculine form, then the feminine ones. */
const PAIRS = `aaron erin, adrian adriana adrienne, adrien adrienne, albert alberta, alejandro alejandra, aleksander
  aleksandra, aleksandr aleksandra, alessandro alessandra, alexander alexandra, alexandre alexandra, andre andree,
  andreas andrea, angel angela, angelo angela, antoine antoinette, anton antonia, antonio antonia, antony antonia,
  augustin augustine, bernard bernadette, bruno bruna, carl carla, carlo carla, carlos carla, celestin celestine,
  charles charlotte charlene, christian christiane christina christine, claude claudia claudine, claudio claudia,
  clement clementine, constantin constantine, cristian cristina, daniel danielle daniela daniella, daniele daniela
  daniella danielle, denis denise, dennis denise, dominic dominique dominica, dominik dominika dominique, emanuel
  emanuela emmanuelle, emanuele emanuela, emmanuel emmanuelle emmanuela manuela, eric erica, erik erika, eugene
  eugenie eugenia, evgeniy evgeniya evgenia, evgeny evgenia evgeniya, fabian fabienne, fabien fabienne, francis
  frances francine, francois francoise, fred frederique, frederic frederique, frederick frederica, gabriel
  gabriele gabrielle gabriela gabriella, gabriele gabriela gabriella gabrielle, georg georgia, george georgia georgina
  georgiana, georges georgette, giorgio giorgia, hasan hasna, henri henriette henrietta, henry henrietta harriet,
  ivan ivana, jacques jacqueline, jan jana, jean jeanne, joel joelle, jose josefa, josef josefa josefine, joseph
  josephine, ian jan, jules julie, julian juliana juliane julienne, julien julienne juliane juliana, julio julia, julius
  julia, justin justine, karl karla, karol karolina carol, kristian kristina kristine, laurent laurence, lewis louise,
  louis louise louisa, lucian luciana, lucien lucienne, luigi luigia, luis luisa, manuel manuela, marcel marcelle, marian marjan,
  mario maria, marius maria, martin martine martina, maxim maxine, michel michelle michele, nicholas nicola
  nicole, nicolas nicole, nikolaus nicola nicole, noel noelle, pascal pascale, patrice patricia, patrick patricia,
  paul paula paule pauline, philip philippa, philippe philippa, pierre pierrette, rene renee, robert roberta,
  robin robyn, roman romana, samuel samantha, simon simone simona, stefan stefanie stefania, stephan stephanie
  stefanie stefania, stephane stephanie, steven stephanie, theodor theodora, theodore theodora, toni tonia tonya,
  tony tonia tonya, valentin valentine valentina, valerio valeria, valeriy valeriya valeria, valery valeria
  valerie, victor victoria, viktor viktoria, vincent vincenza, wilhelm wilhelmina, yann yanna, yevgeny yevgenia
  yevgeniya, yves yvonne yvette, yvon yvonne`

/** Short forms of the names of men and of women. */
const UNISEX = new Set(
  `ale alex andi andie andy ange angie billie bobbie casey cass charley charlie charly chris christie christy
    clem connie cris dani danni dee del dom flo fran frances francis frankie fred freddie freddy gabby gabi
    gene georgie gerri gerry jackie jacky jamie jen jenya jerry jess jesse jessie jo jodie jody jude jules
    justy kay kim kit kris kriss lee les lesley leslie lou louie manny manu marti marty max maxi mel merle
    mickey micky mika mo nat nic nick nicki nickie nicky nico nicola nik niki nikki ollie pat patsy patty
    paulie pip reggie robin ronni ronnie ronny rudi sacha sam sammie sammy sandy sanya sascha sasha shura
    sidney sima slava stef steff stevie sydney teddy terri terry theo toni tony tori val vale valera valia
    valya vic vicky viv zhenya`.split(/\s+/),
)

const feminineForms = lazy((): ReadonlyMap<string, ReadonlySet<string>> => {
  const forms = new Map<string, ReadonlySet<string>>()
  for (const group of PAIRS.split(',')) {
    const [masculine = '', ...feminine] = group.trim().split(/\s+/)
    forms.set(masculine, new Set(feminine))
  }
  return forms
})

/** Whether two normalized given names are the masculine and the feminine form of one name: `rene` and `renee`. */
export function areFormsOfTwoGenders(one: string, other: string): boolean {
  const forms = feminineForms()
  return forms.get(one)?.has(other) === true || forms.get(other)?.has(one) === true
}

/** Whether a man and a woman can have these two normalized forms of one name: `chris` and `christine`. */
export function isUnisexShortForm(one: string, other: string): boolean {
  return one !== other && (UNISEX.has(one) || UNISEX.has(other))
}
