/** The door of the memory of this process: how much it may use, and its release. */
export { memoryHere } from './memoryHere';
export { releaseMemory } from './releaseMemory';
