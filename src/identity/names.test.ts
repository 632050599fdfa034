import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { arabicNameKeys, latinNameKey } from './scripts/arabic-names.ts'
import { companyKey, compareCompanies } from './company-name.ts'
import { compareNames } from './compare-names.ts'
import { editDistance } from '../base/spelling/edit-distance.ts'
import { isFreemail, mailboxKindOf, mailboxOf } from './email-address.ts'
import { fullForm, fullForms, givenNameLines, isSameGivenName, otherForms } from './given-names.ts'
import { latinPatternOf, latinPatternsOf, latinSpellingsOf } from './latin-patterns.ts'
import { nameAffixes } from './name-affixes.ts'
import { parsePersonName } from './person-name.ts'
import { isSamePhone, phoneKey, phoneKindOf } from './phone-number.ts'
import { fold, latinVariants, spellingKey } from './scripts/transliterate.ts'

const FOLDED: readonly [text: string, folded: string][] = [
  ['Müller', 'muller'],
  ['Straße Øystein Åse', 'strasse oystein ase'],
  ['Łukasz Żółć', 'lukasz zolc'],
  ['Чехов', 'chekhov'],
  ['Юлия Щербакова', 'yuliya shcherbakova'],
  ['Володимир Їжак', 'volodimir yizhak'],
  ['Ἀθηνᾶ', 'athina'],
  ['Γιώργος Παπαδόπουλος', 'giorgos papadopoulos'],
  ['Μπάμπης Γκίκας', 'bampis gikas'],
  ['Ντίνος Αγκάθης', 'dinos agkathis'],
  ['Ευάγγελος Σταύρου', 'evangelos stavrou'],
  ['Ελευθέριος Ναυπλιώτης', 'eleftherios nafpliotis'],
  ['王伟', '王伟'],
]

for (const [text, folded] of FOLDED)
  test(`${text} folds to ${folded}`, () => {
    assert.equal(fold(text), folded)
  })

test('a name has its common spellings', () => {
  assert.deepEqual(latinVariants('Müller'), ['muller', 'mueller'])
  assert.deepEqual(latinVariants('Åse'), ['ase', 'aase'])
  assert.deepEqual(latinVariants('Юлия'), ['yuliya', 'julija', 'iuliia', 'yulyya'])
  assert.deepEqual(latinVariants('Ann'), ['ann'])
})

const SPELLINGS = [
  ['Müller', 'Mueller', 'Muller'],
  ['Юлия', 'Yuliya', 'Julia', 'Iuliia', 'Yulia', 'Julija'],
  ['Чайковский', 'Tchaikovsky', 'Tschaikowski', 'Chaykovskiy', 'Tchaikovskii'],
  ['Сергей', 'Sergey', 'Sergei', 'Sergej'],
  ['Хрущёв', 'Khrushchev', 'Khrushcheff'],
  ['Søren', 'Soeren', 'Soren'],
  ['Παπαδόπουλος', 'Papadopoulos', 'Papadopulos'],
  ['Karl', 'Carl'],
  ['Łukasz', 'Lukasz'],
  ['Åberg', 'Aaberg', 'Aberg'],
]

for (const spellings of SPELLINGS)
  test(`${spellings.join(', ')} share a spelling key`, () => {
    assert.equal(new Set(spellings.map((one) => spellingKey(fold(one)))).size, 1)
  })

test('different names have different spelling keys', () => {
  const names = [
    'schmidt',
    'schmitz',
    'meyer',
    'maier',
    'jansen',
    'hansen',
    'lee',
    'li',
    'mara',
    'maria',
  ]
  assert.equal(new Set(names.map(spellingKey)).size, names.length)
})

test('normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(fold(fold(text)), fold(text))
    }),
  )
})

// Given names

test('short forms are symmetric and not transitive through an ambiguous form', () => {
  for (const [one, other] of [
    ['bob', 'rob'],
    ['liz', 'elizabeth'],
    ['sasha', 'alexander'],
    ['sasha', 'alexandra'],
    ['pepe', 'jose'],
    ['kasia', 'katarzyna'],
    ['paco', 'francisco'],
    ['giuseppe', 'beppe'],
    ['dasha', 'darya'],
    ['ze', 'jose'],
    ['wim', 'willem'],
    ['hans', 'johannes'],
  ] as const) {
    assert.ok(isSameGivenName(one, other), `${one} ${other}`)
    assert.ok(isSameGivenName(other, one), `${other} ${one}`)
  }
  for (const [one, other] of [
    ['alexander', 'alexandra'],
    ['daniel', 'daniela'],
    ['anna', 'hannah'],
    ['emma', 'emily'],
    ['robert', 'richard'],
    ['mario', 'maria'],
    ['martin', 'martina'],
  ] as const)
    assert.ok(!isSameGivenName(one, other), `${one} ${other}`)
})

