/** What is added, edited and deleted on the page of a connection: one form for each noun. */

import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
import { INTERACTION_ENTRY } from '../../connections/interactions/interaction-form.page.ts'
import { NOTE_ENTRY } from '../../connections/notes/note-form.page.ts'
import type { EntryForm } from '../../ui/entry-form.ts'

export const ENTRY_FORMS: readonly EntryForm[] = [NOTE_ENTRY, FOLLOW_UP_ENTRY, INTERACTION_ENTRY]
