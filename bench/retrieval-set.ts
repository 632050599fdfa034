/**
 * Questions about the demo network (src/connections/demo/data/people.txt: 200 invented people) with graded answers. The people
 * were written before the search, and the questions before it was tuned. Only the `TUNING` questions were used for
 * tuning. One person graded each connection by its content. The set is small and English only.
 */

export interface RetrievalQuestion {
  readonly query: string
  /** By name, or `name, title` where two share a name. 3: an exact match. 2: can help. 1: related. */
  readonly relevant: Readonly<Record<string, 1 | 2 | 3>>
}

export const TUNING: readonly RetrievalQuestion[] = [
  {
    query: 'who could help with fundraising in Berlin',
    relevant: {
      'Cem Aydınoğlu': 3,
      'Jonas Vogelsang': 3,
      'Matthias Kühnapfel': 3,
      'Annegret Wolfshagen': 2,
      'Mareike Dombrowski': 2,
      'Shirin Golestani-Baum': 2,
      'Nilüfer Özbek-Brandt': 2,
      'Benedikt Sauerbier': 1,
    },
  },
  {
    query: 'angel investors',
    relevant: {
      'Annegret Wolfshagen': 3,
      'Kerensa Trevanion': 3,
      'Astrid Wennerholm': 3,
      'Amaka Nwachukwu-Bright': 2,
      'Jonas Vogelsang': 1,
      'Cem Aydınoğlu': 1,
    },
  },
  {
    query: 'lawyer for a seed round',
    relevant: {
      'Aurélie Deschuyter': 3,
      'Hanna-Kaisa Virolainen': 2,
      'Laurens Vantorre': 2,
      'Renata Ocampo Ruelas': 1,
      'Floor Hoogendijk': 1,
      'Katarzyna Młynarczyk': 1,
      'Mehdi Benchekroun': 1,
    },
  },
  {
    query: 'patent attorney',
    relevant: {
      'Floor Hoogendijk': 3,
      'Laurens Vantorre': 1,
      'Aurélie Deschuyter': 1,
      'Bram Koelewijn': 1,
    },
  },
  {
    query: 'nurse or doctor',
    relevant: {
      'Rania Khoury-Saleh': 3,
      'Morag Tulloch': 3,
      'Otieno Mbogori': 3,
      'Wanjiru Kamau-Reid': 2,
      'Halima Abdi Noor': 1,
    },
  },
  {
    query: 'journalist covering climate',
    relevant: {
      'Margot Ellery': 3,
      'Niamh Corrigan': 2,
      'Femi Adesanya': 2,
      'Rolf Abendroth': 2,
      'Luiza Tanaka-Prado': 1,
      'Aoife Brannigan': 1,
    },
  },
  {
    query: 'someone to record a podcast with',
    relevant: { 'Aoife Brannigan': 3, 'João Pedro Cavalcante': 1 },
  },
  {
    query: 'executive search for a CEO',
    relevant: {
      'Gideon Ashworth-Lyle': 3,
      'Parveen Sandhu': 2,
      'Ngozi Umeh-Barton': 2,
      'Camille Dufresnoy': 1,
      'Anneliese Vandermolen': 1,
    },
  },
  {
    query: 'interim finance director',
    relevant: { 'Ngozi Umeh-Barton': 3, 'Matthias Kühnapfel': 2, 'Oksana Hrynevych': 2 },
  },
  {
    query: 'batteries in salty sea air',
    relevant: {
      'Trang Đặng': 3,
      'Halima Abdi Noor': 2,
      'Quốc Bảo Nguyễn': 1,
      'Dieter Kranzfelder': 1,
    },
  },
  {
    query: 'small batch contract manufacturing',
    relevant: { 'DeShawn Pruitt': 3, 'Lucía Etxeberria': 2, 'Ji-ho Lindström-Yoon': 1 },
  },
  {
    query: 'grants for climate pilots without giving up equity',
    relevant: {
      'Nilüfer Özbek-Brandt': 3,
      'Cordelia Batiste': 3,
      'Mirela Dumitrașcu': 2,
      'Sabine Kortmann': 2,
      'Ottilie Marchbanks': 1,
    },
  },
  {
    query: 'farming experts',
    relevant: {
      'Noa Ben-Ezra': 3,
      'Ibukun Ajayi-Thorne': 3,
      'Hanneke Bloemsma': 3,
      'Folasade Ogunbiyi': 2,
      'Hollis Grantham': 2,
      'Aditi Deshmukh-Rao': 1,
      'Inês Carvalhal': 1,
      'Rui Salgueiral': 1,
    },
  },
  {
    query: 'wine grapes hail weather forecast',
    relevant: { 'Aditi Deshmukh-Rao': 3, 'अनन्या कुलकर्णी': 2 },
  },
  {
    query: 'embedded software engineer',
    relevant: {
      'Declan Maguire-Osei': 3,
      'Rafael Quiñones': 2,
      'Mei-Ling Cheung': 2,
      'Arjun Pillai-Lim': 1,
    },
  },
  {
    query: 'satellite images of forests',
    relevant: {
      'Veikko Rautiainen': 3,
      'Aino Hietamäki': 2,
      'Callum Rangihuna': 2,
      'Marko Hranilović-Babić': 1,
    },
  },
  { query: 'wildfire', relevant: { 'Siobhan Castellanos': 3, 'Wyatt Begaye': 1 } },
  {
    query: 'flood insurance',
    relevant: {
      'Liadan Ó Súilleabháin': 3,
      'Conor Tynan-Wójcik': 2,
      'Ignacio Larraguibel': 1,
    },
  },
  {
    query: 'microcredit for villages',
    relevant: {
      'Dewi Kusumaningrum': 3,
      'Maria Corazon Evangelista': 3,
      'Bayu Hardjosoemarto': 1,
      'Hollis Grantham': 1,
    },
  },
  {
    query: 'heat pump installation',
    relevant: {
      'Rebecca Ainsley': 3,
      'Imran Choudhury': 1,
      'Declan Maguire-Osei': 1,
      'Parveen Sandhu': 1,
      'Lachlan Nguyen-Byrne': 1,
      'Bethan Prydderch': 1,
    },
  },
  {
    query: 'product designer',
    relevant: {
      'Aisha Warsame': 3,
      'Linnea Backström': 2,
      'Matteo Bellandi': 2,
      'Imogen Tarrant': 2,
      'Saoirse Ní Dhuibhir': 2,
      'Isandro Feliciano': 2,
      'Ximena Quiroga Paz': 2,
      'Kwabena Asare-Holt': 2,
      'Phoebe Lanyon': 2,
      'Elif Karadağlı': 1,
      'Rosalind Pettifer': 1,
      'Facundo Iturralde': 1,
    },
  },
  {
    query: 'translator for Swedish',
    relevant: { 'Anna Müller, Freelance interpreter, German and Swedish': 3 },
  },
  {
    query: 'venture partner',
    relevant: { 'Cem Aydınoğlu': 3, 'Amaka Nwachukwu-Bright': 3 },
  },
  {
    query: 'Kesselhain',
    relevant: {
      'Jonas Vogelsang': 2,
      'Mareike Dombrowski': 2,
      'Cem Aydınoğlu': 2,
      'Friederike Stahnsdorf': 2,
      'Lucía Etxeberria': 2,
      'Oksana Hrynevych': 2,
      'Benedikt Sauerbier': 2,
    },
  },
  { query: 'Rolf Abendroth', relevant: { 'Rolf Abendroth': 3 } },
  {
    query: 'architects in Paris',
    relevant: { 'Capucine Artaud': 3, 'Bakary Sissoko': 2, 'Giulia Zambelli-Foscarin': 1 },
  },
  { query: 'wind power in Kazakhstan', relevant: { 'Айгерім Сәрсенова': 3 } },
  {
    query: 'electric vans and truck fleets',
    relevant: { 'سلمى التازي': 3, 'Youssef El Idrissi Bennani': 1, 박민서: 1 },
  },
  { query: 'opinion on credit scoring models', relevant: { 'Yusra Haddad': 3 } },
  {
    query: 'place for students to write their thesis',
    relevant: {
      'Marieke van Oosterzee': 3,
      'Elspeth Carnduff': 1,
      'Constantin Brandauer': 1,
    },
  },
  {
    query: 'electricity regulation',
    relevant: {
      'Marit Aaslund': 3,
      'Desmond Achterberg': 2,
      'Fiona Drever': 1,
      'Mehdi Benchekroun': 1,
    },
  },
  { query: 'met-at-conference research', relevant: { '田中 美咲': 3 } },
]

