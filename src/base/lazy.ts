/** Defers values that are expensive to create and rarely used, such as tables and formatters. */

/** Returns a function that calls `make` on first use and returns the same value from then on. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** A value that is created on first use, or before it in steps that each take little time. */
export interface StepwiseValue<T> {
  (): T
  /** Does the next step. Returns false once the value exists. */
  advance(): boolean
}

/** `make` yields after each step. The first use does all steps that are left. */
export function lazyInSteps<T>(make: () => Generator<void, T, void>): StepwiseValue<T> {
  let steps: Generator<void, T, void> | undefined
  let made: { readonly value: T } | undefined
  const next = () => {
    try {
      const { done, value } = (steps ??= make()).next()
      if (done === true) made = { value }
    } catch (error) {
      steps = undefined // a generator that has thrown cannot continue
      throw error
    }
    return made
  }
  const advance = () => (made ?? next()) === undefined
  const value = () => {
    for (;;) {
      const ready = made ?? next()
      if (ready) return ready.value
    }
  }
  return Object.assign(value, { advance })
}
