import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confusionOf, qualityOf, shareKey } from '../../bench/matching.ts'
import { pairsOf } from '../../bench/matching-set/pairs.ts'
import { record } from '../../bench/matching-set/records.ts'
import { areTwoPeople, decideMatch } from './decide-match.ts'
import type { MatchReason } from './match-weights.ts'

const IN_FILE = { isSameFile: true }

for (const part of ['tuning', 'heldOut'] as const)
  test(`no two people of the labeled set are merged, and nearly every person is found (${part})`, () => {
    const pairs = pairsOf(part)
    assert.ok(pairs.length >= 1000)
    const merged = pairs.filter(
      ({ isSame, one, other }) => !isSame && decideMatch(one, other).outcome === 'same',
    )
    assert.deepEqual(merged, [])
    const { precision, recall } = qualityOf(confusionOf(pairs))
    assert.ok(precision >= 0.998, `precision ${precision}`)
    assert.ok(recall >= 0.95, `recall ${recall}`)
    const imported = qualityOf(confusionOf(pairs, shareKey))
    // Imports leave namesakes in one location to find_duplicates: a name alone is no key.
    assert.ok(imported.recall >= 0.94, `recall of imports ${imported.recall}`)
  })

test('the decision does not depend on which record comes first', () => {
  for (const { one, other } of pairsOf('tuning')) {
    const [there, back] = [decideMatch(one, other), decideMatch(other, one)]
    assert.deepEqual([there.outcome, there.score], [back.outcome, back.score])
  }
})

test('people are different by the same findings with which a decision says so', () => {
  const contradictions: ReadonlySet<MatchReason> = new Set([
    'other_given_name',
    'other_generation',
    'other_number',
    'other_birthday',
  ])
  const answers = new Set<boolean>()
  for (const { one, other } of [...pairsOf('tuning'), ...pairsOf('heldOut')]) {
    const expected = decideMatch(one, other).reasons.some((found) => contradictions.has(found))
    assert.equal(areTwoPeople(one, other), expected, `${one.name} and ${other.name}`)
    answers.add(expected)
  }
  assert.equal(answers.size, 2)
})

test('within one file, an address proves two rows equal, but a name and a company do not', () => {
  const ann = record({ name: 'Ann Lee', company: 'Acme' })
  assert.equal(decideMatch(ann, ann).outcome, 'same')
  assert.equal(decideMatch(ann, ann, IN_FILE).outcome, 'unsure')
  const withEmail = { ...ann, emails: ['ann.lee@acme.example'] }
  assert.equal(decideMatch(withEmail, { ...withEmail, title: 'Boss' }, IN_FILE).outcome, 'same')
  const withPhone = { ...ann, phones: ['+1 212 555 0100'] }
  assert.equal(decideMatch(withPhone, { ...withPhone, title: 'Boss' }, IN_FILE).outcome, 'same')
})

test('namesakes with two addresses at one company are not merged because of its switchboard', () => {
  const board = { company: 'Polderbank', phones: ['+31 20 555 2200'] }
  const one = record({
    ...board,
    name: 'Jan Terpstra',
    emails: ['jan.terpstra@polderbank.example'],
  })
  const other = { ...one, emails: ['jan.terpstra.it@polderbank.example'] }
  assert.equal(decideMatch(one, other).outcome, 'unsure')
  const born = { birthday: '1980-05-06' }
  assert.equal(decideMatch({ ...one, ...born }, { ...other, ...born }).outcome, 'same')
})

test('an entry of the same source with another title is another person if the name is common or the location differs', () => {
  const later = { isSameFile: false, isSameSource: true }
  const outcomeOf = (name: string, location: string) => {
    const nurse = record({ name, company: 'Acme', title: 'Nurse', location: 'Rome' })
    return decideMatch(nurse, { ...nurse, title: 'Counsel', location }, later).outcome
  }
  assert.equal(outcomeOf('Zoe Quist', 'Rome'), 'same')
  assert.equal(outcomeOf('Zoe Quist', 'Oslo'), 'unsure')
  assert.equal(outcomeOf('Wei Wang', 'Rome'), 'unsure')
})

