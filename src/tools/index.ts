export type { CommandRun, ToolOutput } from './command';
export { environmentOf } from './environment';
export { type RunDeps, runCommand } from './runCommand';
export {
  planSpec,
  readPlanArguments,
  readShellArguments,
  type ShellArguments,
  shellSpec,
} from './toolArguments';
