// Deterministic invented people, and the export files that other services would write for them.

export interface InventedPerson {
  /** Position in the sequence, from 0. */
  readonly index: number
  readonly name: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string
  readonly title: string
  /** "City, Country" */
  readonly location: string
  readonly city: string
  readonly country: string
  readonly headline: string
  readonly about: string
  readonly skills: readonly string[]
  /** ASCII, and unique for one seed. */
  readonly slug: string
  readonly email: string
  readonly phone: string
  readonly profileUrl: string
  /** YYYY-MM-DD */
  readonly connectedOn: string
}

export type VcardVersion = '2.1' | '3.0' | '4.0'

// language: weight: given names / family names, most common first
const NAMES = `
english: 14: James Mary John Emma Oliver Sarah Daniel Laura Thomas Grace Harriet Rupert Maeve Owen Isla Callum Tabitha Rowan Gemma Lionel / Smith Jones Brown Taylor Wilson Evans Walker Wright Hughes Green Hall Clarke Ward Fletcher Hawthorne Pemberton Ashdown Kirkbride Loxley Thackeray
american: 10: Michael Jennifer David Ashley Christopher Jessica Matthew Amanda Joshua Brittany Tyler Megan Brandon Kayla Hunter Savannah Dakota Wyatt Peyton Shelby / Johnson Williams Davis Miller Anderson Jackson Thompson White Harris Robinson Lewis Young Carter Mitchell Brooks Jefferson Whitaker Calloway Stoddard Vandergriff
german: 8: Anna Michael Julia Thomas Stefan Katharina Andreas Sabine Jürgen Jörg Ursula Matthias Heike Björn Käthe Götz Rüdiger Wiebke Lüder Friedhelm / Müller Schmidt Schneider Fischer Weber Wagner Becker Schäfer Köhler König Krüger Böhm Günther Großmann Jäger Weiß Übelacker Hübner Dörfler Süßmilch
french: 7: Marie Jean Pierre Sophie Nicolas Céline François Hélène Rémi Zoé Léa Jérôme Aurélie Benoît Noël Gaëlle Étienne Maëlys Clémence Théophile / Martin Bernard Dubois Durand Lefèvre Moreau Laurent Lémery Garçon Benoît Chevalier Gérard Désiré Delaunay Beauchêne Hervé Crépin Noé Lacôte Brûlé
spanish: 9: María José Antonio Carmen Juan Ana Luis Lucía Jesús Sofía Andrés Íñigo Begoña Álvaro Inés Raúl Ángela Nuño Rocío Úrsula / García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Muñoz Núñez Ibáñez Peña Zúñiga Ordóñez Echeverría Güell Yáñez Ávalos Íscar
portuguese: 6: Maria João Ana Pedro José Inês Luís Beatriz Gonçalo Conceição Tomás Sérgio Mónica Antão Íris Simão Fábio Lurdes Estêvão Glória / Silva Santos Oliveira Souza Pereira Costa Conceição Gonçalves Simões Magalhães Araújo Guimarães Leitão Assunção Brandão Falcão Calçada Sebastião Anjos Quintão
italian: 5: Giuseppe Maria Giovanni Anna Francesco Giulia Luca Chiara Niccolò Noè Nicolò Mosè Ambra Ludovica Ottavio Fiammetta Corrado Ersilia Gualtiero Donatella / Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Conti Bruno Gallo Nicolò Cantù Forlì Dalmazzò Sansò Pelù Viganò
nordic: 6: Erik Anna Lars Karin Søren Åsa Jørgen Märta Håkon Øyvind Göran Ragnhild Sigrún Þóra Ægir Solveig Torbjörn Ingeborg Päivi Jyrki / Hansen Johansson Andersson Nilsson Sørensen Jørgensen Lindström Sjöberg Åkesson Öberg Østergaard Bjørnstad Håland Ångström Mäkinen Hämäläinen Jónsdóttir Þórsson Gyllenhjelm Ødegård
polish: 5: Anna Piotr Katarzyna Krzysztof Małgorzata Paweł Łukasz Agnieszka Michał Zdzisław Stanisław Bożena Grażyna Wacław Jędrzej Świętosława Żaneta Bronisław Władysław Róża / Nowak Kowalski Wiśniewski Wójcik Kamiński Zieliński Woźniak Jabłoński Król Wróbel Piątek Łuczak Błaszczyk Gołąb Żak Źrebiec Ćwik Śliwa Dąbrowski Grześkowiak
czech: 3: Jan Jana Petr Tomáš Jiří Lukáš Věra Ondřej Zdeněk Kateřina Řehoř Štěpán Květa Žofie Božena Vojtěch Matěj Růžena Dušan Ľubica / Novák Svoboda Novotný Dvořák Černý Procházka Kučera Veselý Horák Němec Pokorný Růžička Beneš Fiala Šimek Čapek Kříž Škoda Řezníček Žižka
turkish: 4: Mehmet Fatma Mustafa Ayşe Ahmet Zeynep Özgür Çağla Gökhan Şule İbrahim Işıl Doğan Ümit Nurgül Tuğba Barış Gülşen Çetin Öykü / Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Çetin Koç Güneş Türkoğlu Şimşek Işık Gürbüz Ünal
indian: 11: Rahul Priya Amit Anjali Sanjay Deepa Arjun Kavita Lakshmi Vikram Sunita Rajesh Meera Harish Nandini Farhan Gurpreet Ishaan Padmini Tarun / Sharma Patel Kumar Singh Gupta Reddy Iyer Nair Khan Das Mehta Joshi Banerjee Chatterjee Deshpande Kulkarni Bhattacharya Subramaniam Chaudhary Wadia
african: 6: Chinedu Amina Kwame Fatou Tunde Wanjiku Kofi Ngozi Oluwaseun Zawadi Ousmane Thandiwe Sipho Adé Abẹ̀ní Ọlá Mamadou Tendai Makena Yẹ́misí / Okafor Mensah Diallo Okeke Mwangi Traoré Ndlovu Adebayo Banda Konaté Otieno Abubakar Dlamini Koné Boateng Sékou Ọláìyá Adéwálé Chikwanha Wekesa
vietnamese: 4: Anh Linh Minh Hương Tuấn Thảo Dũng Hằng Đức Phương Quỳnh Hiếu Thắng Ngọc Bích Khánh Trúc Vĩnh Yến Đạt / Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Mạc Tạ Thái Lương Khuất
japanese: 3: Haruto Yui Sakura Kenji Naoko Takashi Yuki Hiroshi Emi Satoshi Ryō Kyōko Shun Tomoko Daichi Yōko Ichirō Mizuki Kōta Rin / Satō Suzuki Takahashi Tanaka Itō Watanabe Yamamoto Nakamura Kobayashi Katō Yoshida Saitō Inoue Shimizu Hayashi Ōno Kondō Endō Gotō Kudō
chinese: 4: 伟~wei 芳~fang 娜~na 敏~min 静~jing 磊~lei 洋~yang 艳~yan 勇~yong 杰~jie 涛~tao 明~ming 超~chao 霞~xia 平~ping 刚~gang 桂英~guiying 文~wen 雪梅~xuemei 建国~jianguo / 王~wang 李~li 张~zhang 刘~liu 陈~chen 杨~yang 黄~huang 赵~zhao 吴~wu 周~zhou 徐~xu 孙~sun 马~ma 朱~zhu 胡~hu 郭~guo 何~he 林~lin 欧阳~ouyang 司马~sima
ukrainian: 3: Олена~olena Андрій~andrii Наталія~nataliia Сергій~serhii Ірина~iryna Олександр~oleksandr Юлія~yuliia Дмитро~dmytro Оксана~oksana Тарас~taras Марія~mariia Іван~ivan Софія~sofiia Богдан~bohdan Людмила~liudmyla Ярослав~yaroslav Зоряна~zoriana Остап~ostap Соломія~solomiia Назар~nazar / Шевченко~shevchenko Коваленко~kovalenko Бондаренко~bondarenko Ткаченко~tkachenko Кравченко~kravchenko Ковальчук~kovalchuk Олійник~oliinyk Мельник~melnyk Лисенко~lysenko Марченко~marchenko Руденко~rudenko Мороз~moroz Савченко~savchenko Гончар~honchar Кузьменко~kuzmenko Левицький~levytskyi Щербань~shcherban Яценко~yatsenko Цимбал~tsymbal Журба~zhurba
`