test('a short form has its full forms, most common first', () => {
  assert.equal(fullForm('bob'), 'robert')
  assert.equal(fullForm('robert'), 'robert')
  assert.equal(fullForm('xyz'), 'xyz')
  assert.ok(fullForms('sasha').includes('alexander') && fullForms('sasha').includes('alexandra'))
  assert.ok(otherForms('robert').includes('bob'))
  assert.ok(!otherForms('robert').includes('robert'))
})

test('every form is normalized', () => {
  for (const form of ['robert', 'alexander', 'maria', 'joan', 'nicholas', 'elizabeth'].flatMap(
    otherForms,
  ))
    assert.match(form, /^[a-z]+$/)
})

// Parts of a name

const PARSED: readonly [name: string, expected: Partial<ReturnType<typeof parsePersonName>>][] = [
  ['Dr. Ann Lee', { given: ['ann'], family: ['lee'] }],
  ['Prof. Dr. med. Hans Müller', { given: ['hans'], family: ['muller'] }],
  ['Ann Lee, PhD, MBA', { given: ['ann'], family: ['lee'] }],
  ['Lee, Ann', { given: ['ann'], family: ['lee'] }],
  ['Lee, Ann Marie', { given: ['ann', 'marie'], family: ['lee'] }],
  ['John Smith Jr.', { family: ['smith'], generation: 2 }],
  ['John Smith, Sr.', { family: ['smith'], generation: 1 }],
  ['Smith, John, III', { given: ['john'], family: ['smith'], generation: 3 }],
  ['John Smith III', { generation: 3 }],
  ['J.R. Smith', { given: ['j', 'r'], family: ['smith'] }],
  ['Vincent van Gogh', { words: ['vincent', 'gogh'] }],
  ['Ludwig von der Tann', { words: ['ludwig', 'tann'] }],
  ['Omar Al-Masri', { words: ['omar', 'masri'] }],
  ["Sinéad O'Brien", { words: ['sinead', 'obrien'] }],
  ['Robert "Bob" Smith', { words: ['robert', 'smith'], aliases: ['bob'] }],
  ['Anna Weber (geb. Schmidt)', { words: ['anna', 'weber'], aliases: ['schmidt'] }],
  ['Anna Weber née Schmidt', { words: ['anna', 'weber'], aliases: ['schmidt'] }],
  ['王伟', { given: ['伟'], family: ['王'] }],
  ['Ann', { given: ['ann'], family: [] }],
  ['Le Nguyen', { words: ['le', 'nguyen'] }],
  ['Al Pacino', { words: ['al', 'pacino'] }],
  ['info@acme.com', { words: [] }],
  ['🚀', { words: [] }],
  ['John E. Smith', { words: ['john', 'e', 'smith'] }],
  ['Dr', { words: ['dr'] }],
  ['Mrs. Pat Byrne', { words: ['pat', 'byrne'], gender: 'female' }],
  ['Herr Dr. Jan Kunz', { words: ['jan', 'kunz'], gender: 'male' }],
  ['Don Draper', { gender: null }],
  ['Dr. Pat Byrne', { gender: null }],
]

for (const [name, expected] of PARSED)
  test(`${name} is split into its parts`, () => {
    assert.partialDeepStrictEqual(parsePersonName(name), expected)
  })

test('the parts that a source gives are used', () => {
  const name = parsePersonName({
    name: 'Ana García López',
    givenName: 'Ana',
    familyName: 'García López',
  })
  assert.deepEqual(name.family, ['garcia', 'lopez'])
})

test('a form of address and a suffix that are kept apart from the name count', () => {
  const details = { namePrefix: 'Dr. Mrs', nameSuffix: 'PhD, Jr.' }
  const name = parsePersonName({ name: 'Pat Byrne', details })
  assert.deepEqual([name.gender, name.generation], ['female', 2])
  assert.equal(parsePersonName({ name: 'Mr Pat Byrne', details }).gender, 'male')
})

