/**
 * Milliseconds after which a test says that something hangs. So long that no test depends on the speed of the machine: what
 * must happen early is compared with other events, or measured by a clock of the test.
 */
export const HUNG_MS = 900_000