const COMPANY_FIRST =
  'Aldermoor Brackwater Copperfen Dunlinwick Emberlode Fennimoor Galewright Hollowmere Ironquill Juniperhatch Kestrelbury Larkenfold Mistlethorn Nettlebrook Oakenshire Pellwater Quarrystone Rushmantle Silverbeck Thornquist Umbergate Velloway Wexmarsh Yarrowdale Zephyrholt Ålekvist Bärenklamm Çınarlık Dęborzec Élancourbe Fjordvang Gränsholm Höllbach Ísafold Jökulvik Königsmoor Łąkowa Møllerud Ñandumar Østvang'.split(
    ' ',
  )
const COMPANY_SECOND =
  'Systems|Labs|Health|Capital|Foods|Logistics|Media|Robotics|Energy|Partners|Software|Studio|Materials|Analytics|Insurance|Mobility|Learning|Works|Security|Bio|Group, Inc.|& Sons|Retail|Design|Networks|Consulting|Water|Optics|Textiles|Games|Travel|Bank|Legal LLP|Aerospace|Timber|Marine|Payments|Research Institute|Foundation|Construction|"Blue" Ventures|Farms|Chemicals|Cloud|Motors|GmbH|S.A.|AB|Oy|Co., Ltd.'.split(
    '|',
  )

