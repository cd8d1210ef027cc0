export { memoryHere } from './memoryHere';
export { releaseMemory } from './releaseMemory';
