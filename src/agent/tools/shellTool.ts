/** The tool `shell`, which runs one command. */
import { resolve } from 'node:path';
import { map, type Observable, of } from 'rxjs';
import { findPatch } from '../../executor/applying/findPatch';
import { assessCommand, type CommandDeps, type CommandPlan, type CommandSettings } from './commandCalls';
import { assessPatch, type PatchDeps, type PatchPlan, type PatchSettings } from './patchCalls';
import { runPatch } from './runPatch';
import { runPlanned } from './runPlanned';
import { readShellArguments, shellSpec } from './shellArguments';
import type { Assessment, Tool } from './tool';

/** `form`: how the tool is offered to the model, as a function or as the `local_shell` that it knows. */
export type ShellSettings = CommandSettings & { form?: 'function' | 'local_shell' };

export type ShellDeps = CommandDeps & PatchDeps;

/** A command, or a patch that is written as one. */
export type ShellPlan = { kind: 'command'; command: CommandPlan } | { kind: 'patch'; patch: PatchPlan };

/**
 * Runs a command, or asks first. Arguments that cannot be read are refused, and the model reads why. A command that is a patch is
 * applied as one.
 */
export const shellTool = (deps: ShellDeps, settings: ShellSettings): Tool<ShellPlan> => ({
  spec: settings.form === 'local_shell' ? { type: 'local_shell' } : shellSpec(),
  otherNames: ['shell', 'local_shell', 'container.exec'], // Source: Codex 0.28.0, CORE 6.1
  assess: (call) => {
    const args = readShellArguments(call.args);
    if (typeof args === 'string') return of({ verdict: 'refuse', output: args });
    const cwd = resolve(settings.cwd, args.workdir ?? '.');
    const patch = findPatch(args.command, cwd);
    return patch === undefined
      ? assessCommand(
          deps,
          settings,
        )({ ...call, args, cwd }).pipe(mapPlan((command) => ({ kind: 'command' as const, command })))
      : assessPatch(
          deps,
          patchSettings(settings),
        )({ ...call, ...patch }).pipe(mapPlan((patch) => ({ kind: 'patch' as const, patch })));
  },
  run: (plan, mode) =>
    plan.kind === 'patch'
      ? runPatch(deps, patchSettings(settings))(plan.patch, mode)
      : runPlanned(deps, settings)(plan.command, mode),
});

const patchSettings = ({ policy, mode, sealed, sandbox: { mayWrite } }: CommandSettings): PatchSettings => ({
  policy,
  mode,
  sealed,
  mayWrite,
});

const mapPlan =
  <P, Q>(change: (plan: P) => Q) =>
  (assessment$: Observable<Assessment<P>>): Observable<Assessment<Q>> =>
    assessment$.pipe(
      map((assessment) =>
        assessment.verdict === 'refuse' ? assessment : { ...assessment, plan: change(assessment.plan) },
      ),
    );
