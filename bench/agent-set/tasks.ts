/**
 * 40 requests of a member to their agent, on a network of 2,500 people, with the expected state afterwards. A request
 * is split into steps as a person would say them; no step names a tool, an argument or an ID.
 */

/** One thing to do, as it follows from a request alone. */
export interface Step {
  readonly goal: string
  /** The subject, in the words of the request. */
  readonly about?: string
  /** The subject is what earlier steps found. */
  readonly isAboutFound?: true
  /** Uses all results on all pages; otherwise the best match. */
  readonly everyone?: true
  /** Text that the selected records contain. */
  readonly only?: RegExp
  /** The values that the request states, by what they are. */
  readonly given?: Readonly<Record<string, unknown>>
}

/** A query that shows whether a request was completed. */
export interface Expectation {
  /** Everything about the person with exactly this name, follow-ups included; or the answer of a free question. */
  readonly person?: string
  readonly shows?: readonly RegExp[]
  readonly lacks?: readonly RegExp[]
  /** How many people have this name. */
  readonly count?: number
  /** How many people have this tag. */
  readonly tagged?: { readonly tag: string; readonly count: number }
  /** No group of duplicates shows this. */
  readonly notDuplicates?: RegExp
  /** The member's own profile shows this. */
  readonly profile?: RegExp
}

export interface AgentTask {
  readonly kind:
    | 'find'
    | 'prepare a meeting'
    | 'introduce'
    | 'reconnect'
    | 'add and correct'
    | 'clean up'
    | 'tag'
    | 'import'
    | 'undo'
    | 'account'
  readonly request: string
  readonly steps: readonly Step[]
  /** Text that the agent must have read to answer. */
  readonly answer?: readonly RegExp[]
  readonly after?: readonly Expectation[]
}