test('a phone number is not enough for a match of similar names, which colleagues and siblings have', () => {
  const outcomeOf = (name: string, fields: object) =>
    decideMatch(
      record({ name: 'Wil Peters', company: 'Acme', connectedOn: '2025-01-02', ...fields }),
      record({ name, connectedOn: '2025-01-02', ...fields }),
    ).outcome
  const phones = ['+31 20 555 2200']
  const company = { company: 'Acme' }
  assert.equal(outcomeOf('Wim Peters', company), 'unsure')
  assert.equal(outcomeOf('Wim Peters', { ...company, phones }), 'unsure')
  assert.equal(outcomeOf('Wim Peters', { phones }), 'unsure')
  assert.equal(outcomeOf('Willem Peters', { phones }), 'same')
  assert.equal(outcomeOf('Willem Peters', { ...company, phones }), 'unsure')
  assert.equal(outcomeOf('Wil Pieters', { phones }), 'unsure')
  assert.equal(outcomeOf('Wil Jan Peters', { ...company, phones }), 'unsure')
  for (const name of ['Wil Peters', 'Willem Peters', 'Wil Pieters'])
    assert.equal(outcomeOf(name, { emails: ['w.peters@acme.example'] }), 'same')
})

/** Two people who look alike, although one of them may only be called by another form of the name. */
const LOOKALIKES: readonly (readonly [string, string])[] = [
  ['Jean-Luc Roux', 'Luc Roux'],
  ['Jean-Luc Roux', 'Jean Roux'],
  ['Anna Maria Gil', 'Maria Gil'],
  ['Mary Ann Kessler', 'Ann Kessler'],
  ['José Luis Barrera', 'José Barrera'],
  ['Mohammed Ali Farouk', 'Ali Farouk'],
  ['Gian Luca Bassi', 'Luca Bassi'],
  ['Ji-hye Oh', 'Ji Oh'],
  ['Mei Ling Tan', 'Mei Tan'],
  ['Mohan Lal Saxena', 'Mohan Saxena'],
  ['Ngọc Lan Trần', 'Lan Trần'],
  ['Ted Price', 'Ned Price'],
  ['Bill Price', 'Will Price'],
  ['Diego Ruiz', 'Santiago Ruiz'],
  ['Mia Vogel', 'Maja Vogel'],
  ['Hans Gruber', 'Hannes Gruber'],
  ['Luke Ames', 'Luce Ames'],
  ['Simone Greco', 'Simona Greco'],
  ['Nino Caruso', 'Nina Caruso'],
  ['Marian Dobre', 'Mariana Dobre'],
  ['Mara Thiele', 'Maria Thiele'],
  ['Rolf Dietz', 'Ralf Dietz'],
  ['Rohit Verma', 'Mohit Verma'],
  ['Yoshio Hoshi', 'Yoshiko Hoshi'],
  ['Panagiotis Vlachos', 'Panagiota Vlachou'],
  ['سمير منصور', 'سميرة منصور'],
]

for (const [one, other] of LOOKALIKES)
  test(`${one} and ${other} are not merged, whatever a family shares`, () => {
    const all = {
      emails: ['e.box@post.example'],
      phones: ['+49 711 555 0123'],
      location: 'Ulm',
      birthday: '2001-02-03',
    }
    const { emails, phones, location, birthday } = all
    for (const shared of [{ emails }, { phones }, { phones, location, birthday }, all]) {
      const [first, second] = [record({ name: one, ...shared }), record({ name: other, ...shared })]
      assert.notEqual(decideMatch(first, second).outcome, 'same')
      assert.notEqual(decideMatch(second, first, IN_FILE).outcome, 'same')
    }
    const [first, second] = [record({ name: one, emails }), record({ name: other, emails })]
    assert.equal(decideMatch(first, second).outcome, 'unsure')
  })

/** One person: a slip of the keyboard, or a form that is not a name of someone else. */
const ONE_PERSON: readonly (readonly [string, string])[] = [
  ['Michael Trask', 'Micheal Trask'],
  ['Mark Ellery', 'Marc Ellery'],
  ['Hannah Beck', 'Hannnah Beck'],
  ['Krishnamurthy Rao', 'Krishnmurthy Rao'],
  ['Krishnamurthy Iyer', 'Krishnamoorthy Iyer'],
  ['Jean-François Lemoine', 'JF Lemoine'],
  ['Christopher James Nield', 'Christopher Nield'],
  ['W. Graham Upton', 'Graham Upton'],
  ['Jackie Wai Lun Fong', 'Jackie Fong'],
  ['Mary Ann Doyle', 'Maryann Doyle'],
  ['Sung-ho Baek', 'Seongho Baek'],
  ['Eun-hye Jo', 'Eunhye Cho'],
  ['Thị Mai Phạm', 'Mai Phạm'],
  ['Katie Fenn', 'Kat Fenn'],
  ['Ekaterina Belova', 'Katya Belova'],
  ['Jakub Wrona', 'Kuba Wrona'],
  ['Anna Schmidt-Weber', 'Anna Weber'],
]

