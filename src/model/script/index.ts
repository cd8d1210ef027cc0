/** The door of the scripted model, which reads its answers from a file. */
export { type ScriptDeps, scriptedModel } from './scriptedModel';