const TITLE_LEVELS =
  'Senior|Lead|Head of|Junior|Director of|Principal|Associate|VP,|Staff|Interim'.split('|')
const TITLE_ROLES =
  'Software Engineering|Product Management|Design|Sales|Marketing|Recruiting|Finance|Operations|Data Science|Customer Success|Research|Legal Affairs|Partnerships|Quality|Security|Supply Chain|Communications|Nursing|Architecture|Investment'.split(
    '|',
  )

// city/country, most common first
const PLACES =
  'London/United Kingdom|New York/United States|Bengaluru/India|Berlin/Germany|Paris/France|São Paulo/Brazil|Madrid/Spain|Lagos/Nigeria|San Francisco/United States|Amsterdam/Netherlands|Toronto/Canada|Mumbai/India|Stockholm/Sweden|Singapore/Singapore|Sydney/Australia|Warsaw/Poland|Istanbul/Türkiye|Dublin/Ireland|Barcelona/Spain|Tokyo/Japan|Munich/Germany|Zürich/Switzerland|Copenhagen/Denmark|Nairobi/Kenya|Mexico City/Mexico|Boston/United States|Seattle/United States|Delhi/India|Milan/Italy|Lisbon/Portugal|Oslo/Norway|Helsinki/Finland|Vienna/Austria|Prague/Czechia|Kyiv/Ukraine|Hamburg/Germany|Chicago/United States|Los Angeles/United States|Austin/United States|Melbourne/Australia|Montréal/Canada|Vancouver/Canada|Hyderabad/India|Chennai/India|Pune/India|Manchester/United Kingdom|Edinburgh/United Kingdom|Bristol/United Kingdom|Brussels/Belgium|Rome/Italy|Kraków/Poland|Wrocław/Poland|Gdańsk/Poland|Budapest/Hungary|Bucharest/Romania|Athens/Greece|Zagreb/Croatia|Ljubljana/Slovenia|Tallinn/Estonia|Riga/Latvia|Vilnius/Lithuania|Göteborg/Sweden|Malmö/Sweden|Aarhus/Denmark|Bergen/Norway|Tampere/Finland|Reykjavík/Iceland|Porto/Portugal|Valencia/Spain|Sevilla/Spain|Málaga/Spain|Bilbao/Spain|Lyon/France|Marseille/France|Toulouse/France|Nantes/France|Köln/Germany|Düsseldorf/Germany|Frankfurt/Germany|Leipzig/Germany|Stuttgart/Germany|Genève/Switzerland|Basel/Switzerland|Rotterdam/Netherlands|Utrecht/Netherlands|Antwerp/Belgium|Turin/Italy|Naples/Italy|Bologna/Italy|Brno/Czechia|Bratislava/Slovakia|Belgrade/Serbia|Sofia/Bulgaria|Lviv/Ukraine|Ankara/Türkiye|İzmir/Türkiye|Tel Aviv/Israel|Dubai/United Arab Emirates|Cairo/Egypt|Casablanca/Morocco|Tunis/Tunisia|Accra/Ghana|Abuja/Nigeria|Kampala/Uganda|Kigali/Rwanda|Addis Ababa/Ethiopia|Dar es Salaam/Tanzania|Johannesburg/South Africa|Cape Town/South Africa|Dakar/Senegal|Abidjan/Côte d’Ivoire|Washington/United States|Denver/United States|Atlanta/United States|Miami/United States|Portland/United States|Philadelphia/United States|Houston/United States|Minneapolis/United States|Detroit/United States|Québec/Canada|Calgary/Canada|Ottawa/Canada|Guadalajara/Mexico|Monterrey/Mexico|Bogotá/Colombia|Medellín/Colombia|Lima/Peru|Santiago/Chile|Buenos Aires/Argentina|Córdoba/Argentina|Montevideo/Uruguay|Rio de Janeiro/Brazil|Recife/Brazil|Curitiba/Brazil|Quito/Ecuador|San José/Costa Rica|Seoul/South Korea|Busan/South Korea|Osaka/Japan|Kyoto/Japan|Shanghai/China|Shenzhen/China|Hong Kong/China|Taipei/Taiwan|Hanoi/Vietnam|Ho Chi Minh City/Vietnam|Bangkok/Thailand|Jakarta/Indonesia|Manila/Philippines|Kuala Lumpur/Malaysia|Colombo/Sri Lanka|Dhaka/Bangladesh|Karachi/Pakistan|Almaty/Kazakhstan|Tbilisi/Georgia|Auckland/New Zealand|Wellington/New Zealand|Brisbane/Australia|Perth/Australia'.split(
    '|',
  )

