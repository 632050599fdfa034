/** Where the page is, and where its forms are sent. */

import { INTEGRATIONS_PATH } from '../../html/site-map.ts'

/** A passkey that confirms who creates a token, and what a browser needs for it. */
export const CONFIRM_PATH = `${INTEGRATIONS_PATH}/confirm`
export const CONFIRM_OPTIONS_PATH = `${CONFIRM_PATH}/options`

/** Of the form that makes a token. */
export const NEW_TOKEN_ID = 'new-token'
