// The words in names of columns that label a value, such as `geschäftlich`, and those that say nothing.

export const LABEL_NAMES: readonly (readonly [label: string, words: string])[] = [
  [
    'work',
    'work|business|office|company|corporate|professional|근무지|раб|geschäftlich|büro|arbeit|beruflich|dienstlich|dienstliche|bureau|travail|professionnel|professionnelle|pro|trabajo|oficina|laboral|profesional|lavoro|ufficio|uff|trabalho|comercial|profissional|werk|werkadres|zakelijk|służbowy|służbowa|służbowe|praca|pracovní|práce|zaměstnání|firemní|munkahelyi|serviciu|iş|рабочий|рабочая|рабочее|раб|служебный|робочий|робоча|arbete|jobb|arbejde|arbeid|työ|εργασίας|kantor|会社|勤務先|商务|工作|公司|公務|직장|회사|근무처|робоче|עבודה|בעבודה|商務',
  ],
  [
    'home',
    'home|residenza|residencia|personal|private|privat|private adresse|domicile|domicilio|dom|personnel|personnelle|casa|particular|personales|abitazione|ab|privato|residencial|pessoal|thuis|privé|huisadres|domowy|domowa|prywatny|prywatna|domů|soukromý|domácí|otthoni|acasă|ev|домашний|домашняя|дом|личный|личная|домашній|особистий|hem|hjem|koti|οικίας|rumah|自宅|住宅|家庭|자택|집|oma|magán|προσωπικό|προσωπικός|κατοικίας|особиста|pribadi|個人|個人的|住家|אישי|אישית|בבית|בית',
  ],
  [
    'other',
    'other|andere|anderer|weitere|weiteres|weiterer|autre|otro|otra|otros|altro|altra|outro|outra|ander|anders|inny|inna|inne|jiný|další|egyéb|diğer|другой|другая|другое|доп|дополнительный|інший|annan|anden|annen|muu|その他|其他|기타|alternate|secondary|additional|alternative',
  ],
  ['main', 'primary|main|haupt|principal|główny|основной'],
  ['billing', 'billing'],
  ['mailing', 'mailing'],
  ['default', 'default'],
  ['shipping', 'shipping'],
]

/** Words that names of columns often leave out: `date naissance` is `date de naissance`. */
export const ARTICLES = new Set(
  'of the de del des du d da do dos della di el la le les l der die das im in o y e et i или'.split(
    ' ',
  ),
)

/** Words that say nothing. */
export const FILLERS = new Set([
  ...ARTICLES,
  ...'adresi address addresses adresse adresses adres adrese adress direccion indirizzo endereco adresa адрес адр 地址 住所 주소 op number nummer numero no nr value s id cim osoite osoitteen alamat διευθυνση כתובת מספר'.split(
    ' ',
  ),
])

/** Labels that are written as one word with the name they label. */
export const COMPOUND_LABELS: readonly (readonly [part: string, label: string])[] = [
  ...['会社', '勤務先', '商务', '商務', '工作', '公司', '公務', '직장', '회사', '单位', '办公'].map(
    (part) => [part, 'work'] as const,
  ),
  ...['自宅', '住宅', '住家', '家庭', '個人', '个人', '자택', '집'].map(
    (part) => [part, 'home'] as const,
  ),
  ...['その他', '其他', '기타'].map((part) => [part, 'other'] as const),
  ['work', 'work'],
  ['home', 'home'],
  ['werk', 'work'],
  ['huis', 'home'],
  ['tyo', 'work'],
  ['koti', 'home'],
]
