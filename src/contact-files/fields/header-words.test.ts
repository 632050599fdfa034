import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDataLines, readDataSections } from '../../base/data-file.ts'
import { targetText } from '../../../test/support/target-text.ts'
import { parseTarget, type ColumnTarget } from './column-fields.ts'
import { readHeader } from '../columns/table-columns.ts'

/** What each column of a header becomes. */
function meanings(header: string): string {
  const names = header.split(/[,;]/).map((name) => name.trim())
  const columns = readHeader({ names, sample: [] })
  if (columns === null) return 'unknown'
  return columns.targets
    .map((target) =>
      target === null
        ? '-'
        : target.field === 'numbered'
          ? `${target.kind}#${target.number}.${target.part}`
          : targetText(target as ColumnTarget),
    )
    .join(' ')
}

test('knows column names in many languages', () => {
  const headers: Record<string, string> = {
    'Name,Email,Company,Role': 'name email company title',
    'Vorname;Nachname;Firma;Position;E-Mail-Adresse;Mobiltelefon;Telefon geschäftlich;Ort geschäftlich;PLZ': // prose-ok: a header
      'given_name family_name company title email phone:mobile phone:work city:work postal_code',
    'Prénom,Nom,Société,Fonction,Adresse de messagerie,Téléphone (bureau),Tél. mobile,Ville (bureau)':
      'given_name family_name company title email phone:work phone:mobile city:work',
    'Nombre;Apellidos;Organización;Puesto;Dirección de correo electrónico;Teléfono del trabajo;Teléfono móvil':
      'given_name family_name company title email phone:work phone:mobile',
    'Nome,Cognome,Società,Posizione,Indirizzo posta elettronica,Telefono (uff.),Cellulare,Città (uff.)':
      'given_name family_name company title email phone:work phone:mobile city:work',
    'Nome;Sobrenome;Empresa;Cargo;Endereço de email;Telefone Comercial;Celular;Cidade do Endereço Comercial':
      'given_name family_name company title email phone:work phone:mobile city:work',
    'Voornaam;Achternaam;Bedrijf;Functie;E-mailadres;Telefoon op werk;Mobiele telefoon;Werkadres plaats': // prose-ok: a header
      'given_name family_name company title email phone:work phone:mobile city:work',
    'Imię;Nazwisko;Firma;Stanowisko;Adres e-mail;Telefon służbowy;Telefon komórkowy;Miasto (służbowy)': // prose-ok: a header
      'given_name family_name company title email phone:work phone:mobile city:work',
    'Имя;Фамилия;Организация;Должность;Адрес эл. почты;Рабочий телефон;Мобильный телефон;Город (раб. адрес)':
      'given_name family_name company title email phone:work phone:mobile city:work',
    '姓,名,会社名,役職,電子メール アドレス,会社電話,携帯電話':
      'family_name given_name company title email phone:work phone:mobile',
    '姓,名,单位,职务,电子邮件地址,商务电话,移动电话,商务地址 街道,商务地址 市/县':
      'family_name given_name company title email phone:work phone:mobile street:work city:work',
    '성,이름,회사,직책,이메일,직장 전화,휴대폰':
      'family_name given_name company title email phone:work phone:mobile',
    'Ad;Soyad;Şirket;Unvan;E-posta;İş telefonu;Cep telefonu':
      'given_name family_name company title email phone:work phone:mobile',
    'Förnamn;Efternamn;Företag;Titel;E-post;Mobil':
      'given_name family_name company title email phone:mobile',
    'Fornavn;Efternavn;Virksomhed;Stilling;E-mail;Mobiltelefon': // prose-ok: a header
      'given_name family_name company title email phone:mobile',
    'Jméno;Příjmení;Společnost;Pozice;E-mail;Mobilní telefon': // prose-ok: a header
      'given_name family_name company title email phone:mobile',
    'Vezetéknév;Keresztnév;Cég;Beosztás;E-mail cím;Telefonszám': // prose-ok: a header
      'family_name given_name company title email phone',
    'Nume,Prenume,Companie,Funcție,E-mail,Telefon': // prose-ok: a header
      'family_name given_name company title email phone',
    "Ім'я;Прізвище;Компанія;Посада;Електронна пошта;Телефон":
      'given_name family_name company title email phone',
    'Όνομα;Επώνυμο;Εταιρεία;Email;Κινητό': 'given_name family_name company email phone:mobile',
    'Etunimi;Sukunimi;Yritys;Sähköposti;Puhelin': 'given_name family_name company email phone',
    'Imię i nazwisko,Firma,E-mail': 'name company email', // prose-ok: a header
    'Nom,Entreprise,Courriel': 'name company email',
    'الاسم,البريد الإلكتروني,الهاتف': 'name email -',
  }
  for (const [header, expected] of Object.entries(headers))
    assert.equal(meanings(header), expected, header)
})

