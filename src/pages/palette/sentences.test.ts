import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { PALETTE_PATH } from '../../html/site-map.ts'

/** Today is Saturday, 21 November 2026. */
const PEOPLE = [
  { name: 'Sofia Khan', company: 'Mosaic Bank', emails: ['sofia@mosaic.example'] },
  { name: 'Wanda Silva', title: 'Nurse', company: 'Heron Health' },
  { name: 'Emil Kowalski', location: 'Berlin' },
  { name: 'Jonas Novák' },
  { name: 'Jonas Nakamura' },
  { name: 'Beatriz Costa' },
  { name: 'Mei Lindqvist' },
  { name: 'May Frost' },
  { name: 'Mark Lund' },
  { name: 'Will Post' },
  { name: 'Otto Berg', note: 'Plays the cello. Lunch on Friday, call tomorrow.' },
  { name: 'Anna Kaffee' },
]

/** A sentence, and how the first row begins; without one, no row at the top acts. */
type Row = readonly [sentence: string, first?: string]

const ENGLISH: readonly Row[] = [
  ['note Sofia Khan: allergic to nuts', 'Add a note to Sofia Khan allergic to nuts'],
  ['note on Sofia Khan allergic to nuts', 'Add a note to Sofia Khan allergic to nuts'],
  ['Sofia Khan: allergic to nuts', 'Add a note to Sofia Khan allergic to nuts'],
  ['Sofia Khan is allergic to nuts', 'Add a note to Sofia Khan is allergic to nuts'],
  ['note sofia khan: call her tomorrow', 'Add a note to Sofia Khan call her tomorrow'],
  ['lunch Sofia Khan yesterday', 'Log a meeting with Sofia Khan · Fri 20 Nov'],
  [
    'had lunch with Wanda Silva yesterday about the cello',
    'Log a meeting with Wanda Silva · Fri 20 Nov Lunch with Wanda Silva about the cello',
  ],
  ['called Emil Kowalski on Friday', 'Log a call with Emil Kowalski · Fri 20 Nov'],
  ['coffee with Sofia Khan', 'Log a meeting with Sofia Khan · Sat 21 Nov'],
  ['met Wanda Silva', 'Log a meeting with Wanda Silva · Sat 21 Nov'],
  ['emailed Wanda Silva on 12 November', 'Log an email with Wanda Silva · Thu 12 Nov'],
  [
    'spoke to Jonas Novák on Thursday about funding',
    'Log a call with Jonas Novák · Thu 19 Nov Spoke to Jonas Novák about funding',
  ],
  ['zoom with Sofia Khan last Tuesday', 'Log a call with Sofia Khan · Tue 17 Nov'],
  ['log Sofia Khan', 'Log contact: Sofia Khan'],
  ['had coffee with Jonas yesterday', 'Log a meeting with Jonas Nakamura · Fri 20 Nov'],
  [
    'call Emil Kowalski tomorrow',
    'Add a follow-up for Emil Kowalski · Sun 22 Nov Call Emil Kowalski',
  ],
  [
    'send the deck to Beatriz tomorrow',
    'Add a follow-up for Beatriz Costa · Sun 22 Nov Send the deck to Beatriz',
  ],
  ['buy milk tomorrow', 'Add a follow-up · Sun 22 Nov Buy milk'],
  ['I will call the bank tomorrow', 'Add a follow-up · Sun 22 Nov I will call the bank'],
  [
    'remind me to call Emil Kowalski on Friday',
    'Add a follow-up for Emil Kowalski · Fri 27 Nov Call Emil Kowalski',
  ],
  ['remind me to buy milk', 'Add a follow-up · Sun 22 Nov Buy milk'],
  ['call the bank on Friday', 'Add a follow-up · Fri 27 Nov Call the bank'],
  [
    'dinner with Sofia Khan on 5 December',
    'Add a follow-up for Sofia Khan · Sat 5 Dec Dinner with Sofia Khan',
  ],
  ['renew passport next week', 'Add a follow-up · Mon 23 Nov Renew passport'],
  [
    'follow up with Wanda Silva in two weeks',
    'Add a follow-up for Wanda Silva · Sat 5 Dec Follow up with Wanda Silva',
  ],
  [
    'introduce Wanda Silva to Jonas Novák next week',
    'Add a follow-up for Wanda Silva · Mon 23 Nov Introduce Wanda Silva to Jonas Novák',
  ],
  ['stay in touch with Emil Kowalski every month', 'Set the cadence of Emil Kowalski Every month'],
  [
    'keep in touch with Emil Kowalski every 6 weeks',
    'Set the cadence of Emil Kowalski Every 6 weeks',
  ],
  ['tag Emil Kowalski climate', 'Tag Emil Kowalski with climate'],
  ['tag Wanda Silva with advisor', 'Tag Wanda Silva with advisor'],
  ['birthday Mei Lindqvist 3 May 1986', 'Set the birthday of Mei Lindqvist 3 May 1986'],
  [
    'add Otto Krähe otto@kraehe.example from Mosaic Bank',
    'Add person: Otto Krähe otto@kraehe.example · Mosaic Bank',
  ],
  ['new person Ana Lima, nurse at Heron Health', 'Add person: Ana Lima nurse · Heron Health'],
  ['add Ana Lima ana@heron.example', 'Add person: Ana Lima ana@heron.example'],
  [
    'new contact Lea Kern +49 40 123456, nurse at Heron Health',
    'Add person: Lea Kern +49 40 123456 · nurse · Heron Health',
  ],
  ['add note to Sofia Khan', 'Add a note to Sofia Khan'],
  ['add tag climate to Emil Kowalski', 'Tag Emil Kowalski with climate'],
  ['remember that Beatriz moved to Porto', 'Add a note to Beatriz Costa moved to Porto'],
  ['reach out to Mei Lindqvist every quarter', 'Set the cadence of Mei Lindqvist Every 3 months'],
  ['Sofia Khan'],
  ['sofia khan mosaic bank'],
  ['people in Berlin'],
  ['climate investors in Lisbon'],
  ['met in 2021'],
  ['who did I meet yesterday'],
  ['who met Wanda Silva yesterday'],
  ['did I call Sofia Khan yesterday?'],
  ['people I met last week'],
  ['people not contacted since June'],
  ['who can introduce me to Heron Health', 'Find introductions Heron Health'],
  ['Who can introduce me to Heron Health?', 'Find introductions Heron Health'],
  ['people I have not talked to for a year', 'All results for'],
  ['not contacted for 3 months'],
  ['birthdays this month'],
  ['birthdays tomorrow'],
  ['birthday tomorrow'],
  ['notes about cello'],
  ['May Frost'],
  ['Mark'],
  ['call'],
  ['note'],
  ['lunch'],
  ['tomorrow'],
  ['people to call this week'],
  ['who works at Mosaic Bank'],
  ['Mosaic Bank'],
  ['nurse at Heron Health'],
  ['follow-ups tomorrow'],
  ['due this week'],
  ['added yesterday'],
  ['Sofia Kahn'],
  ['note Sofia Kahn: nuts', 'Add a note to Sofia Khan nuts'],
  ['email Sofia Khan', 'Write to Sofia Khan sofia@mosaic.example'],
  ['write to Sofia', 'Write to Sofia Khan sofia@mosaic.example'],
  ['send Sofia Khan an email about the trip', 'Write to Sofia Khan sofia@mosaic.example · Trip'],
  ['email Emil Kowalski', 'Add an email for Emil Kowalski No email on file.'],
  ['log email Sofia Khan', 'Log an email with Sofia Khan · Sat 21 Nov'],
  ['emailed Sofia Khan yesterday', 'Log an email with Sofia Khan · Fri 20 Nov'],
  ['email with Sofia Khan yesterday', 'Log an email with Sofia Khan · Fri 20 Nov'],
  ['email Sofia Khan tomorrow', 'Add a follow-up for Sofia Khan · Sun 22 Nov Email Sofia Khan'],
  ['tag Mei as ceramics', 'Tag Mei Lindqvist with ceramics'],
  ['stay in touch with Beatriz monthly', 'Set the cadence of Beatriz Costa Every month'],
  ['call Beatriz every 2 weeks', 'Set the cadence of Beatriz Costa Every 2 weeks'],
  ['open Otto Berg', 'Otto Berg'],
  ['find people like Otto Berg'],
  ['write'],
  ['send the deck'],
  ['email'],
  ['delete Otto Berg'],
  ['delete Otto Berg tomorrow'],
  ['everyone tagged climate'],
  ['moved to Berlin this year'],
  ['engineers I met on Friday'],
  ['did not meet Wanda Silva yesterday'],
  ['had lunch with Zora Unknown yesterday'],
]