for (const [one, other] of ONE_PERSON)
  test(`${one} and ${other} with one email are one person`, () => {
    const emails = [`${one.split(/[ -]/)[0] ?? ''}.box@post.example`]
    const [first, second] = [record({ name: one, emails }), record({ name: other, emails })]
    assert.equal(decideMatch(first, second).outcome, 'same')
    assert.equal(decideMatch(second, first).outcome, 'same')
  })

test('a given name that no list has is a question with one email, but not in one file', () => {
  const emails = ['e.box@post.example']
  const outcomeOf = (fields: object, other: object, inFile?: typeof IN_FILE) =>
    decideMatch(
      record({ name: 'María Teresa Bustos', emails, ...fields }),
      record({ name: 'Txelo Bustos', emails, ...other }),
      inFile,
    ).outcome
  assert.equal(outcomeOf({}, {}), 'unsure')
  assert.equal(outcomeOf({}, {}, IN_FILE), 'different')
  assert.equal(outcomeOf({ birthday: '1961-01-02' }, { birthday: '1991-03-04' }), 'different')
  assert.equal(outcomeOf({}, { name: 'Txelo Quist' }), 'different')
})

test('a profile proves that names which look alike are of one person', () => {
  const profileUrl = 'https://www.linkedin.com/in/luc-roux'
  const one = record({ name: 'Jean-Luc Roux', profileUrl })
  assert.equal(decideMatch(one, { ...one, name: 'Luc Roux' }).outcome, 'same')
})

test('namesakes at one company with two titles are merged only with an address', () => {
  const driver = record({ name: 'Zoe Quist', company: 'Acme', title: 'Driver', location: 'Oslo' })
  const outcomeOf = (title: string, fields: object = {}) =>
    decideMatch({ ...driver, ...fields }, { ...driver, ...fields, title }).outcome
  assert.equal(outcomeOf('Accountant'), 'unsure')
  assert.equal(outcomeOf('Senior driver'), 'same')
  assert.equal(outcomeOf('Accountant', { emails: ['zoe@acme.example'] }), 'same')
  assert.equal(outcomeOf('Accountant', { phones: ['+47 55 55 01 23'] }), 'same')
  const common = { name: 'Wei Wang', phones: ['+47 55 55 01 23'] }
  assert.equal(outcomeOf('Accountant', common), 'unsure')
  assert.equal(outcomeOf('Driver', common), 'same')
})

const SPOUSES: readonly (readonly [string, string])[] = [
  ['Jean', 'Jeanne'],
  ['René', 'Renée'],
  ['Dominic', 'Dominique'],
  ['Pascal', 'Pascale'],
  ['Laurent', 'Laurence'],
  ['Georg', 'Georgia'],
  ['Валерий', 'Валерия'],
  ['Luigi', 'Luigia'],
  ['Chris', 'Christine'],
  ['Alex', 'Alexandra'],
  ['Pat', 'Patricia'],
  ['Sam', 'Samantha'],
  ['Terry', 'Teresa'],
]

for (const [husband, wife] of SPOUSES)
  test(`${husband} and ${wife} with the email of their family are not merged`, () => {
    const emails = ['halls@aol.example']
    const one = record({ name: `${husband} Hall`, emails })
    const other = record({ name: `${wife} Hall`, emails })
    assert.notEqual(decideMatch(one, other).outcome, 'same')
    assert.notEqual(decideMatch(one, other, IN_FILE).outcome, 'same')
  })

test('a short form is one person in the mailbox of the whole name, or if only one sex has it', () => {
  const outcomeOf = (email: string) => {
    const chris = record({ name: 'Chris Hall', emails: [email] })
    return decideMatch(chris, { ...chris, name: 'Christine Hall' }).outcome
  }
  assert.equal(outcomeOf('christine.hall@aol.example'), 'same')
  assert.equal(outcomeOf('chris.hall@aol.example'), 'unsure')
  const bob = record({ name: 'Bob Hall', emails: ['halls@aol.example'] })
  assert.equal(decideMatch(bob, { ...bob, name: 'Robert Hall' }).outcome, 'same')
})

test('a short name and a similar longer one are not merged', () => {
  const pairs = [
    ['P. Vlachos', 'Panagiota Vlachou'],
    ['Emin', 'Emine Tekin'],
  ] as const
  for (const [short, long] of pairs) {
    const emails = [`${long.split(' ')[0] ?? ''}@post.example`.toLowerCase()]
    const [one, other] = [record({ name: short, emails }), record({ name: long, emails })]
    assert.equal(decideMatch(one, other).outcome, 'unsure')
  }
})

