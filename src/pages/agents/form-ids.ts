/** Paths and element IDs of the forms. */

import { INTEGRATIONS_PATH } from '../../html/site-map.ts'

/** The paths for confirming with a passkey, and for its options. */
export const CONFIRM_PATH = `${INTEGRATIONS_PATH}/confirm`
export const CONFIRM_OPTIONS_PATH = `${CONFIRM_PATH}/options`

/** The ID of the form that creates a token. */
export const NEW_TOKEN_ID = 'new-token'