const GERMAN: readonly Row[] = [
  [
    'Notiz Sofia Khan: allergisch gegen Nüsse',
    'Sofia Khan: Notiz hinzufügen allergisch gegen Nüsse',
  ],
  ['Sofia Khan: mag Rotwein', 'Sofia Khan: Notiz hinzufügen mag Rotwein'],
  ['gestern mit Wanda Silva Kaffee getrunken', 'Treffen mit Wanda Silva eintragen · Fr. 20. Nov.'],
  ['Mittagessen mit Sofia Khan gestern', 'Treffen mit Sofia Khan eintragen · Fr. 20. Nov.'],
  ['mit Emil Kowalski telefoniert', 'Anruf mit Emil Kowalski eintragen · Sa. 21. Nov.'],
  [
    'habe Jonas Novák am Donnerstag wegen Förderung getroffen',
    'Treffen mit Jonas Novák eintragen · Do',
  ],
  ['Emil Kowalski morgen anrufen', 'Wiedervorlage für Emil Kowalski hinzufügen · So. 22. Nov.'],
  ['morgen Milch kaufen', 'Wiedervorlage hinzufügen · So. 22. Nov. Milch kaufen'],
  [
    'Präsentation morgen an Beatriz schicken',
    'Wiedervorlage für Beatriz Costa hinzufügen · So. 22. Nov.',
  ],
  [
    'erinnere mich am Freitag an den Anruf bei Emil Kowalski',
    'Wiedervorlage für Emil Kowalski hinzufügen · Fr',
  ],
  [
    'mit Emil Kowalski jeden Monat in Kontakt bleiben',
    'Rhythmus von Emil Kowalski festlegen Jeden Monat',
  ],
  ['Emil Kowalski alle 6 Wochen', 'Rhythmus von Emil Kowalski festlegen Alle 6 Wochen'],
  [
    'neue Person Otto Krähe otto@kraehe.example von der Mosaic Bank',
    'Person hinzufügen: Otto Krähe otto@kraehe.example · Mosaic Bank',
  ],
  ['Geburtstag Mei Lindqvist 3. Mai 1986', 'Geburtstag von Mei Lindqvist festlegen 3. Mai 1986'],
  ['Schlagwort Emil Kowalski Klima', 'Emil Kowalski: Schlagwort Klima'],
  ['gestern mit Jonas Kaffee getrunken', 'Treffen mit Jonas N'],
  ['E-Mail an Sofia Khan', 'Sofia Khan schreiben sofia@mosaic.example'], // prose-ok: German
  ['schreibe Sofia eine E-Mail', 'Sofia Khan schreiben sofia@mosaic.example'], // prose-ok: German
  ['E-Mail an Sofia Khan notieren', 'E-Mail mit Sofia Khan eintragen · Sa. 21. Nov.'], // prose-ok: German
  ['E-Mail an Emil Kowalski', 'E-Mail-Adresse für Emil Kowalski hinzufügen'], // prose-ok: German
  ['Beatriz mit Tee markieren', 'Beatriz Costa: Schlagwort Tee'],
  ['Beatriz monatlich anrufen', 'Rhythmus von Beatriz Costa festlegen Jeden Monat'],
  ['zeige Otto Berg', 'Otto Berg'],
  ['Personen in Berlin'],
  ['wen habe ich gestern getroffen'],
  ['Geburtstage diesen Monat'],
  ['Geburtstag morgen'],
  ['letzte Woche getroffen'],
  ['seit Juni nicht gesprochen'],
  ['Kaffeerösterei'],
  ['Notizen über Cello'],
  ['Jonas'],
  ['wer arbeitet bei Mosaic Bank'],
  ['wer kann mich bei Heron Health vorstellen', 'Vermittler finden Heron Health'],
  ['Otto Berg morgen Wanda Silva vorstellen', 'Wiedervorlage für Otto Berg hinzufügen'],
  ['Personen, mit denen ich seit einem Jahr nicht gesprochen habe', 'Alle Treffer'],
  ['Sofia Khan'],
  ['morgen'],
  ['gestern hinzugefügt'],
  ['fällig diese Woche'],
  ['nicht mit Wanda Silva gesprochen'],
]