test('namesakes with a common name and two profiles are not merged because of an address', () => {
  const outcomeOf = (name: string) => {
    const one = record({ name, company: 'Acme', emails: ['box@acme.example'] })
    const profile = (slug: string) => ({
      ...one,
      profileUrl: `https://www.linkedin.com/in/${slug}`,
    })
    return decideMatch(profile('one-1a2b'), profile('two-9z8y')).outcome
  }
  assert.equal(outcomeOf('Michael Brown'), 'unsure')
  assert.equal(outcomeOf('Zebulon Quist'), 'same')
})

test('a middle name apart from the name is compared', () => {
  const emails = ['john.reed@post.example']
  const john = (middleName: string) =>
    record({ name: 'John Reed', emails, details: { middleName } })
  assert.equal(decideMatch(john('Albert'), john('A.')).outcome, 'same')
  assert.equal(decideMatch(john('Albert'), john('Brian')).outcome, 'different')
  const whole = record({ name: 'John Brian Reed', emails })
  assert.equal(decideMatch(john('Albert'), whole).outcome, 'different')
  assert.equal(decideMatch(john('Brian'), whole).outcome, 'same')
})

test('an initial is one person in the mailbox of that name, but not in one of the family', () => {
  const outcomeOf = (email: string) => {
    const emails = [email]
    return decideMatch(
      record({ name: 'J. Rowntree', emails }),
      record({ name: 'Jane Rowntree', emails }),
    ).outcome
  }
  assert.equal(outcomeOf('rowntrees@aol.example'), 'unsure')
  assert.equal(outcomeOf('jane@aol.example'), 'same')
  assert.equal(outcomeOf('jrowntree@aol.example'), 'same')
})

test('a title and a suffix apart from the name tell spouses, and father and son', () => {
  const pat = record({ name: 'Pat Byrne', emails: ['byrne@post.example'] })
  const withDetails = (details: object) => ({ ...pat, details })
  const mr = withDetails({ namePrefix: 'Mr' })
  const mrs = withDetails({ namePrefix: 'Mrs' })
  assert.equal(decideMatch(mr, mrs).outcome, 'unsure')
  assert.equal(decideMatch(mr, pat).outcome, 'same')
  const senior = withDetails({ nameSuffix: 'Sr.' })
  const junior = withDetails({ nameSuffix: 'Jr.' })
  assert.equal(decideMatch(senior, junior).outcome, 'different')
  assert.equal(areTwoPeople(senior, junior), true)
})

test('a decision lists its evidence', () => {
  const one = record({ name: 'Bob Ross', emails: ['bob.ross@gmail.com'], company: 'Acme Inc' })
  const other = record({ name: 'Robert Ross', emails: ['bobross@gmail.com'], company: 'ACME' })
  assert.deepEqual(decideMatch(one, other), {
    outcome: 'same',
    score: 13,
    reasons: ['nickname', 'same_email', 'email_fits_name', 'same_company'],
  })
})

test('a name that is written as another one is read is queued, and merged only with an address', () => {
  const tanaka = {
    ...record({ name: '田中 太郎', company: 'Acme' }),
    details: { phoneticFamilyName: 'タナカ', phoneticGivenName: 'タロウ' },
  }
  for (const name of ['Taro Tanaka', 'Tanaka Tarō', 'Tanaka Tarou', 'たなか たろう', 'ﾀﾅｶ ﾀﾛｳ']) {
    const other = record({ name, company: 'Acme' })
    assert.deepEqual(decideMatch(tanaka, other), {
      outcome: 'unsure',
      score: 6,
      reasons: ['same_reading', 'same_company'],
    })
    assert.equal(decideMatch(other, tanaka).outcome, 'unsure')
    const emails = ['taro@acme.example']
    assert.equal(decideMatch({ ...tanaka, emails }, { ...other, emails }).outcome, 'same')
  }
  const wang = {
    ...record({ name: '王小明', company: 'Acme', birthday: '1990-01-01' }),
    details: { phoneticFamilyName: 'Wáng', phoneticGivenName: 'Xiǎomíng' },
  }
  const xiaoming = record({ name: 'Xiaoming Wang', company: 'Acme', birthday: '1990-01-01' })
  assert.equal(decideMatch(wang, xiaoming).outcome, 'unsure')
  // Another name that is read alike, and another reading.
  const reading = decideMatch(tanaka, record({ name: '棚架 太朗', company: 'Acme' })).reasons
  assert.ok(!reading.includes('same_reading'))
  const jiro = decideMatch(tanaka, record({ name: 'Jiro Tanaka', company: 'Acme' })).reasons
  assert.ok(!jiro.includes('same_reading'))
})

