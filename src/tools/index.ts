export { type CommandRun, type RunDeps, runCommand, type ToolOutput } from './runCommand';
export {
  planSpec,
  readPlanArguments,
  readShellArguments,
  type ShellArguments,
  shellSpec,
} from './toolArguments';
