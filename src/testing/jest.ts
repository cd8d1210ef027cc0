/** Declares the matchers for the global `expect` of jest. Without the types of jest it declares nothing that anyone sees. */
import type { MarbleAssertions } from './matchers';

declare global {
  namespace jest {
    interface Matchers<R, T> extends MarbleAssertions {}
  }
}

/** What jest's `expect` has; named so that the declaration goes along with the entry. */
export type InstalledInJest = MarbleAssertions;
