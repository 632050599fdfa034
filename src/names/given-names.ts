/**
 * Given names with their short forms, familiar forms and alternative spellings, in the languages of most address books.
 */

import { lazy, lazyInSteps } from '../base/lazy.ts'
import { nameSpelling } from './transliterate.ts'

/**
 * One group per name, separated by commas, all forms normalized; the first is the most common full form. A form of
 * several names is in several groups: `sasha` is short for both Alexander and Alexandra.
 */
const GROUPS = `
aaron aron ron ronnie, abigail abby abbie gail, abdullah abdulla abdallah, abraham abram abe avi bram, adalbert bert,
adelaide addie heidi, adrian adriaan ade, adriana adri, agnes agnieszka aga agnese nessie, ahmed ahmad ahmet,
albert al bert bertie alberto albrecht berto, aleksey alexey alexei aleksei alyosha lyosha alexej oleksiy oleksii lesha,
alejandro alex ale jandro, alejandra ale jandra, alessandro ale sandro alex, alessandra ale sandra,
alexander alex alec alek sasha xander sander sandy alexandre aleksandr aleksander alexandr oleksandr shura sanya
olek alexandros alekos iskander aleksandar sacha axel lex, alexandra alex sasha sandra alexa lexi lexie ola aleksandra
oleksandra alexandrine shura sanya sandy sacha ale, alfred alf fred alfie alfredo, alice alicia alisa ali, alison allison ali
allie, aloisius alois loisl louis, amanda mandy manda, amelia amelie millie emilia amy, ambrose ambrosius brosi,
anastasia nastya stacy nastia anastasiya anastasija stasia asya nastja, andrea andi drea, andreas andi andy anders dreas
andres, andrew andy drew andrei andrey andriy andrij andrzej andre andrejs andrej andres andreu andrii andrzejek jedrek
ondrej, andre dede, angela angie angelika angelica angeles, aniello nello, anita ani, anna anne ann annie anya ania anja
annette anita nan nancy ana anka anechka anouk anni aneta, annabel bella annabelle, anthony tony antony
anton toni antoine antonio tonio antoni antek tolya antonin ton, antonia toni tonia antonina antoinette, archibald archie,
arkadiusz arek, arnold arnie arno arnaud, artur arthur art artie arturo artem tyoma, augustine august gus augusto
agustin augustin guus, avraham avi avram, barbara barb babs barbie basia baerbel varya varvara barbora,
bartholomew bart bartek bartosz bartolome bartlomiej barto, beatrice bea trixie beatrix beatriz bia, benedict ben benedikt benoit
benito, benjamin ben benny benji benni benjamim binyamin, bernard bernie bernhard bernd bernardo ben berni barney, bernadette
bernie detta, bertram bert, bogdan bohdan, boguslaw bogdan bogus, boleslaw bolek, boris borya, bradley brad, brian bryan
brien, bridget bridgette brigitte birgit gitte brigida biddy, bronislaw bronek, bruno nuno, caleb cal, calvin cal, cameron cam,
camilla camille kamila millie milla camila, candace candy, carl karl charles karel carlo carlos kalle carel kalli, carlos carlitos charly,
carmen carmela carmelita, carol carole caroline carolina karolina lina carrie karoline karo caro lynn, carlotta lotte charlotte
lottie carlota charlie lotta charly, casimir kazimierz kazik, cassandra cass cassie sandra, catherine cathy kate katherine
kathryn katie kathleen kathy kat kitty cat kay katharina kathrin katja katya ekaterina yekaterina caterina catarina katarina
katarzyna kasia kaska catalina trina karin karen katrin katrina kateryna katerina rina kati kaja kath katharine catrin
katinka cath catharina trijntje tineke, cecilia cecile celia cilla cissy, cesar cesare, charles charlie chuck chas chaz charly,
chester chet, christian chris kris kristian krystian cristian christiaan kit hristijan, christina chris christine tina kristina kristin
kristen christa cristina chrissy chrissie krystyna krysia kirsten kirstin christiane stina kerstin tine, christopher chris
topher kit christoph kris christophe christoffel cristobal krzysztof krzysiek kristof kristoffer stoffel cristoforo toff, clara
claire klara clare chiara, clarence clancy, claude claudio claudius klaus klaudiusz, claudia klaudia claudie claudine, clement clem klemens
clemente clemens, clifford cliff, clifton cliff, clint clinton, concepcion concha conchita, conrad konrad con kurt konni,
constance connie constanze constanza costanza konstanze, constantine konstantin kostya costa constantin konstantinos konstadinos konstandinos kostas
ntinos dinos gus costas, cornelia connie nele corrie nelly, cornelis cees kees cor cornelius neil connie niels, craig craigie,
cynthia cindy cyndi, cyril kirill kyrill cyrille, dagmar dasa, damian damien damiano, daniel dan danny dani daniele daniil danylo danil
danilo, daniela dani daniella danielle danuta, daria darya dasha dasia, darren daz, david dave davy davide dawid davey taavi
dafydd dai dudi, dean deano, deborah deb debbie debra debora devorah, delores dolores lola dolly, denise denny, dennis denis denny den
denys dionisio, derek deke derrick dirk, desmond des, diana diane di dianne dayana, diego dieguito, dietrich dieter dirk, dieter didi,
dmitry dima dmitri dmitriy dmitrij dimitri dimitrios dmytro mitya dimitar dimitris dimas jimmy tzimis, dominic dom nick dominik dominique domingo domenico
mimmo nico, donald don donnie donny, donovan don, dorothy dot dottie dolly dora dorothea dorota thea doro dorothee dorte,
douglas doug, edgar ed eddie edgardo, edith edie edyta edita, edmund ed eddie ned ted edmond edmundo, eduard ed eddy edward eduardo eddie
edek edi edoardo edu duda dudu edouard, edward ed eddie ted ned teddy edek, edwin ed eddie win, eileen aileen, elaine elena laine,
eleanor ellie nell nora elly eleonora leonor lenore eleonore nelly eleanora, elena lena helena yelena olena helen alena ilona
lenka elene alyona lenochka helene, eliana lia, elias eli ilias ilya, elijah eli lige ilya eliasz, elisa elise lisa, elizabeth liz beth betty eliza
lizzie lisa elisabeth elsa betsy bess libby bettina elisabetta isabel lise else elspeth elzbieta ela yelizaveta liza elizaveta lisbeth
ilse liesel babette elisabet lilibet bettine lies elsbeth sissi elli, ella ellen elly, emil emilio emile, emily em emmy emilie millie emilia emi, emma em emmy ema, emmanuel manny manuel manu manolis emanuel emanuele manolo manoel immanuel, enrico rico, enrique quique kike
rico, eric erik rick ricky erich eryk eerik, erica erika ricky, ernest ernie ernst erno ernesto nesto, esperanza espe, esther ester
hester essie estera, eugene gene evgeny evgeniy yevgeny evgeni eugen eugenio zhenya yevhen genya evgenij eugeniusz, eugenia zhenya
evgenia yevgenia yevgeniya genia, eva eve evi ewa evita ieva yeva, evelyn eve evie evelina evelyne, ezekiel zeke, fabian fabien fabio, fabiola faby,
faith fay, fatima fatma fatimah, felicia fee feli felicity, felix lix feliks, ferdinand ferdi fernando nando fernand ferdl
fernao, filomena mena, fjodor fyodor fedor fedya feodor theodor, florence flo florrie florentine flor, florian flo flori, frances fran francie
franny fanny frankie francesca francisca franziska franzi cisca fran paca paquita chica franciszka sisca cesca francine francoise, francis
frank francisco francesco paco franz pancho chico francois frans franciszek ferenc frankie kiko cisco curro franek franco fran franta frantisek cesco ciccio, frank
frankie, franklin frank, frederick fred freddie freddy friedrich fritz frederik federico fredrik frederic fryderyk rick frederico freek
fiete rico, frederica freda frieda federica friederike rike, gabriel gabe gabi gabriele gavriil gaby, gabriela gabi gaby gabriella
gabrielle gabriele brielle ella, galina galya halina halyna, gareth gary gaz, gary garry gaz, gavin gav, gemma gem, gennady gena gennadiy, genevieve gen
jenny genoveva viv ginette veva, geoffrey geoff jeff jeffrey gottfried godfrey goffredo, george georg jorge jorg jurgen georgios yuri giorgio jerzy jurek jiri
georges georgie georgy giorgi zhora yuriy iurii joerg yrjo joris juri gyorgy yorgos jordi zorz gosha egor yegor, georgia georgina gina george georgie
georgine, gerald gerry jerry gerard gerhard gerd gerardo gert gero geraldo, geraldine gerry geri, gerard gerry geert gerardo gerrit, gertrude trudy gertrud gerti
trude traudl, gianluca luca gian, giovanni gianni nanni vanni gio, giovanna gianna vanna gio, giuseppe beppe peppe pino beppo peppino, giuseppina pina pinuccia, gilbert
gil bert gilberto gilles, gisela gisi, gizella giza, glenn glen, gloria glo, gonzalo gonza, gordon gordie, grace gracie gracia grazia grazyna graziella, gregory greg gregor
grzegorz grisha grigory grigoriy gregorio grzesiek gregoire goyo hryhoriy grigori gregg, guadalupe lupe lupita, guillermo memo guille willy, gunther guenter gunter gunnar
gunter, gustav gus gustavo gustaf gustave guus gustaw, gwendolyn gwen wendy, hannah hanna hana channa hanne, hans hannes hansi
johannes johann, harold harry hal harald, harriet hattie harri henriette, harrison harry, hector etor hektor ettore, hedwig hedi jadwiga jadzia, heinrich heinz
heiner hinrich heini henry hein henrik, heinz heinzi, helmut helmuth helli, henry hank harry hal henri hendrik henrik henryk enrique enrico henrique harrie rik
heikki heniek henk hen, henrietta etta hetty henriette jette henrike rike, herbert herb bert bertie herbie, herman hermann armando manni, hilary hil, howard howie, hubert
hugh huib bert hubertus, hugo hugh huey ugo, humberto beto umberto, ian iain, ignatius ignacio nacho ignacy ignaz ignazio inaki igna nazio, igor ihor, ilya ilja ilia, ilona ilka ilonka, ingeborg inge inga,
inmaculada inma, ioannis giannis yannis yiannis john janis, irene irena rena ira irina iryna irinka irka ireneusz irenka, isaac ike itzhak isak izaak
zac yitzhak, isabella bella isa izzy isabel isabelle izabela iza belle isabela isobel ysabel izabella, isidore isidro izzy isidor, israel izzy, ivan vanya ivo iwan vanja ivica, ivana vanja vania, ivy
ives, jacek jacus, jacinta jacinto, jacob jake jakob jakub jack kuba jacques jaap jim jaco jago yakov jascha iacopo jacopo yaakov jacobus kobe kobus kuba giacomo, jacqueline jackie jacqui
jackie, james jim jimmy jamie jem jaime jay giacomo jacques seamus hamish diego santiago tiago, jan janek hannes jasiu jas janusz, jane janie jayne jana janet jean janey jeanne jenny, janet jan jannet
jeanette netty, janice jan, janina nina janka, janusz janek, jaroslav jarda jaroslaw jarek yaroslav slava slavik, jason jay jase, jasmine jas yasmin jasmin jazz, javier xavier javi xavi, jean jeannie
jeanne, jennifer jen jenny jenn jenni jennie jenna, jeremiah jerry jeremy jeremias, jeremy jerry jem jeremie jez, jerome jerry jeronimo hieronymus gerome girolamo, jerzy jurek, jesse jess jessie, jessica jess
jessie jes, jesus chus chuy, jill gill gillian jillian jilly juliana, joachim jochen achim jo joaquin quim joakim gioacchino, joan joanie joanna johanna jo joanne johana joana asia joasia jeanne juana hanneke janneke jana, joao jonny joaozinho, joerg jorg, johannes johann hannes hans jo jan johan hansi, john jon jack johnny johnnie jonny jock,
jonathan jon john jonny johnny yonatan nathan yoni jonatan, jordan jordy judd, jose pepe jose joselito zeca ze chepe pepito josep, josefa pepa pepita, joseph joe joey josef jo jozef jos sepp beppe peppe josip yosef giuseppe youssef
yusuf jef osip josephus jupp beppi iosif, josephine jo josie josefine fifi josefina fina finchen jozefina jozefa josefa, joshua josh yehoshua josue, joyce joy, juan juanito juancho, juana juanita, judith judy judi jude judyta yehudit giuditta
jutta, julia julie jules yulia julka julija yuliya giulia julita yulya uliya, julian jules juliano julien giuliano iulian, juliana julie jill giuliana ana, julius jules julio giulio juliusz jule, jurgen joerg juergen, justin jus justyn
justinas, justina justyna justine tina, kamil camillo camille, karen kari karin caren, karol karl lolek, kasper caspar casper jasper kacper gaspar, katarzyna kasia kaska, kay kai, keith keef, kelly kel, kenneth ken kenny
kent, kevin kev, kimberly kim kimmy kimberley, klaus claus nikolaus klaas, konstanty kostek, kristina kris tina kristi, kurt curt, kyle ky, ladislav lada vladislav laszlo vladyslav wladyslaw, larissa lara larisa
lora, lars lasse lorenz, laszlo laci, laura laurie lori laure lora lauretta, lawrence larry laurence lars lorenzo laurent lorenz laurie lars renzo laurens lawrie wawrzyniec lovro lauri lourens loren vavrinec, leah lea lia, lee leigh, leila layla leyla, lennart lenny, leo lev leon leonid leonhard lyova lion, leonard leo len lenny leonardo leonhard leonardus lennart, leonid lyonya leo lenya, leopold leo poldi leopoldo, leroy roy, leslie les lesley, lester les, lewis
lew louis lou, liam lee, lidia lydia lida, lilian lily lil lillian liliana lili lilly liane liliane, linda lindy lin lynda, lorenzo enzo renzo, loretta lori etta, lorraine lori rainey lore, louis lou ludwig lewis luis luigi ludwik louie lodewijk luiz
ludovico ludovic lajos, louise lou lulu luisa luise lois ludwika lovisa luiza, lubomir lubo lubos luboslaw, lucas luke luca lukas lukasz luk lucian luc, lucia lucy lucie luz lucille lucilla lucja lusia luce lucyna, lucian lucien lucjan, ludmila lyudmila lyuda
luda mila ludmilla, luis lucho luisito, luiz lulu, lukas lu luk, lyubov lyuba luba, maciej maciek, magdalena magda lena maddie madeleine madeline magdalene madalena maggie leni madelon, malcolm mal malc, malgorzata gosia malgosia, manfred
fred manni fredi, manuel manu manolo manny, manuela manu manuella, marcel marcello marcin marcelo, marco marcos marc mark marcus markus marek marko, margaret maggie meg peggy marge margie greta margarita rita marguerite margarethe gretchen
margherita margareta margot gretel daisy madge grete margarida marjorie megan marga margit malgorzata gitta margret margriet griet margo gosia mags, maria mary marie mia mimi miriam marika maryam molly polly masha mariya marija maja mitzi mariechen maruja marisa moira maura
marya mari marichu maaike marijke ria rie mieke, mariana mari marian, marianne mari marian marianna janne, maribel mari, marilyn mari lyn, marina mari rina maryna, mario mariolino, marion marian, marjorie marge margie, marta martha
marti marfa patty, martin marty martijn marcin martino maarten marten tine martyn, martina tina marti martine, martin marty, mateusz mati, matilda tilly mattie matilde mathilde tilda mathilda thilde, matthew matt matty mateo matteo matthias mathieu mats
mattias mathias mateus matias matias matvey matej mateusz matthieu matze thijs teo matheus matthijs maciej mathis motya hias tewes, maureen mo, maurice maurizio moritz mauricio maury mauritz maurits moe mauro mo, maximilian max maxi maksymilian massimiliano maximiliano
maxim maksim, maxim max maksim maksym maxime massimo maximo, maxine max, meghan meg megan, melanie mel melania, melissa mel lissa missy, melvin mel, mercedes merche mercy, michael mike mick mickey micky mikhail misha michel michele miguel michal micha
mikael mihail mykhailo mikko mikkel michiel mihai michail miklos mischa mike miki mikey michi mik mihajlo mykola michalis moshe mishka, michaela micha micky michele michelle ela michela mihaela, michelle shelly
chelle mickie michele, mikolaj mikus, mildred millie, milan milos, millicent millie, milos milosz, miriam mimi miri mirjam, miroslav mirek miroslaw miro slava, mitchell mitch, mohammed muhammad mohamed mohammad muhammed mehmet mo moe hamada mahomet mahmed mohamad,
molly mary, monica monika moni monique nika mona, monserrat montse, morris mo moe, moses moshe moe mozes mosche, myron ron miron, nadezhda nadia nadya nadja nadine nadiya nada, nancy nan, natalia natasha natalie natalya nataliya
nat talia natalka nata nathalie natalija natacha nati natascha tasha, nathan nate nat natan, nathaniel nate nat nathan nathanael, neil neal niall nils, nelson nels, nestor nes, nicholas nick nicolas nico nicola nikolaus nikolai klaus niko nicky mikolaj
nikolay mykola nicolae nils niklas nikos kolya nikita niels nicolai nikolas claus colin nikolaos nicolaas claas niccolo nicolo nikola klaas miklos kolja nic nicklas, nicole nicky nikki nicola nicoletta cole nikola nicolette, nina nino ninotchka, nikita nik, noah noe noach,
noel nowell, norbert norb bert, norman norm, octavia tavi, octavio tavo, olaf olav olof ole olov, oleg oleh olezhka, olga olya olha olia olja, oliver ollie olli olivier oliwier oliviero noll olivier, olivia liv livia ollie oliwia, ondrej ondra, oscar oskar ossi,
oswald ossie oz waldo osvaldo, otto otho ottone, owen eoghan, pablo pablito, pamela pam, pasquale lino pasqualino pascal pascual, patricia pat patty tricia trish patrizia patsy paddy pati patrycja tricia, patrick pat paddy patrik patrizio patricio rick patryk padraig
padraig, paul pavel paolo pablo pawel paulo pauli pavlo pol paulus pasha pauls pali pol, paula pauli paola paulina pola pavla, pauline paulina polly paulette pavlina, pedro perico pedrinho, penelope penny nell, percival percy, peter pete petr piotr pyotr pierre pedro
pietro petro petrus piet petar petros pieter per peder petya piotrek piero peer petter pekka pierrick petri perrin pit pjotr, petra petri piet, petronela nela, philip phil phillip felipe filip philipp philippe pip filippo felip flip pippo fil philippus filippos, philippa pippa pip, phyllis
phyl, pilar pili, piotr piotrek, polina polya paulina, presley pres, priscilla cilla prissy, przemyslaw przemek, rachel rach rae rachael raquel rahel rachelle, rafael rafa raphael raffaele rafal raff raf rafi rafe, raffaella lella raffy, raymond ray raimund ramon raimondo raimundo
raymundo, ramona mona, randall randy, randolph randy, raul raoul rauf, rebecca becky becca reba rebekah rebekka becks rifka rivka, regina gina reggie regine, reginald reg reggie reinhold rex reinaldo, reinhard reini hardy, remigiusz remik, renate renata nata reni rena renatka, rene renato, ricardo ricky rico kardo
ric, richard dick rich rick ricky richie dickie ricardo riccardo ryszard rikard rico rysiek ritchie, rita margarita, robert bob bobby rob robbie bert robin roberto robertino rab berto robb, roberta bobbie robbie berta, robin rob robyn, roderick
rod rick rodrigo roddy, rodney rod, rodolfo rudy fito, rodrigo rodri rodo, roger rodger rog ruggero rogelio rogier ruediger rudiger rutger, roland rollo orlando rolando rolly, rolf rudolf, roman roma romek romain romano, ronald ron ronnie ronny reynaldo ronaldo rainald, rosa rose rosie
rosita roza rosalia rosina, rosalind roz ros, rosamund roz, rosario charo, rosemary rosie rose romy rosemarie rosmarie rosa maria, roxana roxy roxanne roxane oksana roksana, rudolf rudi rudy rolf rudolph rodolfo rodolphe ruud, rupert rup ruprecht, russell russ rusty, ruslan rus, ruth
ruthie rut, ryan ry rian, ryszard rysiek rysio, sabine bine sabina sabrina, sabrina brina, salvador chava salva, salvatore toto turi salvo, samantha sam sammy samanta, samuel sam sammy samuele shmuel samu samuli, sandra sandy sandrine sandi, santiago santi yago, sara sarah sally
sadie sari sarita zara, savannah sav vanna, scott scotty, sebastian seb basti bastian sebastien bastien sebastiaan bas sebas sebastiano sebi seba baschdi, serge sergey sergei sergio sergiy serhiy seryozha sergiusz sergej serg serhii, seth set, shannon shan, sharon shari
shaz, shirley shirl, sidney sid sydney, siegfried siggi sigi sigfrid, sigmund siggi sigi zygmunt, sigrid siri, silvia sylvia sylvie silvie silke sylwia via, silvester sly sylvester silvestre sylwester vester, simon si szymon simone semyon simeon shimon ximon symon simao, simone mona simona, slawomir slawek,
sofia sophie sophia sonia zofia zosia sofie sonya sonja zsofia sofiya fia sofya sophy, solomon sol salomon sal shlomo suleiman, stanislav stas stanislaw staszek stan slava stasik stanislas stanislao, stanley stan, stella estelle estela estella, stephanie steph stefanie steffi stefania stefanie stephany steffi estefania
fanny stefani, stephen steve steven stefan stevie stephan stefano esteban steffen stefaan szczepan stepan stefanos etienne stephane steph stepa stevo stjepan fano estevao pista istvan, stuart stu stewart, susan sue susie suzanne susanne susanna suzy zuzanna zuza sanna susana zsuzsanna sanne
suzie susann susi sukey zsuzsa zuzana suse sanneke, svetlana sveta lana svitlana swetlana, svyatoslav slava sviatoslav, sylvain sylvan, sylvester sly, tadeusz tadek tad thaddeus, tamara tammy toma tamar tomka, tanya tatiana tania tanja tatyana tetiana tatjana tiana tetyana taniusha, teresa terry theresa tess therese tessa
terri teresita resi tere thea theresia tracy terka terezia tereza, terence terry terrence terrance, thaddeus thad tad ted tadeo taddeo jude, theodore theo ted teddy theodor teodor fedor fyodor todor teo teodoro theodoros, thomas tom tommy tomas tomasz tommaso thom tomek foma thoma toma tuomas maso tam tamas tomaz tomi,
tiffany tiff, tihomir tiho, timothy tim timmy timotheus timofey timo timoteo tymoteusz, timur tima, tobias toby tobi tobiasz tobia, todd tod, tomislav tomo, tristan tris, ulrich uli ulli ulrik ulric, ulrike uli rike ulrika ulla, ursula uschi ulla ursel ulli orsola urszula ula uschi, vaclav vaclaw waclaw vasek, valentin val valentyn
valentine walentyn tino valentino, valentina vale valya tina walentyna valentyna, valeria vale valerie val lera valeriya valery, valery valera valeriy valeri valerio valeriu, vanessa nessa vanesa nessie, vasily vasya vasiliy vasili vasyl basil vasilis vassilis basilio vasile bazyli basile wasyl, vera verochka wera viera, veronica vero nika ronnie
weronika veronika veronique ronja wera nica, victor vic viktor vik wiktor vittorio vitya vito vittore, victoria vicky vicki tori viktoria vika wiktoria vittoria vickie vic toria viktoriya victoire wika viki, vilma wilma, vincent vince vinny vinnie vincenzo vicente vincenz wincenty vin enzo cenzo chente, viola violet violetta wioletta violeta, virginia
ginny ginger virginie gina, vitaly vitaliy vitalik vitali vitalij vitalii, vivian viv vivien viviane viviana, vladimir vova volodymyr vlad volodya wladimir vladimiro wlodzimierz wlodek valdemar, vladislav vlad vladik vladyslav wladyslaw slava wladek, vyacheslav slava viacheslav
wieslaw, waldemar waldi valdemar waldek, wallace wally, walter walt wally walther valter gualtiero wouter gauthier, wanda wandzia vanda, wendy wen, werner verner, wesley wes, wilfred wilf fred wilfried, wilhelm willi willy helmut william wim vilhelm, wilhelmina mina wilma minna
helma willemijn, william will bill billy liam willy wilhelm willem guillermo guillaume bille willie wim guglielmo guilherme guille vilhelm wil pim liam memo vilem gwilym, winifred winnie fred, wojciech wojtek, wolfgang wolf wolfi, xenia ksenia ksenya kseniya oksana xeniya, yaroslav slava yarik, yevdokia dusya, yolanda
yoli iolanda jolanta jola yola, yuri yura yuriy jurij yurii juri iouri yury, yusuf yousef youssef yosef joseph yousuf, yves ivo yvo iwo, yvonne ivonne evonne vonnie iwona, zachary zach zack zac zachariah zacharias zak, zbigniew zbyszek zbych zbigniev, zdenek zdzislaw zdzich, zdzislaw zdzisiek, zeljko zele, zoe zoey zoya,
zygmunt zyga,
angelos aggelos agelos, apostolos tolis, athanasios thanasis thanos sakis nasos, charalampos charalambos charalabos haralampos
haralambos babis bampis bambis mpampis lampis, eleftherios lefteris eleutherios, efstathios stathis eustathios, efstratios stratis
eustratios, evangelos evaggelos evagelos vangelis vaggelis vagelis, evangelia evaggelia vangelia, lampros lambros labros,
panagiotis panayiotis panos takis, pantelis pandelis padelis, spyridon spyros spiros, stylianos stelios, anastasios tasos`