// Comparing

const COMPARED: readonly [one: string, other: string, outcome: string, reason?: string][] = [
  ['Ann Lee', 'ann lee', 'same', 'identical'],
  ['Ann Lee', 'Lee, Ann', 'same', 'identical'],
  ['Ann Lee', 'Lee Ann', 'same', 'word_order'],
  ['Hans Müller', 'Hans Mueller', 'same', 'spelling'],
  ['Юлия Иванова', 'Julia Ivanova', 'same', 'spelling'],
  ['Bob Smith', 'Robert Smith', 'same', 'nickname'],
  ['Dr. Robert J. Smith, PhD', 'Rob Smith', 'compatible', 'middle_name'],
  ['Ann Lee', 'A. Lee', 'compatible', 'initial'],
  ['Ann Marie Lee', 'Ann Lee', 'compatible', 'middle_name'],
  ['Katherine Johnson', 'Katherine Jonhson', 'compatible', 'typo'],
  ['Anna Schmidt', 'Anna Weber (geb. Schmidt)', 'compatible', 'alias'],
  ['Anna Schmidt', 'Anna Schmidt-Weber', 'compatible', 'middle_name'],
  ['Robert "Bob" Smith', 'Bob Smith', 'same', 'nickname'],
  ['Ann', 'Ann Lee', 'compatible', 'only_given_name'],
  ['Lee', 'Ann Lee', 'unknown', 'only_family_name'],
  ['Anna Schmidt', 'Anna Weber', 'unknown', 'other_family_name'],
  ['王伟', 'Wang Wei', 'unknown', 'other_script'],
  ['info@acme.com', 'Ann Lee', 'unknown', 'not_a_name'],
  ['John Smith', 'John Smith Jr.', 'unknown', 'generation_missing'],
  ['Quentin Quirk 1', 'Quentin Quirk 12', 'different', 'other_number'],
  ['John Smith Sr.', 'John Smith Jr.', 'different', 'other_generation'],
  ['John Smith III', 'John Smith Jr.', 'different', 'other_generation'],
  ['Giuseppe Conti', 'Giuseppe Conti (padre)', 'unknown', 'generation_missing'],
  ['Max Weber (Sohn)', 'Max Weber (Vater)', 'different', 'other_generation'],
  ['John Smith', 'Mary Smith', 'different', 'other_given_name'],
  ['Daniel Novak', 'Daniela Novak', 'different', 'other_given_name'],
  ['Mario Rossi', 'Maria Rossi', 'different', 'other_given_name'],
  ['John A. Smith', 'John B. Smith', 'different', 'other_middle_name'],
  ['Ann Lee', 'Bo Day', 'different'],
  ['A. Lee', 'Bo Lee', 'different'],
  ['Wei Wang', 'Wei Zhang', 'unknown', 'other_family_name'],
  ['Jan de Vries', 'Jan Vries', 'same', 'identical'],
  ['John Smith Jr.', 'John Smith II', 'same'],
  ['Jean Petit', 'Jeanne Petit', 'different', 'other_given_name'],
  ['René Roy', 'Renée Roy', 'different', 'other_given_name'],
  ['Luigi Costa', 'Luigia Costa', 'different', 'other_given_name'],
  ['Chris Hall', 'Christine Hall', 'same', 'unisex_nickname'],
  ['Jing Chen', 'Ying Chen', 'different', 'other_given_name'],
  ['Xiaojing Wang', 'Xiaoying Wang', 'different', 'other_given_name'],
  ['Yong-soo Kim', 'Jong-soo Kim', 'different', 'other_given_name'],
  ['Seo-yeon Choi', 'Seo-yoon Choi', 'different', 'other_middle_name'],
  ['Wei Zhou', 'Wei Zhu', 'unknown', 'other_family_name'],
  ['Jun Ma', 'Joon Ma', 'same', 'spelling'],
  ['Luca Bianchi', 'Luka Bianchi', 'same', 'spelling'],
  ['Julia Weber', 'Yulia Weber', 'same', 'spelling'],
  ['Andreas Bianchi', 'Andreas Binchi', 'compatible', 'typo'],
  ['Ji-hoon Park', 'Jihoon Park', 'same', 'spelling'],
  ['Hyun-woo Jung', 'Hyunwoo Jeong', 'same', 'spelling'],
  ['Karl-Heinz Süß', 'Karlheinz Suess', 'same', 'spelling'],
  ['Willemijn ter Horst', 'Willemijn Terhorst', 'same', 'identical'],
  ['Mohammed Al-Rashid', 'Muhammad Alrashid', 'same', 'nickname'],
  ['Fred Bright', 'Fred Albright', 'unknown', 'other_family_name'],
  ['Hussein Abdel Aziz', 'Hussein Abdulaziz', 'same', 'spelling'],
  ['Mª Carmen Robledo', 'María del Carmen Robledo', 'same', 'identical'],
  ['Kenji Ohno', 'Kenji Ono', 'same', 'spelling'],
  ['María José Salas', 'José María Salas', 'different', 'other_order'],
  ['Quang Minh Đỗ', 'Minh Quang Đỗ', 'different', 'other_order'],
  ['Khalid bin Nasser Al-Dhahiri', 'Nasser bin Khalid Al-Dhahiri', 'different', 'other_order'],
  ['Quang Minh Đỗ', 'Đỗ Quang Minh', 'same', 'word_order'],
  ['Văn Hùng Bùi', 'Văn Hưng Bùi', 'different', 'other_marks'],
  ['Ngọc Anh Hồ', 'Ngọc Ánh Hồ', 'different', 'other_marks'],
  ['Hồ Thuý Hằng', 'Hồ Thúy Hằng', 'same', 'identical'],
  ['Nguyễn Văn Hùng', 'Nguyen Van Hung', 'same', 'identical'],
  ['José García', 'Jose Garcia', 'same', 'identical'],
  ['रमा शर्मा', 'रीमा शर्मा', 'different', 'other_given_name'],
  ['राम शर्मा', 'राम शर्मा', 'same', 'identical'],
  ['やまだ かな', 'やまだ がな', 'different', 'other_given_name'],
  ['田中 健', '田中 健一', 'different', 'other_given_name'],
  ['田中 健', '田中健', 'same', 'spelling'],
  ['Anatoly Belkin', 'Anatoly Belkin ml.', 'unknown', 'generation_missing'],
  ['Bambang Suryadi', 'Bambang Suryadi Putra', 'unknown', 'generation_missing'],
  ['Jan de Vries', 'Ian de Vries', 'different', 'other_given_name'],
  ['Carol Novak', 'Karol Novak', 'different', 'other_given_name'],
  ['Ramesh Kumar', 'Rakesh Kumar', 'different', 'other_given_name'],
  ['Yuki Sato', 'Yuko Sato', 'different', 'other_given_name'],
]

