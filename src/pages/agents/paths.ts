/** Where the page is, and where its forms are sent. */

export const INTEGRATIONS_PATH = '/user/integrations/mcp'

export const DISCONNECT_PATH = `${INTEGRATIONS_PATH}/disconnect`
export const REVOKE_TOKEN_PATH = `${INTEGRATIONS_PATH}/revoke-token`
export const REMOVE_AGENT_PATH = `${INTEGRATIONS_PATH}/remove-agent`
/** A passkey that confirms who creates a token, and what a browser needs for it. */
export const CONFIRM_PATH = `${INTEGRATIONS_PATH}/confirm`
export const CONFIRM_OPTIONS_PATH = `${CONFIRM_PATH}/options`

/** Of the form that makes a token. */
export const NEW_TOKEN_ID = 'new-token'