const SKILLS =
  'Negotiation|Python|Grant writing|Hiring|Fundraising|SQL|User research|Contract law|Forecasting|Public speaking|Logistics|TypeScript|Brand strategy|Clinical trials|Pricing|Mentoring|Machine learning|Accounting|Copywriting|Procurement|Battery design|Typography|Crisis communication|Lean manufacturing|Rust|Translation|Carbon accounting|Event planning|Patent search|Teaching|Embedded systems|Community building|Statistics|Film editing|Due diligence|Supply planning|Agronomy|Cryptography|Facilitation|Urban planning'.split(
    '|',
  )
const OPENINGS =
  'I help teams get better at|For the past ten years I have worked on|My days are mostly about|I came to this from the hospital ward and now do|I write, teach and advise on|Small teams call me in for|I like slow problems, chiefly|Happy to talk about'.split(
    '|',
  )
const CLOSINGS =
  'Ask me about bees, bread or night trains.|Always glad to meet people who repair things.|Looking for a co-founder; patient, not perfect.|On the board of two charities, and learning to say no.|Before this: three start-ups, one of which still exists.|I answer every message, though rarely on the same day.|Parent of twins, runner of hills.|Currently hiring two people who can explain things simply.'.split(
    '|',
  )

const UNDECOMPOSED: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  þ: 'th',
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[æðđıłøßþ]/g, (letter) => UNDECOMPOSED[letter] ?? '')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

interface NamePart {
  readonly text: string
  readonly slug: string
}

interface Language {
  readonly given: readonly NamePart[]
  readonly family: readonly NamePart[]
  /** Chinese names start with the family name, and have no second given name or initial. */
  readonly familyFirst: boolean
}

const TABLE_SIZE = 1 << 12
const TABLE_MASK = TABLE_SIZE - 1

