/** Derives facts about an email address: its mailbox, and whether one person reads it. */

import { lazy } from '../base/lazy.ts'
import { fold } from './transliterate.ts'

/** A mailbox of one person, a mailbox shared by a team or family, or a send-only mailbox. */
type MailboxKind = 'personal' | 'role' | 'family'

const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox that an address is delivered to: lower-case, without a plus tag, and for Gmail without dots. Two addresses
 * with the same mailbox have the same owner.
 */
export function mailboxOf(email: string): string {
  const lower = email.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  if (at <= 0) return lower
  const [local, domain] = [lower.slice(0, at), lower.slice(at + 1)]
  const tag = local.indexOf('+', 1)
  if (tag < 0 && !GMAIL.has(domain)) return lower
  const plain = tag < 0 ? local : local.slice(0, tag)
  if (GMAIL.has(domain)) return `${plain.replaceAll('.', '')}@gmail.com`
  return `${plain}@${domain}`
}

/** In lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** The letters and digits before the `@`, in parts: `anna.schmidt+crm@x.org` has `anna` and `schmidt`. */
export function mailboxWords(email: string): readonly string[] {
  const mailbox = mailboxOf(email)
  return fold(mailbox.slice(0, mailbox.lastIndexOf('@'))).match(/\p{L}+/gu) ?? []
}

/** Whether the address belongs to a public provider instead of a company. */
export function isFreemail(email: string): boolean {
  return freemailDomains().has(domainOf(email))
}

/** Determined only by the words before the `@`. */
export function mailboxKindOf(email: string): MailboxKind {
  const words = mailboxWords(email)
  const roles = roleWords()
  if (words.length > 0 && words.every((word) => roles.has(word))) return 'role'
  const [first = '', ...others] = words
  // sales.berlin@, info-de@, office2@: a role followed by a location or number.
  if (STRONG_ROLES.test(first) && others.length > 0) return 'role'
  return isFamily(words) ? 'family' : 'personal'
}

/** Role names that are not names of people. */
const STRONG_ROLES =
  /^(?:info|contact|kontakt|office|sales|support|admin|hello|team|noreply|vertrieb|billing|service)$/

/** family.smith@, thesmiths@, familie-meyer@, smith.family@ */
function isFamily(words: readonly string[]): boolean {
  return (
    words.some((word) => FAMILY_WORDS.has(word) || /^.{3,}family$|^family.{3,}$/.test(word)) ||
    (words.length === 1 && /^the.{3,}s$/.test(words[0] ?? ''))
  )
}

const FAMILY_WORDS = new Set(
  'family familie famille familia famiglia rodzina perhe familj semya'.split(' '),
)

const roleWords = lazy(
  () =>
    new Set(
      `abuse accounting accounts admin administration administrator administracion administracao amministrazione aide ajuda
      ayuda all anfrage apply atendimento ausbildung bewerbung billing biuro board booking bookings buchhaltung bureau
      career careers carrieres clientes club comercial commercial communication compras compta comptabilite contabilidad
      contabilidade contabilita contact contacto contato contatto contatti customerservice crew data datenschutz desk
      direccion direction direzione dispo dpo einkauf empfang empleo empresa enquiries enquiry events everyone export
      facturacion facturation feedback finance finanzen firma formation frontdesk gdpr general geschaeftsfuehrung hallo
      hello help helpdesk hi hola host hostmaster hotel hr hrd human info infos information informacion informations
      informatique inbox inquiries inquiry investor investors invoice invoices it itsupport jobs kadry kancelaria
      kantoor karriere klantenservice kontakt kontor kundenservice kundendienst legal list lists loja mail mailbox
      mailer mailerdaemon management manager marketing media members membership moderator monitoring news newsletter
      no nominas noreply notification notifications notify office oficina ops order orders order operations ordini
      owner partner partners payments payroll personal personalabteilung postmaster post poczta praxis presse press pr
      privacy procurement production projects purchasing purchase receipts reception recepcion recruiting recruitment
      recrutement redaktion redaction rekrutacja registration registrar relations reply reservas reservation
      reservations reservierung resources rh root rsvp sales school secretaria secretariat secretary segreteria
      sekretariat security service services servicio shop sklep spam staff stage store studio subscribe subscriptions
      support supporto soporte suporte sysadmin system team tech technik technical techsupport tickets tienda travel
      trainees undisclosed unsubscribe user users vendas vendite ventas vente ventes verkauf verkoop verwaltung vertrieb
      webmaster web website welcome werkstatt zarzad zakupy zentrale zamowienia`
        .trim()
        .split(/\s+/),
    ),
)

const freemailDomains = lazy(
  () =>
    new Set(
      `gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.jp yahoo.co.in yahoo.ca
      yahoo.com.br yahoo.com.ar yahoo.com.mx ymail.com rocketmail.com myyahoo.com hotmail.com hotmail.co.uk hotmail.fr
      hotmail.de hotmail.it hotmail.es hotmail.com.br outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp
      live.com live.co.uk live.fr live.nl live.de live.it msn.com passport.com icloud.com me.com mac.com aol.com aol.de
      aim.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io tuta.com fastmail.com
      fastmail.fm hey.com zoho.com mail.com email.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de
      arcor.de posteo.de posteo.net mailbox.org online.de vodafone.de 1und1.de orange.fr wanadoo.fr free.fr laposte.net
      sfr.fr neuf.fr bbox.fr libero.it virgilio.it tiscali.it alice.it tin.it hotmail.be skynet.be telenet.be ziggo.nl
      kpnmail.nl planet.nl xs4all.nl hetnet.nl home.nl bluewin.ch hispeed.ch sunrise.ch chello.at aon.at terra.com.br
      uol.com.br bol.com.br ig.com.br globo.com sapo.pt telefonica.net wp.pl o2.pl onet.pl interia.pl gazeta.pl op.pl
      seznam.cz centrum.cz email.cz azet.sk freemail.hu citromail.hu mail.ru bk.ru list.ru inbox.ru yandex.ru yandex.com
      ya.ru rambler.ru ukr.net i.ua abv.bg mail.bg qq.com 163.com 126.com sina.com sohu.com foxmail.com yeah.net
      naver.com daum.net hanmail.net nate.com rediffmail.com btinternet.com virginmedia.com sky.com talktalk.net
      ntlworld.com blueyonder.co.uk comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net
      earthlink.net juno.com netzero.net shaw.ca rogers.com sympatico.ca telus.net bigpond.com optusnet.com.au
      xtra.co.nz walla.co.il docomo.ne.jp ezweb.ne.jp softbank.ne.jp`
        .trim()
        .split(/\s+/),
    ),
)
