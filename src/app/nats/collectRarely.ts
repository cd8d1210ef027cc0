/** Lets V8 collect garbage less often where much output passes through. */
import { setFlagsFromString } from 'node:v8';

/**
 * The buffers of messages count for the heap, and a small heap may grow by a third only until all of it is looked through: 131 MB of output made 20 such collections, more than half of
 * the processor time of an executor. With this it may grow to four times what lives, V8's own limit for larger heaps; that took 5 MB more of memory.
 * @param setFlag sets a flag of V8, which passes over one that it does not know
 */
export const collectRarely = (
  { setFlag }: { setFlag: (flag: string) => void } = { setFlag: setFlagsFromString },
): void => setFlag('--heap-growing-percent=300');
