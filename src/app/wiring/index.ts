/** The door of the wiring: what engines and commands need of this machine and its configuration. */
export { type Disk, readIfPossible } from './disk';
export { readPromptHistory } from './readPromptHistory';
export {
  codexHomeFault,
  configDeps,
  configureHere,
  configureOf,
  diskOf,
  type ExecutorsWiring,
  type ReadyEngine,
  seamsOf,
  type ThreadsWiring,
  type Wiring,
} from './wiring';