export const HELD_OUT: readonly RetrievalQuestion[] = [
  {
    query: 'money for a hardware startup',
    relevant: {
      'Jonas Vogelsang': 3,
      'Annegret Wolfshagen': 3,
      'Kerensa Trevanion': 2,
      'Leopold Ehrenhöfer': 2,
      'Astrid Wennerholm': 2,
      'Oluwatobi Ekundayo': 2,
      'Amaka Nwachukwu-Bright': 2,
      'Ana Sofía Villaseñor': 2,
      'Lucía Etxeberria': 1,
      'Cem Aydınoğlu': 1,
    },
  },
  {
    query: 'improve our pitch deck',
    relevant: {
      'Shirin Golestani-Baum': 3,
      'Jonas Vogelsang': 2,
      'Mareike Dombrowski': 2,
      'Matthias Kühnapfel': 1,
      'Cem Aydınoğlu': 1,
    },
  },
  {
    query: 'investors in Africa',
    relevant: { 'Oluwatobi Ekundayo': 3, 'Amaka Nwachukwu-Bright': 3, 'Chidi Onwumere': 3 },
  },
  {
    query: 'hospitals and clinics in Kenya',
    relevant: {
      'Wanjiru Kamau-Reid': 3,
      'Halima Abdi Noor': 3,
      'Otieno Mbogori': 3,
      'Grace Nakibuuka': 1,
      'Léonie Uwimana': 1,
    },
  },
  {
    query: 'cyber attack help',
    relevant: { 'Jānis Ozoliņš-Bērziņš': 3, 'Rasmus Põldma': 2 },
  },
  {
    query: 'film maker',
    relevant: { 'Luiza Tanaka-Prado': 3, 'João Pedro Cavalcante': 2, 'Aoife Brannigan': 1 },
  },
  {
    query: 'seaweed',
    relevant: { 'Inês Carvalhal': 3, 'Rui Salgueiral': 3, 'Beatriz Monforte': 1 },
  },
  {
    query: 'selling to supermarkets',
    relevant: { 'Camilla Thorsager': 3, 'Inês Carvalhal': 1, 'Tomé Quaresma': 1 },
  },
  {
    query: 'writing European grant applications',
    relevant: { 'Mirela Dumitrașcu': 3, 'Ottilie Marchbanks': 2, 'Nilüfer Özbek-Brandt': 2 },
  },
  { query: 'career coach', relevant: { 'Rasheeda Coleman-Vance': 3, 'Parveen Sandhu': 1 } },
  {
    query: 'help with hiring machine learning engineers',
    relevant: {
      'Parveen Sandhu': 2,
      'Anneliese Vandermolen': 2,
      'Veronika Hrubešová': 2,
      'Geneviève Tremblay-Achebe': 1,
      'Mattias Öhrn': 1,
      'Priya Venkataraman': 1,
      'Gideon Ashworth-Lyle': 1,
      'Camille Dufresnoy': 1,
    },
  },
  {
    query: 'machine learning researcher',
    relevant: {
      'Geneviève Tremblay-Achebe': 3,
      'Veronika Hrubešová': 3,
      'Tesfaye Gebremariam': 2,
    },
  },
  {
    query: 'carbon in soil',
    relevant: { 'Elspeth Carnduff': 3, 'Ruaridh MacAskill-Iyer': 1, 'Asger Bloch-Tvede': 1 },
  },
  {
    query: 'sensors on the ocean',
    relevant: { 'Théo Kerjean': 3, 'Maëlle Le Goff-Diallo': 2 },
  },
  {
    query: 'clean drinking water',
    relevant: { 'Meenakshi Sundaresan': 3, 'Xiomara Delgadillo': 2, 'Karthik Annamalai': 1 },
  },
  {
    query: 'insulating old buildings',
    relevant: {
      'Giulia Zambelli-Foscarin': 3,
      '田中 美咲': 3,
      'Bakary Sissoko': 1,
      'Rebecca Ainsley': 1,
    },
  },
  { query: 'trains', relevant: { 'Nathaniel Oduya': 3 } },
  { query: 'open source funding', relevant: { 'Ottilie Marchbanks': 3 } },
  {
    query: 'school heating budget',
    relevant: {
      'Sabine Kortmann': 3,
      'Thorsten Güldner': 1,
      'Nilüfer Özbek-Brandt': 1,
      'Bakary Sissoko': 1,
    },
  },
  { query: 'geothermal drilling', relevant: { 'Valdís Þorgeirsdóttir': 3 } },
  {
    query: 'sea captain',
    relevant: { 'Kerensa Trevanion': 2, 'Wouter Claeskens': 1, 'Trang Đặng': 1 },
  },
  { query: 'candidate for our board of directors', relevant: { 'Ingrid Solbakken': 3 } },
  { query: 'semiconductor samples', relevant: { 'Emmett Sandoval-Reyes': 3 } },
  {
    query: 'digital identity expert',
    relevant: { 'Triinu Kaljuvee': 3, 'Rasmus Põldma': 2, 'Linnea Backström': 1 },
  },
  { query: 'avalanche', relevant: { 'Lena Hofstätter-Egger': 3 } },
  { query: 'Tallinn', relevant: { 'Triinu Kaljuvee': 3 } },
  { query: 'Wanjiru', relevant: { 'Wanjiru Kamau-Reid': 3, 'Dewi Kusumaningrum': 1 } },
  {
    query: 'data engineer in Norway',
    relevant: { 'Siv Tangvald': 3, 'Eirik Nordahl-Mbeki': 2, 'Håkon Brekkestø': 1 },
  },
  {
    query: 'solar panels',
    relevant: {
      'Dewi Kusumaningrum': 3,
      'Bronte Papadimitriou': 2,
      'Lachlan Nguyen-Byrne': 2,
      'Wanjiru Kamau-Reid': 1,
    },
  },
  {
    query: 'university spin-off license terms',
    relevant: { 'Bram Koelewijn': 3, 'Marieke van Oosterzee': 1, 'Floor Hoogendijk': 1 },
  },
  {
    query: 'care homes for elderly people',
    relevant: { 'Fraser Galloway-Singh': 3, 'Morag Tulloch': 2 },
  },
  {
    query: 'family friend in construction',
    relevant: {
      'Chukwuemeka Okafor': 3,
      'Oskar Fjällgren': 2,
      'Birgitta Stenmark': 1,
    },
  },
]