export const TASKS: readonly AgentTask[] = [
  {
    kind: 'find',
    request: 'Who do I know at Halcyon Robotics?',
    steps: [
      { goal: 'find people in my network', everyone: true, given: { company: 'Halcyon Robotics' } },
    ],
    answer: [/Arun Pillai/, /Sofie Lindqvist/, /Marek Dvorsky/],
  },
  {
    kind: 'find',
    request: 'What is the email of Katarzyna Wisznewska?',
    steps: [{ goal: 'find a person in my network', about: 'Katarzyna Wisznewska' }],
    answer: [/k\.wisniewska@amberfield\.example/],
  },
  {
    kind: 'find',
    request: 'Whose number is +49 30 5557-0199?',
    steps: [{ goal: 'find a person by phone number', about: '+49 30 5557-0199' }],
    answer: [/Omar Haddad/],
  },
  {
    kind: 'find',
    request: 'Which product managers in fintech in London do I know?',
    steps: [{ goal: 'find people in my network', about: 'product managers in fintech in London' }],
    answer: [/Chloe Anderton/, /Ruben Achterberg/],
  },
  {
    kind: 'find',
    request: 'Who did I meet at Web Summit?',
    steps: [{ goal: 'find people in my network', about: 'met at Web Summit' }],
    answer: [/Arun Pillai/, /Nadia Rahimi/],
  },
  {
    kind: 'find',
    request: 'How many people do I know at Brightwater Foods?',
    steps: [{ goal: 'find people in my network', given: { company: 'Brightwater Foods' } }],
    answer: [/"total":3/],
  },
  {
    kind: 'find',
    request: 'What does my network look like: which companies and tags are most frequent?',
    steps: [{ goal: 'summary of my network: most frequent companies and tags' }],
    answer: [/top_companies/, /investor/],
  },
  {
    kind: 'find',
    request: 'Which investors in Berlin do I know?',
    steps: [
      {
        goal: 'find people in my network',
        everyone: true,
        given: { tag: 'investor', location: 'Berlin' },
      },
    ],
    answer: [/Omar Haddad/, /Lena Brandt/, /Jonas Weidemann/],
  },
  {
    kind: 'prepare a meeting',
    request: 'I am having lunch with Ines Duarte. Tell me everything I know about her.',
    steps: [{ goal: 'get everything about one person', about: 'Ines Duarte' }],
    answer: [/plant manager/, /Clara started school/, /Salto Bikes/, /ines@saltobikes\.example/],
  },
  {
    kind: 'prepare a meeting',
    request:
      'I meet Priya Raman, Sean Gallagher and Aoife Brennan of Brightwater Foods. Brief me on all three.',
    steps: [
      {
        goal: 'find people in my network',
        everyone: true,
        given: { company: 'Brightwater Foods' },
      },
      { goal: 'get details of several people', isAboutFound: true, everyone: true },
    ],
    answer: [/budget for packaging/, /priya@brightwater\.example/, /aoife@brightwater\.example/],
  },
  {
    kind: 'prepare a meeting',
    request: 'Read me the whole long note about Tomasz Grabowski, to its last word.',
    steps: [
      { goal: 'list the notes of one person', about: 'Tomasz Grabowski' },
      { goal: 'read the whole note', isAboutFound: true },
    ],
    answer: [/the last word is marzipan/],
  },
  {
    kind: 'prepare a meeting',
    request: 'Which follow-ups are due before December?',
    steps: [{ goal: 'list follow-ups that are due', given: { 'due before': '2026-12-01' } }],
    answer: [/Send the wind data/],
  },
  {
    kind: 'introduce',
    request: 'Who could introduce me to someone at Quantica Materials?',
    steps: [{ goal: 'find people who could introduce me', about: 'Quantica Materials' }],
    answer: [/Dorota Zieli|Hugo Bellamy/],
  },
  {
    kind: 'introduce',
    request: 'Find members of this service outside my network who know typography.',
    steps: [{ goal: 'search the directory of members outside my network', about: 'typography' }],
    answer: [/Grace Hopper/],
  },
  {
    kind: 'introduce',
    request:
      'Note at Dorota Zielińska that I introduced her to Omar on 5 November, and tag her "introduced".',
    steps: [
      {
        goal: 'update a person: add a tag and a note',
        about: 'Dorota Zielińska',
        given: { 'tags to add': ['introduced'], 'note to add': 'Introduced to Omar on 5 November' },
      },
    ],
    after: [{ person: 'Dorota Zielińska', shows: [/"introduced"/, /Introduced to Omar/] }],
  },
  {
    kind: 'reconnect',
    request: 'Remind me next Friday to call Grigory Malinin.',
    steps: [
      {
        goal: 'set a follow-up for a person',
        about: 'Grigory Malinin',
        given: { 'what to do': 'Call', 'due date': 'next Friday' },
      },
    ],
    after: [{ person: 'Grigory Malinin', shows: [/"text":"Call"/, /2026-11-27/] }],
  },
  {
    kind: 'reconnect',
    request: 'Remind me every quarter, from 1 December, to write to Daniela Costa.',
    steps: [
      {
        goal: 'set a follow-up for a person',
        about: 'Daniela Costa',
        given: {
          'what to do': 'Write to her',
          'due date': '1 December 2026',
          recurrence: 'quarterly',
        },
      },
    ],
    after: [{ person: 'Daniela Costa', shows: [/quarterly/, /2026-12-01/] }],
  },
  {
    kind: 'reconnect',
    request: 'Postpone the follow-up with Freya Halvorsen by two weeks from today.',
    steps: [
      {
        goal: 'update a follow-up',
        about: 'Freya Halvorsen',
        given: { 'due date': 'in two weeks' },
      },
    ],
    after: [{ person: 'Freya Halvorsen', shows: [/2026-12-05/], lacks: [/2026-11-25/] }],
  },
  {
    kind: 'reconnect',
    request:
      'I talked to Leif Thorsen. Mark the follow-up as done and note that the ferry deal is signed.',
    steps: [
      { goal: 'complete a follow-up', about: 'Leif Thorsen' },
      {
        goal: 'add a note to one person',
        about: 'Leif Thorsen',
        given: { text: 'The ferry deal is signed' },
      },
    ],
    after: [{ person: 'Leif Thorsen', shows: [/ferry deal is signed/, /completed_at/] }],
  },
  {
    kind: 'reconnect',
    request: 'Remove the follow-up with Stefan Ilić.',
    steps: [{ goal: 'delete a follow-up', about: 'Stefan Ilić' }],
    after: [{ person: 'Stefan Ilić', lacks: [/Ask about the record/] }],
  },
  {
    kind: 'add and correct',
    request: 'Add Zofia Lis, curator at Galeria Lis in Gdańsk, zofia@galerialis.example.',
    steps: [
      {
        goal: 'add one person',
        given: {
          'full name': 'Zofia Lis',
          'job title': 'Curator',
          employer: 'Galeria Lis',
          city: 'Gdańsk',
          emails: 'zofia@galerialis.example',
        },
      },
    ],
    after: [{ person: 'Zofia Lis', shows: [/Curator/, /Galeria Lis/, /zofia@galerialis/] }],
  },
  {
    kind: 'add and correct',
    request:
      'Add the people of today’s panel: Ebba Ros (Rosverk), Milan Kos (Kosmat), Ines Bel (Belfort), Tom Ash (Ashline), Ada Finn (Finnair Labs).',
    steps: [
      {
        goal: 'add several people at once',
        given: {
          people: [
            { 'full name': 'Ebba Ros', employer: 'Rosverk' },
            { 'full name': 'Milan Kos', employer: 'Kosmat' },
            { 'full name': 'Ines Bel', employer: 'Belfort' },
            { 'full name': 'Tom Ash', employer: 'Ashline' },
            { 'full name': 'Ada Finn', employer: 'Finnair Labs' },
          ],
        },
      },
    ],
    after: [
      { person: 'Ebba Ros', shows: [/Rosverk/] },
      { person: 'Ada Finn', shows: [/Finnair Labs/] },
    ],
  },
  {
    kind: 'add and correct',
    request: 'Victor Okonjo is now Chief Scientist at Rift Valley Compute.',
    steps: [
      {
        goal: 'update a person',
        about: 'Victor Okonjo',
        given: { 'job title': 'Chief Scientist', employer: 'Rift Valley Compute' },
      },
    ],
    after: [
      {
        person: 'Victor Okonjo',
        shows: [/"title":"Chief Scientist"/, /"company":"Rift Valley Compute"/],
      },
    ],
  },
  {
    kind: 'add and correct',
    request:
      'The address of Carla Espinosa changed from carla.old@talento.example to carla@talento.example.',
    steps: [
      {
        goal: 'update a person',
        about: 'Carla Espinosa',
        given: {
          'emails to add': ['carla@talento.example'],
          'emails to remove': ['carla.old@talento.example'],
        },
      },
    ],
    after: [
      {
        person: 'Carla Espinosa',
        shows: [/"emails":\["carla@talento\.example"\]/],
      },
    ],
  },
  {
    kind: 'add and correct',
    request: 'Gareth Probert no longer works at a school: empty his company and his title.',
    steps: [
      {
        goal: 'update a person',
        about: 'Gareth Probert',
        given: { 'fields to empty': ['company', 'title'] },
      },
    ],
    // The current title; former ones are in the list of positions.
    after: [{ person: 'Gareth Probert', lacks: [/^[^[]*"company":"/, /^[^[]*"title":"/] }],
  },
  {
    kind: 'add and correct',
    request: 'Correct the note on Yuki Morimoto: the rate is 55 euros per hour.',
    steps: [
      {
        goal: 'update a note',
        about: 'Yuki Morimoto',
        given: { 'whole new text': 'Rate is 55 euros per hour' },
      },
    ],
    after: [{ person: 'Yuki Morimoto', shows: [/55 euros/], lacks: [/40 euros/] }],
  },
  {
    kind: 'add and correct',
    request: 'The note on Benedikt Auer is about another lawyer. Delete it.',
    steps: [{ goal: 'delete a note', about: 'Benedikt Auer', only: /Wrong note/ }],
    after: [{ person: 'Benedikt Auer', lacks: [/Wrong note/] }],
  },
  {
    kind: 'clean up',
    request: 'Hargreaves and Figueroa are in my network twice. Merge them.',
    steps: [
      { goal: 'find people who are in the network more than once: duplicates' },
      { goal: 'merge people', isAboutFound: true, everyone: true, only: /Hargreaves|Figueroa/ },
    ],
    after: [
      { person: 'Bob Hargreaves', count: 0 },
      { person: 'Marta Figueroa', shows: [/marta\.figueroa@bancodelplata/] },
    ],
  },
  {
    kind: 'clean up',
    request: 'The two Peter Langs are father and son. Do not show them as duplicates again.',
    steps: [
      { goal: 'find people who are in the network more than once: duplicates' },
      {
        goal: 'mark as different people, not duplicates',
        isAboutFound: true,
        everyone: true,
        only: /Peter Lang/,
      },
    ],
    after: [{ person: 'Peter Lang', count: 2 }, { notDuplicates: /Peter Lang/ }],
  },
  {
    kind: 'clean up',
    request: 'The two Ogdens were merged by mistake. Take them apart again.',
    steps: [{ goal: 'split one person: take two people apart', about: 'Samuel Ogden' }],
    after: [
      { person: 'Samuel Ogden', count: 1 },
      { person: 'Sam Ogden', count: 1 },
    ],
  },
  {
    kind: 'clean up',
    request: 'Delete Jakob Steiner and Petra Novotna.',
    steps: [
      { goal: 'find a person in my network', about: 'Jakob Steiner' },
      { goal: 'find a person in my network', about: 'Petra Novotna' },
      {
        goal: 'delete people',
        isAboutFound: true,
        everyone: true,
        only: /Jakob Steiner|Petra Novotna/,
      },
    ],
    after: [
      { person: 'Jakob Steiner', count: 0 },
      { person: 'Petra Novotna', count: 0 },
    ],
  },
  {
    kind: 'tag',
    request: 'Tag everyone at Halcyon Robotics "robots-2026".',
    steps: [
      { goal: 'find people in my network', everyone: true, given: { company: 'Halcyon Robotics' } },
      {
        goal: 'tag many people',
        isAboutFound: true,
        everyone: true,
        given: { 'tags to add': ['robots-2026'] },
      },
    ],
    after: [{ tagged: { tag: 'robots-2026', count: 3 } }],
  },
  {
    kind: 'tag',
    request: 'Rename the tag "conference" to "conference-2025" for all 120 people who have it.',
    steps: [
      { goal: 'list all people', everyone: true, given: { tag: 'conference' } },
      {
        goal: 'tag many people',
        isAboutFound: true,
        everyone: true,
        given: { 'tags to add': ['conference-2025'], 'tags to remove': ['conference'] },
      },
    ],
    after: [
      { tagged: { tag: 'conference-2025', count: 120 } },
      { tagged: { tag: 'conference', count: 0 } },
    ],
  },
  {
    kind: 'tag',
    request: 'Which tags do I use?',
    steps: [{ goal: 'list the tags of the network' }],
    answer: [/fintech/, /press/],
  },
  {
    kind: 'import',
    request: 'Import this LinkedIn file: two people.',
    steps: [
      {
        goal: 'import a contacts file',
        given: {
          'text of the file':
            'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nPer,Stenmark,https://www.linkedin.com/in/per-stenmark-x,,Stenmark Ski,Founder,01 Nov 2026\nOla,Berg,https://www.linkedin.com/in/ola-berg-x,,Berg & Dal,Partner,02 Nov 2026\n',
        },
      },
    ],
    answer: [/"state":"succeeded"/],
    after: [
      { person: 'Per Stenmark', shows: [/Stenmark Ski/, /2026-11-01/] },
      { person: 'Ola Berg', shows: [/Berg & Dal/] },
    ],
  },
  {
    kind: 'import',
    request: 'Import this list: Name, Email, Company, Role.',
    steps: [
      {
        goal: 'import a contacts file',
        given: {
          'text of the file':
            'Name,Email,Company,Role\nRosalind Quist,rosalind@quist.example,Quist Textiles,Weaver\nHamza Idrissi,hamza@idrissi.example,Idrissi Maps,Cartographer\n',
        },
      },
    ],
    answer: [/"state":"succeeded"/],
    after: [
      {
        person: 'Rosalind Quist',
        shows: [/rosalind@quist\.example/, /Quist Textiles/, /Weaver/],
      },
      { person: 'Hamza Idrissi', shows: [/Cartographer/] },
    ],
  },
  {
    kind: 'undo',
    request: 'Set the title of Miriam Castellano to "Treasurer". No, take that back.',
    steps: [
      { goal: 'update a person', about: 'Miriam Castellano', given: { 'job title': 'Treasurer' } },
      { goal: 'undo my own last change' },
    ],
    after: [{ person: 'Miriam Castellano', shows: [/"title":"Accountant"/] }],
  },
  {
    kind: 'undo',
    request: 'Delete Ulrike Falk. Oh no, bring her back.',
    steps: [
      { goal: 'find a person in my network', about: 'Ulrike Falk' },
      { goal: 'delete people', isAboutFound: true },
      { goal: 'restore deleted people', about: 'Ulrike Falk' },
    ],
    after: [{ person: 'Ulrike Falk', count: 1 }],
  },
  {
    kind: 'account',
    request: 'How many credits are left this month, and what does an import cost?',
    steps: [{ goal: 'get the remaining credits of the month and what a tool costs' }],
    answer: [/remaining/, /import_connections/],
  },
  {
    kind: 'account',
    request: 'Change the headline of my profile to "Maker of looms".',
    steps: [{ goal: 'update my profile', given: { headline: 'Maker of looms' } }],
    after: [{ profile: /Maker of looms/ }],
  },
]