for (const [one, other, outcome, reason] of COMPARED)
  test(`${one} and ${other}: ${outcome}`, () => {
    const comparison = compareNames(one, other)
    assert.equal(comparison.outcome, outcome, JSON.stringify(comparison))
    if (reason !== undefined)
      assert.ok(
        comparison.reasons.some((found) => found === reason),
        JSON.stringify(comparison),
      )
    assert.equal(compareNames(other, one).outcome, outcome, 'symmetric')
  })

test('comparing is symmetric, and a name equals itself', () => {
  const word = fc.constantFrom(
    'Ann',
    'Anna',
    'A.',
    'Lee',
    'Li',
    'Bob',
    'Robert',
    'Müller',
    'Mueller',
    'van',
    'Jr.',
    '王',
  )
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(name, name, (one, other) => {
      assert.equal(compareNames(one, other).outcome, compareNames(other, one).outcome)
      assert.notEqual(compareNames(one, one).outcome, 'different')
    }),
  )
})

// Companies

test('the spellings of one company share a key', () => {
  for (const [key, ...names] of [
    [
      'acme',
      'ACME GmbH',
      'Acme, Inc.',
      'acme',
      'The Acme Co., Ltd.',
      'Acme S.A.',
      'ACME GmbH & Co. KG',
      'Acme A/S',
    ],
    ['muller sohn', 'Müller & Sohn OHG', 'Müller und Sohn'],
    ['ромашка', 'ООО Ромашка', 'Ромашка'],
    ['toyota', 'Toyota K.K.', 'Toyota 株式会社'],
    ['acme', 'Acme Sp. z o.o.', 'Acme s.r.o.', 'PT Acme Tbk'],
  ] as const)
    for (const name of names) assert.equal(companyKey(name), fold(key), name)
})