test('Mr and Mrs of one name are never merged, only queued', () => {
  const one = record({ name: 'Mr. Pat Byrne', phones: ['+353 1 555 0001'], company: 'Byrne' })
  const other = { ...one, name: 'Mrs. Pat Byrne' }
  assert.deepEqual(decideMatch(one, other), {
    outcome: 'unsure',
    score: 7,
    reasons: ['same_name', 'other_form_of_address', 'same_phone', 'landline', 'same_company'],
  })
})

/** Two spellings of one name, and a mobile number, international and as it is dialed inside the country. */
const IN_TWO_SCRIPTS: readonly (readonly [string, string, string, string])[] = [
  ['欧阳晓明', 'Xiaoming Ouyang', '+86 138 0013 8000', '138 0013 8000'],
  ['王小明', 'Wang Xiao-Ming', '+86 139 1234 5678', '013912345678'],
  ['陳大文', 'Chan Tai Man', '+852 9123 4567', '9123 4567'],
  ['小林健一', 'Kenichi Kobayashi', '+81 90-1234-5678', '090-1234-5678'],
  ['さとう けんいち', 'Kenichi Sato', '+81 80 1234 5678', '080-1234-5678'],
  ['김민준', 'Min-jun Kim', '+82 10-1234-5678', '010-1234-5678'],
  ['남궁민수', 'Minsoo Namgung', '+82 10-9876-5432', '010-9876-5432'],
  ['محمد الهاشمي', 'Mohammed Al-Hashimi', '+971 50 123 4567', '050 123 4567'],
  ['عبد الرحمن خالد', 'Abdulrahman Khaled', '+965 5123 4567', '5123 4567'],
  ['משה כהן', 'Moshe Cohen', '+972 50-123-4567', '050-1234567'],
  ['राहुल शर्मा', 'Rahul Sharma', '+91 98765 43210', '098765 43210'],
  ['গৌতম চট্টোপাধ্যায়', 'Goutam Chattopadhyay', '+91 98765 43211', '9876543211'],
  ['கார்த்திக் ரமேஷ்', 'Karthik Ramesh', '+91 98765 43212', '9876543212'],
  ['გიორგი ბერიძე', 'Giorgi Beridze', '+995 555 12 34 56', '555 12 34 56'],
  ['Արմեն Պետրոսյան', 'Armen Petrosyan', '+374 91 123456', '091 123456'],
  ['Сергій Гончаренко', 'Serhii Honcharenko', '+380 67 123 4567', '067 123 45 67'],
  ['Евгений Щукин', 'Eugene Schukin', '+7 912 345-67-89', '8 (912) 345-67-89'],
  ['Александр Иванов', 'ალექსანდრე ივანოვი', '+995 555 12 34 57', '555 12 34 57'],
  ['สมชาย ใจดี', 'Somchai Jaidee', '+66 81 234 5678', '081-234-5678'],
]

for (const [one, other, international, national] of IN_TWO_SCRIPTS)
  test(`${one} and ${other} with one mobile are a question, and no question with a landline if they differ`, () => {
    const job = { company: 'Acme', emails: ['one@acme.example'], location: 'Oslo' }
    const next = { company: 'Byte', emails: ['two@byte.example'], location: 'Rome' }
    for (const [phone, same] of [
      [international, international],
      [international, national],
      [national, international],
      [national, national],
    ] as const) {
      const first = record({ name: one, phones: [phone], ...job })
      const second = record({ name: other, phones: [same], ...next })
      assert.equal(decideMatch(first, second).outcome, 'unsure', `${phone} and ${same}`)
      assert.equal(decideMatch(second, first).outcome, 'unsure')
    }
  })

test('relatives in two scripts are two people, and never merged', () => {
  const pairs = [
    ['محمد الهاشمي', 'Fatima Al-Hashimi'],
    ['გიორგი ბერიძე', 'Nino Beridze'],
    ['राहुल शर्मा', 'Priya Sharma'],
    ['김민준', 'Seoyeon Kim'],
    ['王伟', 'Wen Wang'],
  ] as const
  const phones = ['+49 30 123456']
  for (const [one, other] of pairs)
    assert.equal(
      decideMatch(record({ name: one, phones }), record({ name: other, phones })).outcome,
      'different',
    )
})

test('two names in two scripts are not merged because of an email and a company', () => {
  const shared = { emails: ['box@acme.example'], company: 'Acme' }
  for (const [one, other] of [
    ['小林健一', 'Hanako Sato'],
    ['王伟', 'John Smith'],
    ['محمد الشريف', 'Mahmoud Al Sharif'],
  ] as const)
    assert.equal(
      decideMatch(record({ name: one, ...shared }), record({ name: other, ...shared })).outcome,
      'unsure',
    )
})