interface GivenNames {
  readonly groups: readonly (readonly string[])[]
  readonly groupsOf: ReadonlyMap<string, readonly number[]>
}

/** Some 5 ms, once. */
export const givenNames = lazyInSteps(function* (): Generator<void, GivenNames, void> {
  const groups: string[][] = []
  const groupsOf = new Map<string, number[]>()
  for (const [index, group] of GROUPS.split(',').entries()) {
    if (index % GROUPS_PER_STEP === 0) yield
    const forms = group.trim().split(/\s+/)
    groups.push(forms)
    for (const form of forms) {
      const present = groupsOf.get(form)
      if (present?.at(-1) === index) continue // written twice
      if (present) present.push(index)
      else groupsOf.set(form, [index])
    }
  }
  return { groups, groupsOf }
})

const GROUPS_PER_STEP = 100

/** Whether a normalized word is a known given name or a short form of one. */
export function isGivenName(word: string): boolean {
  return givenNames().groupsOf.has(word)
}

/** Whether two normalized words are forms of one given name: `bob` and `rob`, `sasha` and `alexander`. */
export function isSameGivenName(one: string, other: string): boolean {
  if (one === other) return true
  const { groupsOf } = givenNames()
  const others = groupsOf.get(other)
  return (
    others !== undefined && (groupsOf.get(one)?.some((group) => others.includes(group)) ?? false)
  )
}

