export type { CommandRun, ToolOutput } from './command';
export { type RunDeps, runCommand } from './runCommand';
export {
  planSpec,
  readPlanArguments,
  readShellArguments,
  type ShellArguments,
  shellSpec,
} from './toolArguments';
