// Words in names of columns that say that the values are those of someone else: `Owner email`, `Phone (mother)`.

/** `plain` is a name in the form of `plainHeader`. */
export function namesOthers(plain: string): boolean {
  return plain.split(' ').some((word) => OTHERS.has(word))
}

const OTHERS: ReadonlySet<string> = new Set(
  [
    'owner owners user host organizer buyer purchaser payer inviter referrer sender creator assignee',
    'agent rep salesperson manager supervisor assistant guest guests emergency former previous old',
    'spouse wife husband partner parent parents mother father mum mom dad guardian',
    'inhaber besitzer benutzer gastgeber kaufer notfall notfallkontakt ehepartner ehefrau ehemann',
    'eltern mutter vater vormund vorgesetzter vorgesetzte',
    'proprietaire utilisateur acheteur urgence conjoint conjointe epoux epouse mere pere tuteur responsable',
    'propietario usuario comprador emergencia conyuge esposo esposa marido madre padre tutor',
    'proprietario utente acquirente emergenza coniuge moglie marito genitore genitori tutore',
    'conjuge mae pai responsavel',
    'eigenaar gebruiker koper nood noodgeval echtgenoot echtgenote moeder vader voogd ouders',
    'wlasciciel opiekun malzonek matka ojciec rodzic rodzice',
    'владелец мать отец родитель родители супруг супруга',
    '保護者 緊急連絡先 担当者 家长 父亲 母亲 紧急联系人',
  ].flatMap((words) => words.split(' ')),
)
