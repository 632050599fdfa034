/** How many connections to PostgreSQL a node has, and how its purposes share them. */

import { LEAST_COMPUTE_THREADS } from '../../compute-threads.ts'

/** Four nodes fit into the 97 that PostgreSQL allows by default. */
export const DEFAULT_DATABASE_CONNECTIONS = 20
/** At least one for each purpose, and two for most. */
export const MIN_DATABASE_CONNECTIONS = 9
/** Connections for readiness checks, and for migrations at startup. */
const FIXED_CONNECTIONS = 2

/** Divides the connections of a node: a quarter for searches of members, a quarter for anonymous callers, and the rest. */
export function divideConnections(connections: number, searchThreads: number) {
  const free = connections - FIXED_CONNECTIONS
  const computeThreads = Math.max(
    LEAST_COMPUTE_THREADS,
    Math.min(searchThreads, Math.floor(free / 4)),
  )
  const pooled = free - computeThreads
  const quarter = Math.floor(pooled / 4)
  return {
    computeThreads,
    searchPoolSize: quarter,
    anonymousPoolSize: quarter,
    poolSize: pooled - 2 * quarter,
  }
}