test('a company that is named like a legal form keeps its name', () => {
  assert.equal(companyKey('Co'), 'co')
  assert.equal(companyKey('SA'), 'sa')
})

test('companies are the same, similar, different or unknown', () => {
  assert.equal(compareCompanies('Acme Inc', 'ACME'), 'same')
  assert.equal(compareCompanies('Acme', 'Acme Robotics'), 'similar')
  assert.equal(compareCompanies('Acme', 'Bolt'), 'different')
  assert.equal(compareCompanies('Acme', null), 'unknown')
  assert.equal(compareCompanies('Bosch', 'Bosh'), 'similar')
  assert.equal(compareCompanies('Mac Miller', 'Miller'), 'different')
})

// Emails

test('a mailbox has one canonical form', () => {
  assert.equal(mailboxOf('J.Smith+news@GoogleMail.com'), 'jsmith@gmail.com')
  assert.equal(mailboxOf('ann+crm@acme.com'), 'ann@acme.com')
  assert.equal(mailboxOf('a.lee@acme.com'), 'a.lee@acme.com')
})

test('mailboxes of roles and families are not personal', () => {
  for (const local of [
    'info',
    'sales',
    'office',
    'kontakt',
    'no-reply',
    'vertrieb',
    'contabilidad',
    'biuro',
    'info-de',
    'sales2',
  ])
    assert.equal(mailboxKindOf(`${local}@acme.com`), 'role', local)
  for (const local of ['family.smith', 'thesmiths', 'familie-meyer', 'smithfamily'])
    assert.equal(mailboxKindOf(`${local}@x.org`), 'family', local)
  for (const local of ['ann.lee', 'alee', 'bob', 'press.ann'])
    assert.equal(mailboxKindOf(`${local}@acme.com`), 'personal', local)
})

test('free providers are not companies', () => {
  assert.ok(isFreemail('a@gmail.com') && isFreemail('a@web.de'))
  assert.ok(!isFreemail('a@acme.com'))
})

// Phones

test('one number has one key in every spelling', () => {
  const spellings = ['+49 170 1234567', '0170/1234567', '0049 170 1234567', '+49 (0)170 1234567']
  assert.equal(new Set(spellings.map(phoneKey)).size, 1)
  assert.equal(phoneKey('12345'), '')
})

test('a number has one key with and without the code of its country, however long the number is', () => {
  for (const [international, national] of [
    ['+45 20 12 34 56', '20123456'],
    ['+852 9123 4567', '9123-4567'],
    ['+965 5123 4567', '51234567'],
    ['+961 3 123 456', '03 123456'],
    ['+972 50-123-4567', '050-1234567'],
    ['+7 912 345-67-89', '8 (912) 345-67-89'],
    ['+39 06 1234567', '06 1234567'],
  ] as const) {
    assert.equal(phoneKey(international), phoneKey(national))
    assert.ok(isSamePhone(international, national), national)
  }
})

test('a numbering plan tells mobiles, and otherwise the label does', () => {
  assert.equal(phoneKindOf(['+49 170 1234567']), 'mobile')
  assert.equal(phoneKindOf(['+49 30 1234567'], ['mobile']), 'landline')
  assert.equal(phoneKindOf(['+1 212 555 0100']), 'mobile')
  assert.equal(phoneKindOf(['+1 212 555 0100'], ['work']), 'landline')
  assert.equal(phoneKindOf(['0170 1234567']), 'unknown')
  assert.equal(phoneKindOf(['0170 1234567', '+49 170 1234567'], ['work']), 'mobile')
})

test('separators make no difference to the key of a number', () => {
  const digit = fc.integer({ min: 0, max: 9 })
  fc.assert(
    fc.property(fc.array(digit, { maxLength: 18 }), fc.nat(6), (digits, at) => {
      const [start, end] = [digits.slice(0, at).join(''), digits.slice(at).join('')]
      const keys = [' ', '-', '', '/'].map((separator) => phoneKey(`+${start}${separator}${end}`))
      assert.equal(new Set(keys).size, 1, `+${start} ${end}: ${keys.join(', ')}`)
    }),
  )
})

test('an extension and a country code tell numbers apart', () => {
  assert.ok(isSamePhone('+49 170 1234567', '0170 1234567'))
  assert.ok(!isSamePhone('+1 212 555 0100 ext. 12', '+1 212 555 0100 ext. 13'))
  assert.ok(!isSamePhone('+44 170 123 4567', '+49 170 1234567'))
  assert.ok(!isSamePhone('', ''))
})

