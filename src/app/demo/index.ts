export type { Shown } from './demo';
export { type DemoOptions, type DemoSurroundings, startDemo } from './startDemo';
