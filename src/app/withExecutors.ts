/** Gives a wiring its executors. */
import type { ExecutorsWiring } from '../agent/wiring/wiring';
import type { Executors } from '../executor/backend';
import { lazy } from '../streams/lazy';

/** Loaded by the first executor that is needed. */
const executorsModule = lazy(() => require('./executors') as typeof import('./executors'));

/** The same wiring with one registry of executors, for all that is made of it. It is made at its first use. */
export const withExecutors = <W extends ExecutorsWiring>(wiring: W): W & { executors: () => Executors } => ({
  ...wiring,
  executors: lazy(() => executorsModule().executorsOf(wiring)),
});