test('a remark in parentheses does not hide the name of a column, unless it is about someone else', () => {
  const header =
    'Name (surname first),Mobile no. (with area code),手机（台灣）,Phone (work),Phone [ext. 5]'
  assert.equal(meanings(header), 'name phone:mobile phone:mobile phone:work phone')
  assert.equal(
    meanings('Name,Email,Phone (emergency contact),Birthday (spouse),Name (company)'),
    'name email - - -',
  )
})

test('letters that people write without their marks', () => {
  assert.equal(
    meanings('ADI,SOYADI,E-POSTA ADRESI,DOGUM TARIHI,Telefon sluzbowy,Strasse,Fodselsdato'),
    'given_name family_name email birthday phone:work street birthday',
  )
})

test('the last column of LinkedIn is recognized in languages whose name for it is not known', () => {
  const names = 'First Name,Last Name,URL,Email Address,Company,Position,Połączenie od dnia'.split(
    ',',
  )
  const row = (date: string) => ['Ann', 'Lee', '', '', 'Fjord', 'Pilot', date]
  const last = (...dates: string[]) =>
    readHeader({ names, sample: dates.map(row) })?.targets.at(-1)?.field
  assert.equal(last('9 cze 2022', '1 sty 2023'), 'connected_on')
  assert.equal(last('9 cze 2022', 'soon'), undefined)
  assert.equal(last(), undefined)
})

test('a column named Address that holds email addresses is one of emails', () => {
  const fields = (...cells: string[]) =>
    readHeader({
      names: ['Name', 'Address'],
      sample: cells.map((cell) => ['Ann Lee', cell]),
    })?.targets.map((target) => target?.field)
  assert.deepEqual(fields('ann@lee.example', 'bo@lee.example'), ['name', 'email'])
  assert.deepEqual(fields('1 High St, Leeds', 'bo@lee.example'), ['name', 'address'])
})

test('columns of emails and phone numbers of others are not those of the person', () => {
  const header =
    'Name,Email,Phone,Owner Email,E-Mail Vater,Spouse phone,Emergency number,Backup line' // prose-ok: a header
  const [email, phone] = ['a@x.example', '+44 20 7946 0101']
  const row = ['Ann Lee', email, phone, email, email, phone, phone, phone]
  const targets = readHeader({ names: header.split(','), sample: [row] })?.targets ?? []
  assert.deepEqual(
    targets.map((target) => (target === null ? '-' : targetText(target as ColumnTarget))),
    ['name', 'email', 'phone', '-', '-', '-', '-', 'phone:Backup line'],
  )
  // Without a column of their own, people are reached by those of others.
  const only = readHeader({ names: ['Kind', 'E-Mail Mutter'], sample: [['Lea', email]] })?.targets // prose-ok: a header
  assert.equal(only, undefined)
  const child = readHeader({
    names: ['Kind', 'Adresse', 'E-Mail Mutter'], // prose-ok: a header
    sample: [['Lea Vogt', 'Am Anger 1', email]],
  })
  assert.deepEqual(child?.targets.at(-1), { field: 'email', label: 'E-Mail Mutter' }) // prose-ok: a header
})

test('names of columns without articles, as questions, and for an ID or a part of an address', () => {
  const header =
    'DATE_NAISSANCE,Fecha nacimiento,Which company do you work for?,Your phone number,Reporting To.id,Email ID,Location (City),House number of Postal address,Birthdate__c'
  assert.equal(meanings(header), 'birthday birthday company phone - email city street birthday')
})

const DATA = new URL('data/', import.meta.url)

test('every line of the data files has a known meaning and names', () => {
  const { label: labels = [], compound: compounds = [] } = Object.fromEntries(
    readDataSections(new URL('label-names.txt', DATA)),
  )
  const columns = readDataLines(new URL('column-names.txt', DATA))
  for (const line of [...columns, ...labels])
    assert.match(line, /^[a-zA-Z_]+(?::[a-zA-Z ]+)? = [^|=]*[^|= ](?: \| [^|= ][^|=]*)*$/)
  const unknown = columns
    .map((line) => line.split(' = ')[0] ?? '')
    .filter((target) => !OTHER_TARGETS.test(target) && parseTarget(target) === null)
  assert.deepEqual(unknown, [])
  const known = new Set(labels.map((line) => line.split(' = ')[0]))
  for (const line of compounds) assert.ok(known.has(line.split(' ')[1]), line)
})

const OTHER_TARGETS =
  /^(?:technical|given_or_name|family_or_name|(?:birthday|anniversary)_part:(?:year|month|day))$/