test('a Chinese name in simplified and in traditional characters is a question', () => {
  const emails = ['box@post.example']
  const outcomeOf = (one: string, other: string) =>
    decideMatch(record({ name: one, emails }), record({ name: other, emails })).outcome
  assert.equal(outcomeOf('刘娜', '劉娜'), 'unsure')
  assert.equal(outcomeOf('孙国强', '孫國強'), 'unsure')
})

test('one mobile and another name that may be of the same person are a question', () => {
  const outcomeOf = (one: string, other: string, fields: object = {}) => {
    const phones = ['+49 170 1234567']
    return decideMatch(
      record({ name: one, phones, ...fields }),
      record({ name: other, phones, ...fields }),
    ).outcome
  }
  assert.equal(outcomeOf('Hajo Ellerbrock', 'Hans-Joachim Ellerbrock'), 'unsure')
  assert.equal(outcomeOf('Anja Fehling', 'Anja Rostalski'), 'unsure')
  assert.equal(outcomeOf('Abd El Rahman Elsayegh', 'Abdulrahman Al Sayegh'), 'unsure')
  assert.equal(outcomeOf('Marek Hudec', 'Jana Hudecová'), 'different')
  assert.equal(outcomeOf('Bo Hansmann', 'Till Hansmann', { birthday: '2014-03-09' }), 'different')
})

test('a Japanese name with a space and the given name first is the same name', () => {
  const emails = ['t.ozaki@post.example']
  const taro = record({ name: '太郎 尾崎', emails })
  assert.equal(decideMatch(taro, { ...taro, name: '尾崎太郎' }).outcome, 'same')
})

test('Korean names that differ in a syllable are never merged', () => {
  const shared = {
    company: 'Acme',
    phones: ['+82 2 123 4567'],
    emails: ['choi@acme.example'],
    birthday: '1990-01-02',
  }
  for (const [one, other] of [
    ['Seo-yeon Choi', 'Seo-yun Choi'],
    ['Seoyeon Choi', 'Seoyun Choi'],
    ['Seo-jin Lee', 'Su-jin Lee'],
    ['Sun-hee Park', 'Seon-hee Park'],
    ['Ha-yul Kim', 'Ha-yeol Kim'],
    ['Min-seok Kang', 'Min-suk Kang'],
    ['Ji-woon Kim', 'Ji-won Kim'],
  ] as const) {
    const first = record({ name: one, ...shared })
    assert.notEqual(decideMatch(first, { ...first, name: other }).outcome, 'same', other)
  }
  const jun = record({ name: 'Min-jun Kim', company: 'Acme' })
  assert.equal(decideMatch(jun, { ...jun, name: 'Minjoon Kim' }).outcome, 'same')
})

test('similar short names with one landline and birthday, which twins have, are a question', () => {
  for (const [one, other] of [
    ['Emma', 'Emmy'],
    ['Leo', 'Leon'],
    ['Tim', 'Timo'],
    ['Max', 'Maxi'],
  ] as const) {
    const shared = { phones: ['+49 30 123456'], birthday: '2001-02-03' }
    const outcomeOf = (fields: object) =>
      decideMatch(
        record({ name: `${one} Berg`, ...fields }),
        record({ name: `${other} Berg`, ...fields }),
      ).outcome
    assert.equal(outcomeOf(shared), 'unsure')
    assert.equal(outcomeOf({ ...shared, emails: ['bergs@post.example'] }), 'unsure')
  }
  const bob = record({ name: 'Bob Berg', phones: ['+49 30 123456'], birthday: '2001-02-03' })
  assert.equal(decideMatch(bob, { ...bob, name: 'Robert Berg' }).outcome, 'same')
})

test('a changed job is merged by a mobile, unless the name is common or the number a landline', () => {
  const outcomeOf = (name: string, phone: string, label?: string) => {
    const details = label === undefined ? {} : { details: { labels: { [phone]: label } } }
    const job = { company: 'Acme', location: 'Oslo', emails: [`one@acme.example`] }
    const next = { company: 'Byte', location: 'Rome', emails: [`two@byte.example`] }
    return decideMatch(
      record({ name, phones: [phone], ...job, ...details }),
      record({ name, phones: [phone], ...next }),
    ).outcome
  }
  assert.equal(outcomeOf('Zoe Quist', '+47 412 34 567'), 'same')
  assert.equal(outcomeOf('Zoe Quist', '+1 212 555 0100'), 'same')
  assert.equal(outcomeOf('Zoe Quist', '+1 212 555 0100', 'work'), 'unsure')
  assert.equal(outcomeOf('Zoe Quist', '+47 22 34 56 78'), 'unsure')
  assert.equal(outcomeOf('Wei Wang', '+86 138 0013 8000'), 'unsure')
})

