/** The tools that only ChatGPT is offered, and the apps that are ChatGPT. */

/** Only ChatGPT's connectors and deep research need these. Others can call them, but are not offered them. */
export const CHATGPT_TOOLS: ReadonlySet<string> = new Set(['search', 'fetch'])

/** Matches the name with which the client registered, or its User-Agent: `openai-mcp/1.0.0`. */
export const CHATGPT_APPS = /chatgpt|openai/i

/** Whether a client that selects this word, a group or the name of a tool, is offered them too. */
export function isForChatGpt(word: string): boolean {
  return word === 'chatgpt' || CHATGPT_TOOLS.has(word)
}