// Edit distance

test('one typo is a distance of one', () => {
  for (const [one, other] of [
    ['smith', 'smyth'],
    ['smith', 'smtih'],
    ['smith', 'smit'],
    ['smith', 'smiith'],
  ] as const)
    assert.equal(editDistance(one, other, 3), 1, `${one} ${other}`)
  assert.equal(editDistance('smith', 'jones', 2), 3)
})

test('the distance is that of the textbook algorithm', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 50 }), (one, other, max) => {
      assert.equal(editDistance(one, other, max), Math.min(textbookDistance(one, other), max + 1))
    }),
  )
})

/** The whole table of the recursion that defines the optimal string alignment distance. */
function textbookDistance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => table[i]?.[j] ?? Infinity
  for (let i = 1; i <= one.length; i += 1)
    for (let j = 1; j <= other.length; j += 1) {
      const substituted = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
          ? at(i - 2, j - 2) + 1
          : Infinity
      const row = table[i]
      if (row) row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, substituted, swapped)
    }
  return at(one.length, other.length)
}

test('companies are the same in two scripts, and by the short names that are known', () => {
  const same = [
    ['Яндекс', 'Yandex LLC'],
    ['ПАО «Ростелеком»', 'Rostelecom'],
    ['Τιτάν', 'Titan'],
    ['PwC', 'PricewaterhouseCoopers GmbH'],
    ['BCG', 'The Boston Consulting Group'],
    ['P&G', 'Procter & Gamble'],
    ['J.P. Morgan', 'JPMorgan Chase & Co.'],
    ['Mac Donald', 'McDonald'],
    ["McDonald's", 'MacDonalds'],
  ] as const
  for (const [one, other] of same) assert.equal(compareCompanies(one, other), 'same', one)
  assert.equal(compareCompanies('Яндекс', 'Google'), 'different')
  assert.equal(compareCompanies('BCG', 'Boston Scientific'), 'different')
  // LSE is also the London Stock Exchange.
  assert.equal(compareCompanies('LSE', 'London School of Economics'), 'different')
})

test('companies with other short words are not one company', () => {
  const different = [
    ['CVS', 'KVS'],
    ['SC Johnson', 'SK Johnson'],
    ['WH Smith', 'VH Smith'],
    ['AA Motors', 'A Motors'],
    ['Kat', 'Cat'],
    ['VW', 'WV'],
  ] as const
  for (const [one, other] of different) assert.equal(compareCompanies(one, other), 'different', one)
  const similar = [
    ['Mac Cosmetics', 'MC Cosmetics'],
    ['Mc Donald', 'Mac Donald'],
    ['КВС', 'CVS'],
  ] as const
  for (const [one, other] of similar) assert.equal(compareCompanies(one, other), 'similar', one)
  assert.equal(compareCompanies('КВС', 'KVS'), 'same')
  assert.equal(compareCompanies('ИКЕА', 'IKEA'), 'same')
})

test('Mac Donald is one family name, but Mac can be a given name', () => {
  for (const [one, other] of [
    ['John Mac Donald', 'John McDonald'],
    ['Mac Donald, John', 'John MacDonald'],
    ['Eoin Mc Carthy', 'Eoin McCarthy'],
  ] as const)
    assert.equal(compareNames(one, other).outcome, 'same', one)
  const parts = { name: 'John Mac Donald', givenName: 'John', familyName: 'Mac Donald' }
  assert.deepEqual(parsePersonName(parts).family, ['macdonald'])
  assert.deepEqual(parsePersonName('Mac Miller').given, ['mac'])
  assert.equal(compareNames('Mac Miller', 'Ann MacMiller').outcome, 'different')
})

const ARABIC: readonly [arabic: string, latin: readonly string[]][] = [
  ['عمر', ['omar', 'umar']],
  ['حداد', ['haddad', 'hadad']],
  ['محمد', ['mohammed', 'muhammad', 'mohamed']],
  ['الراشد', ['alrashid', 'rashid', 'rashed']],
  ['عبدالرحمن', ['abdulrahman', 'abdelrahman']],
  ['فاطمة', ['fatima', 'fatimah']],
  ['يوسف', ['yusuf', 'youssef']],
  ['جمال', ['gamal', 'jamal']],
  ['غسان', ['ghassan']],
  ['علي', ['ali', 'aly']],
]

