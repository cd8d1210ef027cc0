/** What a reducer returns. */

/** The new state of a reducer `(state, input) => { state, output }`, and what it emits. */
export type Reduced<S, O> = { state: S; output: readonly O[] };
