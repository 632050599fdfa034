// Distinguishes LinkedIn's, Google's and Outlook's exports from other tables, because values from the same kind of file
// replace each other.

import type { ImportFormat } from '../contact/contact.ts'
import { plainHeader } from './header-words.ts'
import { isOwnTable, type ColumnRole } from './column-roles.ts'

type TableFormat = Exclude<ImportFormat, 'vcard'>

interface Header {
  /** In the format of `plainHeader`. */
  readonly plain: readonly string[]
  readonly targets: readonly (ColumnRole | null)[]
  readonly hint?: ImportFormat | 'auto'
}

export function formatOf({ plain, targets, hint }: Header): TableFormat {
  const fields = new Set(targets.map((target) => target?.field))
  if (isOwnTable(targets)) return 'google'
  if (fields.has('connected_on') || isPlainLinkedin(plain, targets)) return 'linkedin'
  if (plain.some((name) => GOOGLE.test(name)) || ORGANIZATION.every((name) => plain.includes(name)))
    return 'google'
  const named = fields.has('given_name') || fields.has('family_name')
  if (named && plain.some((name) => OUTLOOK.has(name))) return 'outlook'
  return hint === 'linkedin' || hint === 'google' || hint === 'outlook' ? hint : 'table'
}

/** Some of LinkedIn's columns, and no other known ones. */
function isPlainLinkedin(
  plain: readonly string[],
  targets: readonly (ColumnRole | null)[],
): boolean {
  const own = plain.filter((name) => LINKEDIN.has(name)).length
  const others = targets.filter(
    (target, at) => target !== null && !LINKEDIN.has(plain[at] ?? ''),
  ).length
  return (
    plain.includes('first name') &&
    plain.includes('last name') &&
    own >= 3 &&
    others === 0 &&
    plain.length <= own + 1
  )
}

const LINKEDIN: ReadonlySet<string> = new Set([
  'first name',
  'last name',
  'url',
  'profile url',
  'linkedin url',
  'linkedin profile',
  'email address',
  'email',
  'company',
  'position',
  'title',
])

const GOOGLE =
  /^(?:(?:e mail|phone|address|organization|website) \d+ (?:value|formatted|name|title)|group membership|given name|file as)$/ // prose-ok: Google's headers
const ORGANIZATION = ['organization name', 'organization title']

/** Column names that only Outlook uses, in its languages. */
const OUTLOOK: ReadonlySet<string> = new Set(
  [
    [
      'E-mail Address', // prose-ok: a header
      'E-mail 2 Address', // prose-ok: a header
      'Business Street',
      'Business City',
      'Business Phone',
      'Business Fax',
      'Business State',
      'Business Country',
      'Business Country/Region',
      'Company Main Phone',
    ], // prose-ok
    [
      'E-Mail-Adresse', // prose-ok: a header
      'E-Mail 2: Adresse', // prose-ok: a header
      'Straße geschäftlich',
      'Ort geschäftlich',
      'Telefon geschäftlich',
      'Telefon (geschäftlich)',
    ], // prose-ok
    ['Adresse de messagerie', 'Rue (bureau)', 'Ville (bureau)', 'Téléphone (bureau)'],
    [
      'Dirección de correo electrónico',
      'Calle del trabajo',
      'Ciudad de trabajo',
      'Teléfono del trabajo',
    ],
    [
      'Indirizzo posta elettronica',
      'Via (uff.)',
      'Città (uff.)',
      'Telefono (uff.)',
      'Telefono ufficio',
    ],
    ['Endereço de email', 'Endereço de Email', 'Rua do Endereço Comercial', 'Telefone Comercial'],
    ['E-mailadres', 'Werkadres, straat', 'Werkadres, plaats', 'Telefoon op werk'], // prose-ok
    ['Adres e-mail', 'Ulica (służbowy)', 'Ulica - praca', 'Telefon służbowy'], // prose-ok
    ['Адрес эл. почты', 'Улица (раб. адрес)', 'Рабочий телефон'],
    ['電子メール アドレス', '番地 (会社)', '会社電話', '会社電話 2'],
    ['电子邮件地址', '商务地址 街道', '商务电话'],
    ['電子郵件地址', '商務電話', '商務 - 街'],
    ['전자 메일 주소', '근무지 전화', '회사 전화'],
  ]
    .flat()
    .map(plainHeader),
)
