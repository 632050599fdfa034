// Names of columns as people in ten languages write them in their own tables and as programs export them: with and
// without accents, in capitals, with units and remarks in parentheses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetText } from '../../test/support/target-text.ts'
import type { ColumnTarget } from './fields/column-fields.ts'
import { targetNamed } from './fields/header-words.ts'

/** In the order of the names of every language. */
const MEANINGS = [
  'given_name',
  'family_name',
  'email',
  'email:home',
  'phone',
  'phone:mobile',
  'phone:work',
  'phone:home',
  'company',
  'title',
  'department',
  'street',
  'city',
  'postal_code',
  'country',
  'address',
  'birthday',
  'url',
  'note',
  'tags',
  'relation:spouse',
  'name',
  'nickname',
  'city:work',
  'phone:mobile',
]

const LANGUAGES: Readonly<Record<string, string>> = {
  Norwegian:
    'FORNAVN|Etternavn|E-postadresse|Privat e-post|Telefonnr.|Mobilnummer|Telefon, arbeid|Telefon privat|Arbeidsgiver|Yrkestittel|Avdeling|Gateadresse|Poststed|Postnr|Land|Adresse (hjem og post)|Fødselsdato|Nettside|Merknader|Etiketter|Ektefelle|Fullt navn|Kallenavn|Poststed, arbeid|MOBIL (uten landkode)',
  Finnish:
    'etunimi|SUKUNIMI|Sähköpostiosoite|Oma sähköposti|Puhelinnumero|Matkapuhelinnumero|Työpuhelin|Kotipuhelin|Työnantaja|Tehtävä|Osasto|Katuosoite|Postitoimipaikka|Postinro|Maa|Osoite|Syntymäaika|Verkkosivusto|Huomioita|Tunnisteet|Puoliso|Koko nimi|Lempinimi|Työosoitteen postitoimipaikka|KÄNNYKKÄ (GSM)',
  Hungarian:
    'Keresztnév|Vezeteknev|E-mail-cím|Magán e-mail|Telefonszám|Mobilszám|Munkahelyi telefon|Otthoni telefon|Munkahely|Beosztas|Részleg|Utca, házszám|Varos|Irsz.|Ország/régió|Lakcím|Születési idő|Honlap|Jegyzetek|Kategóriák|Házastárs|Teljes név|Becenév|Munkahelyi cím – város|Mobil (csak magyar)', // prose-ok: a header
  Greek:
    'Όνομα|ΕΠΩΝΥΜΟ|Διεύθυνση ηλεκτρονικού ταχυδρομείου|Προσωπικό email|Αριθμός τηλεφώνου|Κινητο τηλεφωνο|Τηλέφωνο εργασίας|Τηλέφωνο οικίας|Εταιρία|Θέση εργασίας|Τμήμα|Οδός και αριθμός|ΠΟΛΗ|Τ.Κ.|Χώρα|Διεύθυνση κατοικίας|Ημ. γέννησης|Ιστότοπος|Σχόλια|Ετικέτες|Σύζυγος|Ονοματεπώνυμο|Ψευδώνυμο|Πόλη εργασίας|Κινητό (αν υπάρχει)',
  Romanian:
    'Prenumele|Nume de familie|Adresa de e-mail|E-mail personal|Nr. telefon|Telefon mobil|Telefon serviciu|Telefon acasa|Firma|Functie|Compartiment|Strada|Localitate|Cod postal|Tara|Adresa (domiciliu)|Data nasterii|Site web|Observatii|Etichete|Sot/Sotie|Nume si prenume|Porecla|Oraș (serviciu)|MOBIL (07xx)', // prose-ok: a header
  Ukrainian:
    'Імʼя|ПРІЗВИЩЕ|Адреса ел. пошти|Особиста пошта|Номер телефону|Мобільний|Робочий телефон|Домашній телефон|Місце роботи|Посада|Підрозділ|Вулиця|Місто|Поштовий індекс|Країна|Адреса проживання|Дата народж.|Вебсайт|Коментар|Мітки|Чоловік/дружина|ПІБ|Прізвисько|Місто (робоче)|Моб. тел.',
  Vietnamese:
    'Tên gọi|HỌ|Địa chỉ email|Email cá nhân|Số ĐT|Di động|Điện thoại cơ quan|Điện thoại nhà|Tên công ty|Chức vụ|Phòng/Ban|Đường|Thành phố|Mã bưu điện|Quốc gia|Dia chi|Ngày sinh (dd/mm/yyyy)|Trang web|Ghi chú thêm|Nhãn|Vợ/chồng|Họ và tên|Biệt danh|Thành phố (cơ quan)|SĐT DI ĐỘNG',
  Indonesian:
    'Nama depan|Nama Belakang|Alamat e-mail|Email pribadi|No. Telp|Nomor HP|Telepon kantor|Telepon rumah|Nama perusahaan|Jabatan|Bagian|Jalan|KOTA|Kode Pos|Negara|Alamat lengkap|Tgl. Lahir|Situs web|Keterangan|Label|Suami/istri|Nama lengkap|Nama panggilan|Kota (kantor)|No. HP (aktif)', // prose-ok: a header
  Hebrew:
    'שם פרטי|שם משפחה|כתובת דוא"ל|דוא"ל אישי|מספר טלפון|טלפון נייד|טלפון בעבודה|טלפון בבית|מקום עבודה|תואר תפקיד|מחלקה|רחוב|עיר|מיקוד|ארץ|כתובת מלאה|תאריך לידה (לועזי)|אתר אינטרנט|הערה|תגיות|בן/בת זוג|שם מלא|כינוי|עיר (עבודה)|מס\' נייד',
  'Traditional Chinese':
    '名字|姓氏|電子郵件信箱|個人電子郵件|聯絡電話|手機號碼|公司電話|住家電話|公司名稱|職稱|單位部門|街道地址|城市|郵遞區號|國家/地區|通訊地址|出生日期|網址|附註|標籤|配偶|中文姓名|綽號|商務 - 市/縣|行動電話（台灣）',
}

for (const [language, names] of Object.entries(LANGUAGES))
  test(`the names of 25 columns in ${language}`, () => {
    const read = names.split('|').map((name) => {
      const target = targetNamed(name)
      return [name, target === null ? 'unknown' : targetText(plain(target as ColumnTarget))]
    })
    const expected = names.split('|').map((name, at) => [name, MEANINGS[at]])
    assert.deepEqual(read, expected)
  })

/** A word that is a full name in a table without family names is a given name. */
function plain(target: ColumnTarget): ColumnTarget {
  const field: string = target.field
  if (field === 'given_or_name') return { field: 'given_name' }
  return field === 'family_or_name' ? { field: 'family_name' } : target
}
