/** Declares the matchers for the global `expect` of jest. Without the types of jest the declaration has no effect. */
import type { MarbleAssertions } from './matchers';

declare global {
  namespace jest {
    interface Matchers<R, T> extends MarbleAssertions {}
  }
}

/** The matchers that jest's `expect` has; exported so that the types of the entry include the declaration above. */
export type InstalledInJest = MarbleAssertions;
