/** search_connections for tests of networks in which nothing is embedded: it searches by words. */

import { openMeaning } from '../meaning/meaning.ts'
import { searchConnectionsTool as searchToolWith } from './search-connections.tool.ts'

export const searchConnectionsTool = searchToolWith({ meaning: openMeaning(null) })
