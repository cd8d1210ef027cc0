export { type ChildDeps, type ChildEvent, fromChild, type Spawn } from './fromChild';
export { fromReadable } from './fromReadable';
export { pressureOf, writeLines } from './writeLines';