/** The full forms of a normalized word, most common first; the word itself if it is not a known short form. */
export function fullForms(word: string): readonly string[] {
  const { groups, groupsOf } = givenNames()
  const indexes = groupsOf.get(word)
  return indexes === undefined ? [word] : indexes.map((index) => groups[index]?.[0] ?? word)
}

/** One full form of a normalized word: `bob` becomes `robert`. */
export function fullForm(word: string): string {
  return oneFullForm().get(word) ?? word
}

/**
 * One key for the forms of a given name in most spellings, for comparison: `jorg`, `joerg` and `george`; `yuri` and
 * `yuriy`. The key of any other word is its spelling.
 */
export function givenNameKey(word: string): string {
  const form = fullForm(word)
  return keysOfSpellings().get(nameSpelling(form)) ?? nameSpelling(form)
}

/** The keys of words that are spelled like a short form: `yuri` has that of `yuriy`, which is one of `george`. */
const keysOfSpellings = lazy((): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const [short, full] of oneFullForm()) {
    const spelling = nameSpelling(short)
    if (!keys.has(spelling)) keys.set(spelling, nameSpelling(full))
  }
  return keys
})

/** The words that `fullForm` replaces. */
export function shortForms(): readonly string[] {
  return [...oneFullForm().keys()]
}

const oneFullForm = lazy((): ReadonlyMap<string, string> => {
  const forms = [...givenNames().groupsOf.keys()].filter((form) => !fullForms(form).includes(form))
  return new Map(forms.map((form) => [form, fullForms(form)[0] ?? form]))
})

/** All other forms of the names that a normalized word can be short for, for search: `bob` has `robert`, `rob`, … */
export function otherForms(word: string): readonly string[] {
  const { groups, groupsOf } = givenNames()
  const forms = new Set((groupsOf.get(word) ?? []).flatMap((index) => groups[index] ?? []))
  forms.delete(word)
  return [...forms]
}