/** Labels of rows that act by what the sentence says. */
const ACTING =
  /^(?:Add a |Log a|Set the (?:cadence|birthday) of|Tag \S+ \S+ with|Add person:|Log contact:|.*: Notiz hinzufügen|.* eintragen ·|Wiedervorlage |Rhythmus von|Geburtstag von|Person hinzufügen:|.*: Schlagwort \S|Write to|Add an email|.* schreiben )/

for (const [language, rows] of [
  ['en', ENGLISH],
  ['de', GERMAN],
] as const)
  test(`sentences are read as actions, and searches are not (${language})`, async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    await ada.ask('add_connections', { connections: PEOPLE })
    const wrong: string[] = []
    for (const [q, first] of rows) {
      const { html } = await ada.visitor.get(
        `${PALETTE_PATH}?${new URLSearchParams({ q }).toString()}`,
        { 'accept-language': language },
      )
      const shown = firstRow(html)
      const isRight = first === undefined ? !ACTING.test(shown) : shown.startsWith(first)
      if (!isRight) wrong.push(`${q}\n  shows  ${shown}\n  not    ${first ?? 'a search'}`)
    }
    assert.deepEqual(wrong, [], wrong.join('\n'))
  })

function firstRow(html: string): string {
  const [, row = ''] = /<li>(.*?)<\/li>/su.exec(html.split('class="found"')[1] ?? '') ?? []
  return row
    .replaceAll(/<\/?mark>|<span class="face.*?<\/span>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
}
