/** Hand-written pairs for which simple rules are wrong. Every other one is held out. */

import { record } from './records.ts'
import type { LabelledPair } from './pairs.ts'

const IN = 'https://www.linkedin.com/in/'

export const HARD_CASES: readonly LabelledPair[] = [
  same(
    { name: 'Ann Lee', company: 'Acme', emails: ['ann@acme.example'] },
    { name: 'Ann Lee', emails: ['ann+work@acme.example'] },
  ),
  same(
    { name: 'Bob Ross', profileUrl: `${IN}bobross` },
    { name: 'Robert N. Ross', profileUrl: `${IN}bobross` },
  ),
  same(
    { name: 'Hans-Peter Maier', company: 'Bolt AG' },
    { name: 'Hans Peter Maier', company: 'Bolt', phones: ['+49 89 123456'] },
  ),
  same(
    { name: 'María José García López', emails: ['mjgarcia@correo.example'] },
    { name: 'María José García', emails: ['mjgarcia@correo.example'] },
  ),
  same(
    { name: 'Sinéad O’Brien', company: 'Kells' },
    { name: "Sinead O'Brien", company: 'Kells Ltd' },
  ),
  same(
    { name: 'van der Berg, Jan', company: 'Delta BV' },
    { name: 'Jan van der Berg', company: 'Delta B.V.' },
  ),
  same(
    { name: '王伟', profileUrl: `${IN}wei-wang-7` },
    { name: 'Wei Wang', profileUrl: `${IN}wei-wang-7` },
  ),
  same(
    { name: 'Ludwig von Tann', phones: ['0170 5550101'] },
    { name: 'Ludwig Tann', phones: ['+49 170 5550101'] },
  ),
  same(
    { name: 'Robert "Bob" Kaye', company: 'Umber' },
    { name: 'Bob Kaye', company: 'Umber, Inc.' },
  ),
  same(
    { name: 'Anna Weber née Schmidt', emails: ['anna.s@gmx.de'] },
    { name: 'Anna Schmidt', emails: ['anna.s@gmx.de'] },
  ),
  same(
    { name: 'Dr. med. Eva Hartl', company: 'Klinikum Süd' },
    { name: 'Eva Hartl', company: 'Klinikum Sued' },
  ),
  same(
    { name: 'ola.nordmann@firma.example', emails: ['ola.nordmann@firma.example'] },
    { name: 'Ola Nordmann', emails: ['ola.nordmann@firma.example'] },
  ),
  same(
    { name: 'Catherine Ames', birthday: '1980-02-03', emails: ['cames@icloud.com'] },
    { name: 'Cathy Ames', birthday: '1980-02-03', emails: ['cames@icloud.com'] },
  ),
  same(
    { name: 'J. R. Hartley', company: 'Fly Books' },
    { name: 'John R. Hartley', company: 'Fly Books', emails: ['jr@fly.example'] },
  ),
  same({ name: 'Mehmet Öztürk', company: 'Işık A.Ş.' }, { name: 'Mehmet Ozturk', company: 'Isik' }),
  same(
    { name: 'Ivan Petrenko', phones: ['+380 44 555 0101'] },
    { name: 'Іван Петренко', phones: ['+380445550101'] },
  ),
  same(
    { name: 'Lee Chan', company: 'Ha Logistics' },
    { name: 'Chan Lee', company: 'Ha Logistics' },
  ),
  same(
    { name: 'Sofia Rossi', emails: ['s.rossi@gmail.com'] },
    { name: 'Sofia Rossi', emails: ['srossi@gmail.com'], company: 'Vela' },
  ),
  same(
    { name: 'Tom Ng', profileUrl: `${IN}tomng-82a91b`, emails: ['tom@ng.example'] },
    { name: 'Tom Ng', profileUrl: `${IN}tomng`, emails: ['tom@ng.example'] },
  ),
  same(
    { name: 'Jonathon Smithers', company: 'Acme', phones: ['+1 212 555 0188'] },
    { name: 'Jonathan Smithers', company: 'Acme', phones: ['+1 212 555 0188'] },
  ),
  same({ name: 'Юлия Смирнова', company: 'Яндекс' }, { name: 'Yulia Smirnova', company: 'Yandex' }),
  same(
    { name: 'Щербаков Алексей', company: 'ПАО «Лукойл»' },
    { name: 'Alexey Shcherbakov', company: 'Lukoil' },
  ),
  same(
    { name: 'Γιώργος Παπαδόπουλος', company: 'Τιτάν' },
    { name: 'Giorgos Papadopoulos', company: 'Titan' },
  ),
  same(
    { name: 'Олександр Коваленко', company: 'Київстар' },
    { name: 'Oleksandr Kovalenko', company: 'Kyivstar' },
  ),
  same(
    { name: 'Ann Keller', company: 'BCG' },
    { name: 'Ann Keller', company: 'Boston Consulting Group' },
  ),
  same(
    { name: 'John Mac Donald', company: 'PwC' },
    { name: 'John McDonald', company: 'PricewaterhouseCoopers' },
  ),
  different(
    { name: 'Юлия Смирнова', company: 'Яндекс', emails: ['yulia@yandex.example'] },
    { name: 'Yulia Smirnova', company: 'Yandex', emails: ['smirnova.y@yandex.example'] },
  ),
  different(
    { name: 'Наталья Иванова', company: 'Сбербанк' },
    {
      name: 'Natalia Ivanova',
      company: 'Sberbank',
      phones: ['+7 495 555 01 01'],
      location: 'Kazan',
    },
  ),
  different(
    { name: 'Алексей Смирнов', company: 'Газпром' },
    { name: 'Alexey Smirnov', company: 'Yandex' },
  ),
  different(
    { name: 'Ann Keller', company: 'BCG' },
    { name: 'Ann Keller', company: 'Boston Scientific', emails: ['ak@bs.example'] },
  ),
  different(
    { name: 'John Ames', emails: ['ames.family@gmail.com'], phones: ['+1 212 555 0199'] },
    { name: 'Mary Ames', emails: ['ames.family@gmail.com'], phones: ['+1 212 555 0199'] },
  ),
  different(
    { name: 'Pat Doyle', company: 'Acme', emails: ['info@acme.example'] },
    { name: 'Pat Dolan', company: 'Acme', emails: ['info@acme.example'] },
  ),
  different(
    { name: 'George Hale Jr.', phones: ['+1 212 555 0177'] },
    { name: 'George Hale Sr.', phones: ['+1 212 555 0177'] },
  ),
  different(
    { name: 'George Hale', phones: ['+1 212 555 0177'], emails: ['hale@aol.com'] },
    { name: 'George Hale III', phones: ['+1 212 555 0177'], emails: ['hale@aol.com'] },
  ),
  different(
    { name: 'Mr. Pat Byrne', phones: ['+353 1 555 0001'] },
    { name: 'Mrs. Pat Byrne', phones: ['+353 1 555 0001'] },
  ),
  different(
    { name: 'Mr J. Whitlock', phones: ['+44 1632 960001'], location: 'Leeds' },
    { name: 'Mrs J. Whitlock', phones: ['+44 1632 960001'], location: 'Leeds' },
  ),
  same(
    { name: 'Oluwaseun Adeyemi', emails: ['seun@paystack.example'] },
    { name: 'Seun Adeyemi', emails: ['seun@paystack.example'] },
  ),
  different(
    { name: 'Anna Berg', company: 'Acme', emails: ['anna@acme.example'] },
    { name: 'Anna Dahl', company: 'Acme', emails: ['anna@acme.example'] },
  ),
  different(
    { name: 'Ian Cole', company: 'Acme', profileUrl: `${IN}ian-cole-1a2` },
    { name: 'Ian Cole', company: 'Acme', profileUrl: `${IN}ian-cole-9z8` },
  ),
  different(
    { name: 'A. Novak', company: 'Acme', emails: ['a.novak@acme.example'] },
    { name: 'Adam Novak', company: 'Acme', emails: ['adam.novak@acme.example'] },
  ),
  different({ name: 'John A. Reed', company: 'Acme' }, { name: 'John B. Reed', company: 'Acme' }),
  different(
    { name: 'Luis Ortega', birthday: '1960-01-05', phones: ['+34 91 555 01 01'] },
    { name: 'Luis Ortega', birthday: '1990-07-21', phones: ['+34 91 555 01 01'] },
  ),
  different(
    { name: 'Wei Wang', company: 'Huge Ltd', emails: ['wei.wang@huge.example'] },
    { name: 'Wei Wang', company: 'Huge Ltd', emails: ['wei.wang3@huge.example'] },
  ),
  different(
    { name: 'Acme Support', emails: ['support@acme.example'] },
    { name: 'Bo Day', emails: ['support@acme.example'], company: 'Acme' },
  ),
  different(
    { name: 'Nora Lind', phones: ['+46 8 555 01 01'], company: 'Acme' },
    { name: 'Nils Lind', phones: ['+46 8 555 01 01'], company: 'Acme' },
  ),
  different(
    { name: 'Lena Fuchs', birthday: '1999-05-05', phones: ['+49 30 5550123'] },
    { name: 'Lea Fuchs', birthday: '1999-05-05', phones: ['+49 30 5550123'] },
  ),
  different(
    { name: 'Ali Khan', company: 'Acme', phones: ['+44 20 7946 0101'] },
    { name: 'Ali Khan', company: 'Acme', phones: ['+44 20 7946 0102'] },
  ),
  different(
    { name: 'Sam Hill', phones: ['+1 800 555 0100 ext. 12'], company: 'Acme' },
    {
      name: 'Sam Hill',
      phones: ['+1 800 555 0100 ext. 47'],
      company: 'Acme',
      emails: ['s2@acme.example'],
    },
  ),
  different(
    { name: 'Kim Young', emails: ['desk@agency.example'] },
    { name: 'Jo Marsh', emails: ['desk@agency.example'] },
  ),
  different(
    { name: 'Marie Roy', location: 'Lyon', company: 'Vela' },
    { name: 'Marius Roy', location: 'Lyon', company: 'Vela' },
  ),
  different(
    { name: '李娜', emails: ['wangfamily@qq.com'] },
    { name: '王伟', emails: ['wangfamily@qq.com'] },
  ),
  different(
    { name: 'Robert Stone', emails: ['bstone@stone.example'], birthday: '1955-06-01' },
    { name: 'Bob Stone', emails: ['bstone@stone.example'], birthday: '1985-09-09' },
  ),
  different(
    { name: 'Ann Lee', company: 'Acme', location: 'Boston' },
    { name: 'Anna Li', company: 'Acme', location: 'Boston' },
  ),
  same(
    { name: 'Μπάμπης Γεωργίου', company: 'Τιτάν' },
    { name: 'Babis Georgiou', company: 'Titan' },
  ),
  same({ name: 'Ντίνος Παππάς', company: 'Vela' }, { name: 'Dinos Pappas', company: 'Vela' }),
  same(
    { name: 'Ευάγγελος Μπαλτάς', company: 'Vela' },
    { name: 'Vangelis Baltas', company: 'Vela' },
  ),
  same({ name: 'Λάμπρος Γκίκας', company: 'Vela' }, { name: 'Lambros Gikas', company: 'Vela' }),
  same(
    { name: 'Παντελής Σταύρου', company: 'Vela' },
    { name: 'Pandelis Stavrou', company: 'Vela' },
  ),
  same({ name: 'Ελευθέριος Ντόκος', company: 'Vela' }, { name: 'Lefteris Dokos', company: 'Vela' }),
  same(
    { name: 'Θανάσης Τζαβέλας', company: 'Vela' },
    { name: 'Athanasios Tzavelas', company: 'Vela' },
  ),
  same({ name: 'Ntinos Pappas', company: 'Vela' }, { name: 'Dinos Pappas', company: 'Vela' }),
  different(
    { name: 'Ann Keller', company: 'Mac Cosmetics' },
    { name: 'Ann Keller', company: 'MC Cosmetics' },
  ),
  different({ name: 'Bob Kaye', company: 'CVS' }, { name: 'Bob Kaye', company: 'KVS' }),
  different(
    { name: 'Παύλος Γκίκας', emails: ['gkikas@aol.example'] },
    { name: 'Παυλίνα Γκίκα', emails: ['gkikas@aol.example'] },
  ),
  different(
    { name: 'Μπάμπης Γεωργίου', company: 'Vela', emails: ['b.georgiou@vela.example'] },
    { name: 'Λάμπης Γεωργίου', company: 'Vela', emails: ['l.georgiou@vela.example'] },
  ),
]

type Fields = Parameters<typeof record>[0]

function same(one: Fields, other: Fields): LabelledPair {
  return { category: 'hand-written, same', isSame: true, one: record(one), other: record(other) }
}

function different(one: Fields, other: Fields): LabelledPair {
  return {
    category: 'hand-written, different',
    isSame: false,
    one: record(one),
    other: record(other),
  }
}
