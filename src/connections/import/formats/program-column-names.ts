// Names of columns that certain programs use. In the format of `column-names.ts`.

export const PROGRAM_COLUMN_NAMES: readonly (readonly [target: string, names: string])[] = [
  // All columns of desktop Outlook in German, French, Italian, Spanish, Dutch, Polish and Swedish.
  ['name_suffix', 'titolo straniero'],
  ['phone:work', 'ufficio'],
  ['phone:home', 'abitazione|particular'],
  [
    'phone:main',
    'telefono principale società|número de centralita de la organización|główny telefon do firmy|telefon podstawowy|telefone principal da empresa',
  ],
  [
    'phone:assistant',
    "téléphone de l'assistant|telefono assistente|teléfono del ayudante|telefon asystenta",
  ],
  [
    'phone:other',
    'rückmeldung|rappel|téléphone voiture|rnis|radiotéléphone|téléphone tdd tty|télex|richiamata automatica|telefono auto|radiotelefono|telefono tty tdd|devolución de llamada|teléfono del automóvil|rdsi|radioteléfono|teléfono de texto|wywołanie zwrotne|telefon w samochodzie|radiotelefon|telefon tty tdd|teleks',
  ],
  ['phone:pager', 'récepteur de radiomessagerie|localizador'],
  ['region:work', 'provincia o estado de trabajo'],
  ['region:home', 'provincia o estado de residencia'],
  ['city:home', 'ciudad de residencia|ciudad del domicilio'],
  ['postal_code:home', 'código postal de residencia'],
  ['email', 'adresse de courrier'],
  ['relation:manager', 'name des r vorgesetzten|nom du responsable'],
  ['relation:spouse', 'nome coniuge|nome coniuge partner|conjoint e'],
  ['relation:assistant', 'nom de l assistant e'],
  ['date:anniversary', 'anniversaire de mariage ou fête|speciale datum|aniversário de casamento'],
  [
    'technical',
    "e mail typ|e mail angezeigter name|type de courrier|nom complet de l'adresse de courrier|tipo posta elettronica|nome visualizzato posta elettronica|tipo de correo electrónico|nombre de pantalla de correo electrónico|nombre para mostrar del correo electrónico|vist navn til e mail|mailtype|typ poczty e mail|rodzaj e mail|nazwa wyświetlana e mail|e mail weergegeven naam|tipo de email|nome para exibição do email|e posttyp|visningsnamn för e post",
  ],
  // Thunderbird and Windows Contacts.
  ['name', 'nome visualizzato'],
  ['handle:im', 'nome instant messenger|messenger name'],
  ['country', 'nazione|nación|nação'],
  [
    'birthday_part:year',
    'anno di nascita|ano de nascimento|geboortejaar|rok urodzenia|год рождения|födelseår|fødselsår|syntymävuosi|rok narození|誕生年',
  ],
  [
    'birthday_part:month',
    'mese di nascita|mês de nascimento|geboortemaand|miesiąc urodzenia|месяц рождения|födelsemånad|fødselsmåned|syntymäkuukausi|měsíc narození|誕生月',
  ],
  [
    'birthday_part:day',
    'giorno di nascita|dia de nascimento|geboortedag|dzień urodzenia|den narození',
  ],
  ['url', '個人 web ページ|会社 web ページ'],
  // abook, Apollo, Affinity, Brevo, Constant Contact, HubSpot, Google Workspace, Pipedrive.
  ['nickname', 'nick'],
  ['company', 'current organization|where do you work|where do they work|company do you work for'],
  ['department', 'departments'],
  ['phone:mobile', 'sms'],
  [
    'phone:WhatsApp',
    'whats app phone number|whats app number|whats app phone|whatsapp phone number|whatsapp number|whatsapp phone|whatsapp nummer|número de whats app|número de whatsapp',
  ],
  [
    'phone:landline',
    'landline|landline phone|festnetz|festnetznummer|téléphone fixe|fixe|teléfono fijo|telefono fisso|telefone fixo|vaste telefoon|telefon stacjonarny|pevná linka|固定電話|固话|座机',
  ],
  [
    'street',
    'street address line|street road name|house number|house no|hausnummer|hausnr|numéro de rue|número de calle|numero civico|huisnummer|nr domu|číslo popisné|номер дома',
  ],
  ['street', 'apartment suite no|apartment|suite'],
  ['city', 'city town village locality'],
  ['region', 'state county'],
  ['address', 'full combined address'],
  ['tags', 'email lists|contact lists'],
  ['relation:mother', 'mother|mutter|mère|madre|mãe|moeder|matka'],
  ['relation:father', 'father|vater|père|padre|pai|vader|ojciec'],
  [
    'relation:emergency',
    "emergency contact|emergency contact name|notfallkontakt|contact d'urgence|contacto de emergencia|contatto di emergenza|contato de emergência|noodcontact",
  ],
  // Tables of people's own.
  ['name', 'student|pupil|schüler|schülerin|élève|alumno|alumna'],
  ['url', 'profile|profil|perfil'],
  // LinkedIn in Norwegian, Finnish and Hungarian.
  ['url', 'nettadresse|verkko osoite'],
  ['title', 'asema|pozíció'],
]