test('two people behind the shared mailbox and the switchboard of a company are no duplicate', () => {
  const shared = { company: 'Acme', phones: ['+49 30 123456'] }
  for (const mailbox of [
    'info',
    'hello',
    'bonjour',
    'geral',
    'rezeption',
    'dispatch',
    'noc',
    'all-hands',
  ])
    for (const [one, other] of [
      ['Anna Weber', 'Jonas Frei'],
      ['Anna Weber', 'Ines Frei'],
      ['Anna', 'Jonas'],
      ['Anna Weber', 'Max Weber'],
    ] as const) {
      const emails = [`${mailbox}@acme.example`]
      const first = record({ name: one, emails, ...shared })
      assert.equal(decideMatch(first, { ...first, name: other }).outcome, 'different', mailbox)
    }
})

test('a rare name at two companies is a question with one birthday, or with one title', () => {
  const outcomeOf = (name: string, shared: object, other: object = {}) =>
    decideMatch(
      record({ name, company: 'Acme', emails: ['zq@acme.example'], ...shared }),
      record({ name, company: 'Byte', emails: ['zq@byte.example'], ...shared, ...other }),
    ).outcome
  assert.equal(outcomeOf('Zoe Quist', { birthday: '1980-02-03' }), 'unsure')
  assert.equal(outcomeOf('Zoe Quist', { title: 'Potter' }), 'unsure')
  assert.equal(outcomeOf('Wei Wang', { title: 'Engineer' }), 'different')
  assert.equal(outcomeOf('Zoe Quist', { title: 'Potter' }, { title: 'Nurse' }), 'different')
  assert.equal(outcomeOf('Zoe Quist', { company: 'Facebook' }, { company: 'Meta' }), 'unsure')
})

test('two people of a common name in two towns with one email are a question, not a match', () => {
  const michael = record({
    name: 'Michael Mueller',
    location: 'Ulm',
    emails: ['michael.mueller@web.de'],
  })
  const other = { ...michael, name: 'Michael Müller', company: 'Sparkasse', location: 'Lörrach' }
  assert.equal(decideMatch(michael, other).outcome, 'unsure')
  assert.equal(decideMatch(michael, { ...other, location: 'Ulm' }).outcome, 'same')
  const ottilie = { name: 'Ottilie Hagenbuch', emails: ['o.hagenbuch@web.de'] }
  const [here, there] = [record(ottilie), record({ ...ottilie, location: 'Lörrach' })]
  assert.equal(decideMatch({ ...here, location: 'Ulm' }, there).outcome, 'same')
})

test('a nickname of the source is a name of the person', () => {
  const known = (name: string, nickname: string) => ({
    ...record({ name, emails: ['me@x.example'] }),
    details: { nickname },
  })
  for (const [name, nickname, other, reason] of [
    ['Chan Ka Ming', 'Kelvin', 'Kelvin Chan', 'alias'],
    ['Tomoko Arai', '新井智子', '新井 智子', 'alias'],
    ['Gráinne Ní Bhriain', 'Wren', "Wren O'Brien", 'other_family_name'],
    ['Gráinne Ní Bhriain', 'Bri', "Wren O'Brien", 'other_name'],
  ] as const) {
    const { reasons } = decideMatch(known(name, nickname), { ...known(other, 'x'), details: {} })
    assert.equal(reasons[0], reason, other)
  }
})

test('a trade beside the given name is a question with one mobile', () => {
  const laura = record({ name: 'Laura Bianchi', phones: ['+31 6 55660195'] })
  assert.equal(decideMatch(laura, { ...laura, name: 'Gelato Laura' }).outcome, 'unsure')
  assert.equal(decideMatch(laura, { ...laura, name: 'Marco Rossi' }).outcome, 'different')
})

test('an email at a domain that is named after the company of the other counts like a similar company', () => {
  const rob = record({ name: 'Robert Zwart', emails: ['rob.zwart@nautilusroei.example'] })
  const other = record({ name: 'Rob Zwart', company: 'R.V. Nautilus' })
  const { outcome, reasons } = decideMatch(rob, other)
  assert.deepEqual([outcome, reasons], ['unsure', ['nickname', 'similar_company']])
  const elsewhere = { ...rob, emails: ['rob.zwart@gmail.com'] }
  assert.equal(decideMatch(elsewhere, { ...other, company: 'Gmail Fans' }).outcome, 'different')
})

