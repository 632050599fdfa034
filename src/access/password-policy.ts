/** What a password must be (NIST SP 800-63B section 3.1.1.2): long enough, and not what everybody tries first. */

import { Refusal } from '../base/refusal.ts'

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 200

/** Fewer different characters than this are a key held down, or two keys in turn. */
const FEWEST_CHARACTERS = 4

/** The same password however a keyboard composes its letters. */
export function normalizePassword(password: string): string {
  return password.toWellFormed().normalize('NFC')
}

/** Refuses naming the field `/password`. `own` is what everybody knows of its owner: their e-mail address, username. */
export function refuseWeakPassword(
  password: string,
  own: readonly (string | null | undefined)[],
): void {
  const characters = Array.from(normalizePassword(password))
  if (characters.length < SHORTEST_PASSWORD)
    throw refusal(`must have at least ${SHORTEST_PASSWORD} characters`)
  if (characters.length > LONGEST_PASSWORD)
    throw refusal(`must have at most ${LONGEST_PASSWORD} characters`)
  const known = own.flatMap((text) => (text ? [text, text.split('@', 1)[0] ?? text] : []))
  const folded = password.trim().toLowerCase()
  if (known.some((text) => text.toLowerCase() === folded))
    throw refusal('must be another than your e-mail address or username')
  if (COMMON.has(folded) || new Set(characters).size < FEWEST_CHARACTERS)
    throw refusal('is one of those that are tried first; a few unrelated words are better')
}

function refusal(detail: string): Refusal {
  return new Refusal('invalid_request', `The password ${detail}.`, {
    errors: [{ pointer: '/password', detail }],
  })
}

/** The commonest of ten characters and more in published leaks. */
const COMMON: ReadonlySet<string> = new Set(
  `0123456789 0987654321 1029384756 111222333444 1122334455 112233445566 1223334444 1234512345 1234554321
  1234567890 12345678900 123456789012 1234567891 12345678910 1234567899 123456789a 123456789abc 123456789q
  123456789z 12345qwert 1234qwerasdf 1234qwerty 123qweasdzxc 1472583690 147258369a 1597534682 1a2b3c4d5e
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 9876543210 987654321a a123456789 aa12345678
  aa123456789 abc1234567 abc123456789 abc123abc123 abcd123456 abcd12345678 abcdef1234 abcdef123456 abcdefghij
  abcdefghijk abcdefghijklmnop admin12345 admin123456 adminadmin administrator alexander1 alexandria anthony123
  arsenal123 asd123asd123 asdasdasd1 asdf123456 asdfasdfasdf asdfghjkl1 asdfghjkl123 asdfghjkl; ashley1234
  babygirl12 babygirl123 barcelona1 baseball12 baseball123 basketball basketball1 batman1234 beautiful1 bismillah1
  blackberry bubblegum1 buttercup1 butterfly1 cambridge1 caterpillar changeme12 changeme123 charlie123 chelsea123
  chocolate1 chocolate123 christian1 christina1 christopher cinderella computer123 correcthorsebatterystaple
  counterstrike default123 dragon1234 elizabeth1 everything facebook12 facebook123 football12 football123
  fortnite123 friendship galatasaray goodmorning hello12345 hello123456 helloworld helloworld1 ihateyou123
  iloveyou12 iloveyou123 iloveyou1234 iloveyou2much iloveyouso internet123 jennifer123 jessica123 justin1234
  killer1234 letmein123 letmein1234 liverpool1 liverpool123 login12345 lovelylove loveyou123 manchester
  manchester1 manutd1234 master1234 michael123 michelle123 microsoft1 minecraft1 minecraft123 monkey1234
  motorola123 mynameis123 mypassword mypassword1 mypassword123 nicole1234 nopassword p@ssw0rd12 p@ssw0rd123
  p@ssword12 p@ssword123 pa55word123 pass123456 pass1234567 passw0rd12 passw0rd123 passw0rd1234 password00
  password01 password02 password1! password10 password11 password12 password12! password123 password123!
  password1234 password12345 password123456 password2024 password2025 password2026 password21 password22
  password99 passwordpassword playstation playstation2 pokemon123 princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6
  qazwsx1234 qazwsx123456 qazwsxedc1 qazwsxedcrfv qwaszx1234 qwe123qwe123 qweasd1234 qweasdzxc1 qweasdzxc123
  qwer123456 qwer1234qwer qwert12345 qwert123456 qwerty1234 qwerty12345 qwerty123456 qwerty1234567 qwerty123456789
  qwertyqwerty qwertyui123 qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[] realmadrid rockyou123 root123456
  samsung123 sandwiches secret1234 shadow1234 skateboard snowboard1 soccer1234 spiderman1 spiderman123 starwars12
  starwars123 strawberry strawberry1 summer2024 summer2025 summer2026 sunshine12 sunshine123 superman12
  superman123 supernatural supersecret sweetheart test123456 test1234567 testtest123 thomas1234 tottenham1
  trustno123 university volleyball welcome123 welcome123! welcome1234 welcome12345 welcome2024 welcome2025
  welcome2026 whatever12 whatever123 williams123 winter2024 winter2025 winter2026 yourpassword zaq12wsxcde3
  zaq1xsw2cde3 zxc123zxc123 zxcvbnm,./ zxcvbnm123 zxcvbnm1234`.split(/\s+/),
)
