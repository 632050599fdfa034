// The labels of emails, phone numbers, addresses and dates, as address books write them.

/** `* Work`, `WORK` and Apple's `_$!<Work>!$_` are `work`; custom labels are kept. */
export function labelText(text: string): string {
  const bare = text
    .replace(/^_\$!<|>!\$_$/g, '')
    .replace(/^\* */, '')
    .trim()
  const lower = bare
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[ _-]+/g, ' ')
  return KNOWN.get(lower) ?? bare
}

const KNOWN: ReadonlyMap<string, string> = new Map([
  ...[
    'work',
    'home',
    'mobile',
    'other',
    'main',
    'fax',
    'pager',
    'school',
    'profile',
    'blog',
    'anniversary',
    'birthday',
    'spouse',
    'partner',
    'child',
    'mother',
    'father',
    'parent',
    'brother',
    'sister',
    'friend',
    'relative',
    'manager',
    'assistant',
    'iphone',
  ].map((word) => [word, word] as const),
  ['business', 'work'],
  ['office', 'work'],
  ['personal', 'home'],
  ['private', 'home'],
  ['cell', 'mobile'],
  ['cellular', 'mobile'],
  ['work fax', 'work fax'],
  ['business fax', 'work fax'],
  ['home fax', 'home fax'],
  ['other fax', 'other fax'],
  ['work mobile', 'work mobile'],
  ['home page', 'home page'],
  ['domestic partner', 'partner'],
  ['referred by', 'referred by'],
])