test('an address that is named after an office and neither person proves nothing', () => {
  const holder = (name: string, title: string, email: string) =>
    record({ name, title, emails: [email], company: 'Norra skolan' })
  for (const [one, other, title, email] of [
    ['Ola Lindgren', 'Ola Lundgren', 'Rektor', 'rektor@norraskolan.example'],
    ['Malvina Pomfret', 'Malvina Pomfrey', 'Head teacher', 'head@stbedes.example'],
    ['Carmen Iturralde', 'Carmen Iturraldi', 'Directora', 'direccion@museo.example'],
    ['Jana Novotna', 'Jana Novotny', 'Ombudsperson', 'ombuds@city.example'],
  ] as const) {
    const [first, second] = [holder(one, title, email), holder(other, title, email)]
    const decision = decideMatch(first, second)
    assert.notEqual(decision.outcome, 'same', `${one}, ${other}`)
    assert.ok(decision.reasons.includes('shared_mailbox'), email)
  }
  // A mailbox of a person, although the title has the word.
  const abbot = holder('Mark Abbott', 'Marketing', 'mark@northwind.example')
  assert.ok(decideMatch(abbot, { ...abbot, phones: [] }).reasons.includes('same_email'))
})

test('familiar forms of many languages are forms of one name', () => {
  for (const [short, full] of [
    ['Minna', 'Wilhelmine'],
    ['Katja', 'Jekaterina'],
    ['Javi', 'Javier'],
    ['Heidi', 'Adelheid'],
    ['Schorsch', 'Georg'],
    ['Lilo', 'Liselotte'],
    ['Pista', 'István'],
    ['Sjaak', 'Jacobus'],
    ['Vroni', 'Veronika'],
    ['Manu', 'Emmanuelle'],
    ['Yossi', 'Yosef'],
    ['Bosse', 'Bo'],
  ] as const) {
    const phones = ['+49 4421 88231']
    const decision = decideMatch(
      record({ name: `${short} Osterkamp`, phones }),
      record({ name: `${full} Osterkamp`, phones }),
    )
    assert.notEqual(decision.outcome, 'different', `${short} ${full} ${decision.reasons.join()}`)
  }
})

test('near spellings of a rare family name, and a company in two scripts, are questions', () => {
  for (const [one, other, company, otherCompany] of [
    ['Yevgenia Khrustalyova', 'Evgenia Hrustaleva', 'Baltika Optika', 'Baltika Optika'],
    ['Mustapha Benmohammed', 'Mostafa Ben Mohammed', 'Atlas Phosphates', 'Atlas Phosphates'],
    ['Bartholomew Quackenbush', 'Bartholomew Quackenbos', 'Hudson Milling', 'Hudson Milling Co.'],
    ['Nino Scaramuzza', 'Antonino Scaramuzza', 'Officine Nord', 'Officine Nord srl'],
    ['王晓东', 'Xiaodong Wang', '华为', 'Huawei'],
    ['דוד אבוטבול', 'David Abutbul', 'טבע', 'Teva'],
    ['김도윤', 'Do-yoon Kim', '삼성전자', 'Samsung Electronics'],
  ] as const) {
    const first = record({ name: one, company })
    const second = record({ name: other, company: otherCompany })
    assert.equal(decideMatch(first, second).outcome, 'unsure', `${one}, ${other}`)
    assert.equal(decideMatch(second, first).outcome, 'unsure', `${other}, ${one}`)
  }
})

test('a familiar form that no list has is a question at one company, unless anything else differs', () => {
  const one = record({ name: 'Zebulon Ostrander', company: 'Peak Ropes' })
  const other = record({ name: 'Bulon Ostrander', company: 'Peak Ropes' })
  assert.equal(decideMatch(one, other).outcome, 'unsure')
  const withPhone = { ...one, phones: ['+1 207 555 0144'] }
  const withOtherPhone = { ...other, phones: ['+1 207 555 0199'] }
  assert.equal(decideMatch(withPhone, withOtherPhone).outcome, 'different')
})

test('a numbered address with and without its dots is a question', () => {
  const one = record({ name: 'Marek Dziedzic', emails: ['dziedzic.marek77@interia.pl'] })
  const other = (email: string) => record({ name: 'Marek Dziedzic', emails: [email] })
  assert.equal(decideMatch(one, other('dziedzicmarek77@interia.pl')).outcome, 'unsure')
  assert.equal(decideMatch(one, other('dziedzicmarek78@interia.pl')).outcome, 'different')
  assert.equal(decideMatch(one, other('dziedzicmarek77@wp.pl')).outcome, 'different')
})
