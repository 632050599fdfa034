/**
 * What models call arguments and choices before they have read a schema, for all tools. The first argument that a tool
 * has and that was not given is meant, so the order of this table matters.
 */

/** Other names of each argument. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  query:
    'q search search_query search_term term text keyword keywords question name full_name names',
  people:
    'person contact contacts connection connections person_id contact_id contact_ids connection_id connection_ids ' +
    'person_ids id ids name full_name names email emails participant participants attendees with who',
  connections: 'people persons contacts person contact connection items',
  limit: 'max_results max per_page page_size num_results number_of_results top_k size results',
  sort: 'sort_by order_by order sorting',
  company: 'organization employer org company_name works_at workplace',
  title: 'job_title role position job occupation',
  location: 'city place region address country town',
  given_name: 'first_name first forename',
  family_name: 'last_name surname last',
  name: 'full_name display_name contact_name',
  emails: 'email_address email_addresses mail e_mail',
  phones: 'phone_number phone_numbers mobile telephone cell',
  links: 'url urls website websites',
  profile_url: 'linkedin linkedin_url',
  birthday: 'birth_date birthdate date_of_birth dob',
  note: 'notes comment comments remark',
  target: 'query q name person people company to who goal target_name target_company',
  by: 'group_by per count_by grouped_by dimension field',
  day: 'date on when',
  on: 'date day when happened_on occurred_on',
  due_on: 'due due_date date deadline when remind_on on remind_at due_at day',
  due_before: 'due due_by until before due_until',
  since: 'from from_date start start_date date_from after starting',
  until: 'to to_date end end_date date_to before ending',
  changed_jobs_since: 'changed_jobs job_changed_since',
  connected_after: 'met_after met_since connected_since since',
  kinds: 'kind type types entry_type entry_types',
  kind: 'type interaction_type channel medium',
  status: 'state',
  state: 'status',
  text: 'note notes content body message description summary comment details title task what todo subject',
  done: 'completed complete is_done finished is_completed',
  every: 'frequency interval cadence how_often period each recurrence',
  paused_until: 'snooze_until pause_until snoozed_until snooze paused',
  muted: 'mute is_muted',
  recurrence: 'repeat repeats recurring every frequency',
  keep_id: 'keep primary primary_id target_id into',
  merge_ids: 'merge duplicates duplicate_ids others other_ids merge_id',
  activity_id: 'change_id action_id id',
  note_id: 'id note',
  interaction_id: 'id interaction',
  follow_up_id: 'id follow_up reminder_id task_id',
  follow_up_ids: 'id ids follow_up follow_ups reminder_id reminder_ids follow_up_id',
  entry_id: 'id note_id interaction_id entry',
  task_id: 'id job_id job',
  agent: 'agent_name client app by actor',
  format: 'file_format file_type type',
  min_score: 'threshold minimum_score score',
  choices: 'options values',
  rename_to: 'new_name rename to',
  tag: 'label labels',
  tags: 'label labels',
  follow_up: 'reminder remind follow_up_on',
  preview: 'dry_run',
  custom: 'custom_fields custom_field',
  details: 'detail extra',
}

/** Other words for each choice. */
const CHOICES: Readonly<Record<string, string>> = {
  done: 'completed complete finished closed',
  open: 'pending todo active due incomplete',
  all: 'any both everything',
  in: 'incoming inbound received',
  out: 'outgoing outbound sent',
  call: 'phone phone_call telephone_call telephone',
  meeting: 'coffee lunch dinner breakfast drinks visit appointment in_person met video_call',
  message: 'chat text sms whatsapp dm text_message',
  email: 'mail e_mail',
  follow_up: 'reminder task todo',
  change: 'edit activity',
  recent: 'newest latest most_recent met date',
  added: 'created newly_added',
  name: 'alphabetical alphabetically',
  last_contact: 'last_contacted last_contact_on least_recent',
  relevance: 'best score',
  vcard: 'vcf',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  company: 'employer organization',
  title: 'role position job_title job',
  location: 'city place',
  year: 'year_met',
  choice: 'select enum dropdown',
  number: 'numeric integer float',
  text: 'string',
  different: 'not_duplicates distinct separate',
  semantic: 'meaning vector',
  keyword: 'words exact',
}

/** What a table says that a word means, in the order of the table. */
type Synonyms = (word: string) => readonly string[]

function synonymsIn(table: Readonly<Record<string, string>>): Synonyms {
  const meant = new Map<string, string[]>()
  for (const [name, words] of Object.entries(table))
    for (const word of words.split(' ')) meant.set(word, [...(meant.get(word) ?? []), name])
  return (word) => meant.get(word) ?? []
}

/** The arguments that a name may stand for. */
export const argumentsMeantBy: Synonyms = synonymsIn(ARGUMENTS)

/** The choices that a word may stand for. */
export const choicesMeantBy: Synonyms = synonymsIn(CHOICES)

/** `Phone Call`, `phone-call` and `phoneCall` are `phone_call`, in American spelling. At most 80 characters. */
export function plainName(text: string): string {
  return text
    .slice(0, 80)
    .trim()
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s-]/g, '_')
    .replace(/(?<=i)s(?=ation$)/, 'z')
}