/** Repeats `values` in proportion to `weightOf`, so that one array access draws a weighted value. */
function weighted<T>(values: readonly T[], weightOf: (value: T, rank: number) => number): T[] {
  const weights = values.map(weightOf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const table: T[] = []
  let reached = 0
  for (const [rank, value] of values.entries()) {
    reached += ((weights[rank] ?? 0) / total) * TABLE_SIZE
    while (table.length < Math.round(reached)) table.push(value)
  }
  return table
}

function zipf<T>(values: readonly T[]): T[] {
  return weighted(values, (_value, rank) => 1 / (rank + 1))
}

function readParts(cell: string): NamePart[] {
  return cell
    .trim()
    .split(' ')
    .map((entry) => {
      const [text = '', latin = text] = entry.split('~')
      return { text, slug: slugOf(latin) }
    })
}

function readLanguages(table: string): Language[] {
  const languages = table
    .trim()
    .split('\n')
    .map((line) => {
      const [label = '', weight = '', names = ''] = line.split(':')
      const [given = '', family = ''] = names.split(' / ')
      const language: Language = {
        given: zipf(readParts(given)),
        family: zipf(readParts(family)),
        familyFirst: label === 'chinese',
      }
      return { language, weight: Number(weight) }
    })
  return weighted(languages, (entry) => entry.weight).map((entry) => entry.language)
}

interface Company {
  readonly name: string
  readonly domain: string
}

/** All 2,000 pairs, in an order that mixes both halves, because Zipf's law makes the first ones common. */
function composeCompanies(): Company[] {
  const count = COMPANY_FIRST.length * COMPANY_SECOND.length
  return Array.from({ length: count }, (_, rank) => {
    const place = (rank * 1_237) % count
    const first = COMPANY_FIRST[place % COMPANY_FIRST.length] ?? ''
    const second = COMPANY_SECOND[Math.floor(place / COMPANY_FIRST.length)] ?? ''
    const name = `${first} ${second}`
    return { name, domain: `${slugOf(name)}.example.com` }
  })
}

function composeTitles(): string[] {
  return TITLE_ROLES.flatMap((role) => TITLE_LEVELS.map((level) => `${level} ${role}`))
}

function readPlaces(): { location: string; city: string; country: string }[] {
  return PLACES.map((entry) => {
    const [city = '', country = ''] = entry.split('/')
    return { location: `${city}, ${country}`, city, country }
  })
}

function composeSkillSets(): (readonly string[])[] {
  return Array.from({ length: 400 }, (_, index) => {
    const step = 1 + Math.floor(index / SKILLS.length)
    const length = 2 + (index % 4)
    return Array.from({ length }, (_unused, nth) =>
      at(SKILLS, (index + nth * step) % SKILLS.length),
    )
  })
}

function listDays(): string[] {
  const first = Date.UTC(2010, 0, 1)
  const last = Date.UTC(2026, 9, 31)
  const days: string[] = []
  for (let day = first; day <= last; day += 86_400_000) {
    days.push(new Date(day).toISOString().slice(0, 10))
  }
  return days
}

const LANGUAGES = readLanguages(NAMES)
const COMPANIES = composeCompanies()
/** 2,000 ranks need a finer table than TABLE_SIZE, so companies are drawn by inverting the curve. */
const COMPANY_CURVE = Math.log(COMPANIES.length + 1)
const TITLES = weighted(composeTitles(), (_title, rank) => 1 / (rank + 12))
const LOCATIONS = weighted(readPlaces(), (_place, rank) => 1 / (rank + 6))
const SKILL_SETS = composeSkillSets()
const DAYS = listDays()
const INITIALS = 'ABCDEFGHIJKLMNOPRSTVWYZ'

/** The mulberry32 generator: 32 random bits per call. */
function randomBits(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

function at<T>(values: readonly T[], place: number): T {
  const value = values[place]
  if (value === undefined) throw new RangeError(`no value at ${place}`)
  return value
}

/** Yields people endlessly, the same ones for the same seed. Some names are very common and most are rare. */
export function* inventedPeople(seed: number): Generator<InventedPerson, never> {
  const bits = randomBits(seed)
  for (let index = 0; ; index++) {
    const shape = bits()
    const own = at(LANGUAGES, shape & TABLE_MASK)
    // One in four has a family name of another language, except for Chinese names.
    const mixed = (shape >>> 12) % 4 === 0 ? at(LANGUAGES, bits() & TABLE_MASK) : own
    const other = mixed.familyFirst || own.familyFirst ? own : mixed

    const names = bits()
    const given = at(own.given, names & TABLE_MASK)
    const family = at(other.family, (names >>> 12) & TABLE_MASK)
    let givenName = given.text
    let givenSlug = given.slug
    let familyName = family.text
    let familySlug = family.slug
    const variant = own.familyFirst ? 15 : shape >>> 28
    if (variant < 3) {
      givenName += ` ${INITIALS[(shape >>> 14) % INITIALS.length]}.`
    } else if (variant < 6) {
      const second = at(other.family, bits() & TABLE_MASK)
      if (second !== family) {
        familyName += `-${second.text}`
        familySlug += `-${second.slug}`
      }
    } else if (variant < 8) {
      const second = at(own.given, bits() & TABLE_MASK)
      if (second !== given) {
        givenName += `${shape & 0x1000000 ? '-' : ' '}${second.text}`
        givenSlug += `-${second.slug}`
      }
    } else if (variant === 8) {
      familyName += shape & 0x1000000 ? ' III' : ' Jr.'
    }

    const work = bits()
    const company = at(COMPANIES, Math.floor(Math.exp((work / 2 ** 32) * COMPANY_CURVE)) - 1)
    const role = bits()
    const title = at(TITLES, role & TABLE_MASK)
    const place = at(LOCATIONS, (role >>> 12) & TABLE_MASK)
    const texts = bits()
    const skills = at(SKILL_SETS, texts % SKILL_SETS.length)
    const opening = at(OPENINGS, (texts >>> 16) & 7)
    const closing = at(CLOSINGS, (texts >>> 20) & 7)
    // Multiplying by an odd number permutes the 32-bit integers, so no two people share a slug.
    const mark = (Math.imul(index, 0x9e3779b1) ^ seed) >>> 0
    const slug = `${givenSlug}-${familySlug}-${mark.toString(16)}`
    const phone = bits()

    yield {
      index,
      name: own.familyFirst ? familyName + givenName : `${givenName} ${familyName}`,
      givenName,
      familyName,
      company: company.name,
      title,
      location: place.location,
      city: place.city,
      country: place.country,
      headline: `${title} at ${company.name}`,
      about: `${opening} ${skills[0]} and ${skills[1]} in ${place.city}. ${closing}`,
      skills,
      slug,
      email: `${slug}@${company.domain}`,
      phone: `+1-${200 + (phone % 800)}-555-01${10 + ((phone >>> 10) % 90)}`,
      profileUrl: `https://www.linkedin.com/in/${slug}`,
      connectedOn: at(DAYS, (phone >>> 3) % DAYS.length),
    }
  }
}

/** Records per chunk, so that the writer is not called for each person. */
const RECORDS_PER_CHUNK = 256

function* chunked(
  start: string,
  count: number,
  seed: number,
  write: (person: InventedPerson) => string,
): Generator<string, void> {
  const people = inventedPeople(seed)
  let chunk = start
  for (let done = 1; done <= count; done++) {
    chunk += write(people.next().value)
    if (done % RECORDS_PER_CHUNK === 0) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk !== '') yield chunk
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function linkedinDate(day: string): string {
  return `${day.slice(8, 10)} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}

const LINKEDIN_START = [
  'Notes:',
  '"Some email addresses may be absent from this export. A connection\'s address is included only where that person has chosen, in their settings (""Who can download my email""), to let connections have it."',
  '',
  'First Name,Last Name,URL,Email Address,Company,Position,Connected On',
  '',
].join('\n')

/** LinkedIn's Connections.csv, in chunks. About 30 % of the rows have an email address. */
export function linkedinCsv(count: number, seed: number): Generator<string, void> {
  return chunked(LINKEDIN_START, count, seed, (person) => {
    const email = (Math.imul(person.index + 1, 0x85ebca6b) >>> 0) % 10 < 3 ? person.email : ''
    const { givenName, familyName, profileUrl, company, title } = person
    return `${csvCell(givenName)},${csvCell(familyName)},${profileUrl},${email},${csvCell(company)},${csvCell(title)},${linkedinDate(person.connectedOn)}\n`
  })
}

const GOOGLE_COLUMNS =
  'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 1 - Extended Address,Website 1 - Label,Website 1 - Value'

/** Google Contacts' CSV with the headers of 2024 and later, in chunks. */
export function googleCsv(count: number, seed: number): Generator<string, void> {
  return chunked(`${GOOGLE_COLUMNS}\n`, count, seed, (person) => {
    const names = `${csvCell(person.givenName)},,${csvCell(person.familyName)},,,,,,,`
    const work = `${csvCell(person.company)},${csvCell(person.title)},,,${csvCell(person.about)},`
    const reach = `,* myContacts,* Work,${person.email},Mobile,${person.phone}`
    const formatted = `"${person.city}\n${person.country}"`
    const home = `,Work,${formatted},,${csvCell(person.city)},,,,${csvCell(person.country)},`
    return `${names},${work}${reach}${home},Profile,${person.profileUrl}\n`
  })
}

const OUTLOOK_COLUMNS =
  "First Name,Middle Name,Last Name,Title,Suffix,Nickname,Given Yomi,Surname Yomi,E-mail Address,E-mail 2 Address,E-mail 3 Address,Home Phone,Home Phone 2,Business Phone,Business Phone 2,Mobile Phone,Car Phone,Other Phone,Primary Phone,Pager,Business Fax,Home Fax,Other Fax,Company Main Phone,Callback,Radio Phone,Telex,TTY/TDD Phone,IMAddress,Job Title,Department,Company,Office Location,Manager's Name,Assistant's Name,Assistant's Phone,Company Yomi,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Home Street,Home City,Home State,Home Postal Code,Home Country/Region,Other Street,Other City,Other State,Other Postal Code,Other Country/Region,Personal Web Page,Spouse,Schools,Hobby,Location,Web Page,Birthday,Anniversary,Notes"

const OUTLOOK_WIDTH = OUTLOOK_COLUMNS.split(',').length

/** The commas between two named Outlook columns. */
function outlookGap(from: string, to: string): string {
  const columns = OUTLOOK_COLUMNS.split(',')
  const start = columns.indexOf(from)
  const end = to === '' ? OUTLOOK_WIDTH - 1 : columns.indexOf(to)
  if (start < 0 || end < start) throw new RangeError(`no columns ${from} to ${to}`)
  return ','.repeat(end - start)
}

const TO_FAMILY = outlookGap('First Name', 'Last Name')
const TO_EMAIL = outlookGap('Last Name', 'E-mail Address')
const TO_PHONE = outlookGap('E-mail Address', 'Mobile Phone')
const TO_TITLE = outlookGap('Mobile Phone', 'Job Title')
const TO_COMPANY = outlookGap('Job Title', 'Company')
const TO_CITY = outlookGap('Company', 'Business City')
const TO_COUNTRY = outlookGap('Business City', 'Business Country/Region')
const TO_PAGE = outlookGap('Business Country/Region', 'Web Page')
const TO_NOTES = outlookGap('Web Page', 'Notes')

/** Outlook's contacts CSV, in chunks: a byte order mark, then lines that end in CR LF. */
export function outlookCsv(count: number, seed: number): Generator<string, void> {
  return chunked(`\uFEFF${OUTLOOK_COLUMNS}\r\n`, count, seed, (person) => {
    const names = csvCell(person.givenName) + TO_FAMILY + csvCell(person.familyName)
    const reach = TO_EMAIL + person.email + TO_PHONE + person.phone
    const work = TO_TITLE + csvCell(person.title) + TO_COMPANY + csvCell(person.company)
    const place = TO_CITY + csvCell(person.city) + TO_COUNTRY + csvCell(person.country)
    const rest = TO_PAGE + person.profileUrl + TO_NOTES + csvCell(person.about)
    return `${names}${reach}${work}${place}${rest}\r\n`
  })
}

/** An ASCII line of vCard 3.0 or 4.0, folded so that no piece is longer than 75 bytes. */
function foldedAscii(line: string): string {
  if (line.length <= 75) return `${line}\r\n`
  let pieces = line.slice(0, 75)
  for (let from = 75; from < line.length; from += 74) {
    pieces += `\r\n ${line.slice(from, from + 74)}`
  }
  return `${pieces}\r\n`
}

/** The same for any line. Never folds inside a character. */
function folded(line: string): string {
  if (line.length * 3 <= 75) return `${line}\r\n`
  if (Buffer.byteLength(line) === line.length) return foldedAscii(line)
  let pieces = ''
  let from = 0
  let room = 75
  for (let place = 0; place < line.length; place++) {
    const code = line.charCodeAt(place)
    const high = code >= 0xd800 && code < 0xdc00
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : high ? 4 : 3
    if (bytes > room) {
      pieces += `${line.slice(from, place)}\r\n `
      from = place
      room = 74
    }
    room -= bytes
    if (high) place++
  }
  return `${pieces}${line.slice(from)}\r\n`
}

/** Caches the results of `write`, because many people share a few companies, titles and locations. */
function remembered(write: (text: string) => string): (text: string) => string {
  const written = new Map<string, string>()
  return (text) => {
    const before = written.get(text)
    if (before !== undefined) return before
    const now = write(text)
    written.set(text, now)
    return now
  }
}

/** A vCard text value of versions 3.0 and 4.0. */
function escaped(text: string): string {
  return /[\\,;\n]/.test(text)
    ? text.replace(/[\\,;]/g, (mark) => `\\${mark}`).replaceAll('\n', '\\n')
    : text
}

const QUOTED_BYTES = Array.from({ length: 256 }, (_, byte) => {
  const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x3d
  return plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

/** A vCard 2.1 property: plain ASCII as it is, anything else quoted-printable with soft breaks. */
function legacyLine(property: string, value: string): string {
  if (Buffer.byteLength(value) === value.length) return `${property}:${value}\r\n`
  let out = `${property};CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:`
  let column = out.length
  for (const byte of Buffer.from(value)) {
    const piece = QUOTED_BYTES[byte] ?? ''
    if (column + piece.length > 75) {
      out += '=\r\n'
      column = 0
    }
    out += piece
    column += piece.length
  }
  return `${out}\r\n`
}

type CardWriter = (person: InventedPerson) => string

function legacyCard(): CardWriter {
  const company = remembered((text) => legacyLine('ORG', text))
  const title = remembered((text) => legacyLine('TITLE', text))
  const place = remembered((text) => legacyLine('ADR;WORK', `;;;${text.replace(', ', ';;;')}`))
  return (person) =>
    'BEGIN:VCARD\r\nVERSION:2.1\r\n' +
    legacyLine('N', `${person.familyName};${person.givenName};;;`) +
    legacyLine('FN', person.name) +
    company(person.company) +
    title(person.title) +
    `EMAIL;INTERNET;WORK:${person.email}\r\nTEL;CELL:${person.phone}\r\n` +
    place(person.location) +
    `URL:${person.profileUrl}\r\n` +
    legacyLine('NOTE', person.about) +
    'END:VCARD\r\n'
}

function card(version: '3.0' | '4.0'): CardWriter {
  const modern = version === '4.0'
  const tel = modern ? 'TEL;TYPE=cell;VALUE=uri:tel:' : 'TEL;TYPE=CELL:'
  const email = modern ? 'EMAIL;TYPE=work:' : 'EMAIL;TYPE=INTERNET,WORK:'
  const address = modern ? 'ADR;TYPE=work:;;;' : 'ADR;TYPE=WORK:;;;'
  const company = remembered((text) => folded(`ORG:${escaped(text)}`))
  const title = remembered((text) => folded(`TITLE:${escaped(text)}`))
  const place = remembered((text) => folded(address + text.replace(', ', ';;;')))
  return (person) =>
    `BEGIN:VCARD\r\nVERSION:${version}\r\n` +
    (modern ? foldedAscii(`UID:urn:example:${person.slug}`) : '') +
    folded(`N:${person.familyName};${person.givenName};;;`) +
    folded(`FN:${person.name}`) +
    company(person.company) +
    title(person.title) +
    foldedAscii(email + person.email) +
    `${tel}${person.phone}\r\n` +
    place(person.location) +
    foldedAscii(`URL:${person.profileUrl}`) +
    folded(`NOTE:${escaped(person.about)}`) +
    'END:VCARD\r\n'
}

/** An address book of vCards, in chunks. */
export function vcards(
  count: number,
  seed: number,
  version: VcardVersion,
): Generator<string, void> {
  return chunked('', count, seed, version === '2.1' ? legacyCard() : card(version))
}