for (const [arabic, latin] of ARABIC)
  test(`${arabic} has the consonants of ${latin.join(', ')}`, () => {
    for (const name of latin) assert.ok(arabicNameKeys(arabic).includes(latinNameKey(name)), name)
  })

test('a name in Arabic letters has the consonants of no other name', () => {
  for (const [arabic] of ARABIC)
    for (const other of ['martin', 'sara', 'olga', 'john', 'mo', 'mayor', 'é'])
      assert.ok(!arabicNameKeys(arabic).includes(latinNameKey(other)), `${arabic} ${other}`)
  const [persian, spelled] = [arabicNameKeys('حسینی'), arabicNameKeys('حسيني')]
  assert.deepEqual([persian, spelled], [['hsn'], ['hsn']])
})

test('a name in another script has the pattern of its Latin spellings', () => {
  const matches = (word: string, latin: string) => {
    const pattern = latinPatternOf(word)
    return pattern?.starts.has(latin.charAt(0)) === true && pattern.matches(latin)
  }
  const spellings = {
    عمر: 'omar umar amr',
    يوسف: 'yusuf youssef yousef',
    الرشيد: 'rashid alrashid arrasheed',
    משה: 'moshe mosheh',
    כהן: 'cohen kohen',
    지용: 'jiyong jiyoung',
    박: 'park pak bak',
    이: 'lee yi i',
    さとう: 'sato satou satoh',
    しんばし: 'shimbashi shinbashi',
    Махмуд: 'mahmood makhmud mahmoud',
    Джонсон: 'johnson dzhonson',
    Τζον: 'john tzon',
    晓明: 'xiaoming',
    曾: 'zeng ceng',
    吕: 'lu lv',
  }
  for (const [word, latin] of Object.entries(spellings))
    for (const one of latin.split(' ')) assert.ok(matches(word, one), `${word} ${one}`)
  for (const [word, other] of [
    ['عمر', 'rashid'],
    ['משה', 'mosaic'],
    ['김', 'park'],
    ['さとう', 'saito'],
    ['晓明', 'xiaomei'],
    ['Иван', 'john'],
  ] as const)
    assert.ok(!matches(word, other), `${word} ${other}`)
  // With a regular expression, this would take years.
  assert.ok(!matches('اي'.repeat(10), `${'a'.repeat(25)}b`))
  for (const text of ['Ada', 'สมชาย', 'اي'.repeat(50), 'عمر '.repeat(7), 'ع', '김 Kim', '', '1'])
    assert.deepEqual(latinSpellingsOf(text), [], text)
})

test('a Korean name without spaces also has the pattern of its family name', () => {
  const isWritten = (word: string, latin: string) =>
    latinPatternsOf(word).some(
      ({ starts, matches }) => starts.has(latin.charAt(0)) && matches(latin),
    )
  for (const latin of ['han', 'hanjimin']) assert.ok(isWritten('한지민', latin), latin)
  for (const latin of ['ji', 'jimin', 'park']) assert.ok(!isWritten('한지민', latin), latin)
  assert.deepEqual(latinPatternsOf('Ada'), [])
})

test('data files hold normalized words, and lines that relate words have several', () => {
  const { titles, dottedTitles, genders, credentials, generations, particles } = nameAffixes()
  const related = ['forms', 'short forms', 'two names', 'feminine forms'].flatMap(givenNameLines)
  const lists = [...related, ...givenNameLines('unisex'), ...givenNameLines('similar')]
  const words = [...lists.flat(), ...titles, ...credentials, ...generations.keys(), ...particles]
  assert.deepEqual(
    words.filter((word) => fold(word) !== word || !/^[a-z\d]+$/.test(word)),
    [],
  )
  assert.deepEqual(
    related.filter((line) => line.length < 2),
    [],
  )
  assert.deepEqual([...new Set(generations.values())], [1, 2, 3, 4])
  assert.ok([...dottedTitles].every((word) => titles.has(word)))
  assert.deepEqual(new Set(genders.values()), new Set(['male', 'female']))
})

test('a shortened given name with a dot is an initial', () => {
  const { reasons } = compareNames('Sj. Wiersma', 'Sjoerd Wiersma')
  assert.ok(reasons.includes('initial'))
  assert.ok(!compareNames('Sjo Wiersma', 'Sjoerd Wiersma').reasons.includes('initial'))
})
