/** Git for the Codex methods. As wherever git runs unasked, no program runs that a repository names. */
import { isAbsolute, join } from 'node:path';
import { concatMap, defer, type Observable, throwError } from 'rxjs';
import { trustedEnvironment } from '../../agent/tools/trustedEnvironment';
import { HostError, type ProcessEnd } from '../../protocol/methods/host';
import type { HostDeps } from './hostDeps';
import { runToEnd } from './runToEnd';

const LIMITS = { timeoutMs: 30_000, maxBytes: 67_108_864 };

const OF_WORKSPACE =
  'git runs unasked here, so it is not taken from the workspace, and PATH has no other; name a folder that does not hold the programs of the system';
const NAMES_PROGRAMS =
  'the configuration of a repository on the way names programs, such as a filter or a diff program, which git would run unasked';
const OF_WORKSPACE_SETTINGS =
  'the settings of git for its user lie in this workspace, and may name programs, which git would run unasked; make a sandbox possible (codex-rx doctor says how), or name a folder that does not hold your home';

/**
 * Runs a git command that only reads, in the read-only sandbox where there is one. Emits how it ended; errors with HostError where a
 * repository names programs.
 */
export const runGit =
  ({ configure, tools }: HostDeps) =>
  (folder: string, args: readonly string[]): Observable<ProcessEnd> =>
    defer(() => {
      if (tools.namesPrograms(folder)) return throwError(() => new HostError(NAMES_PROGRAMS));
      const config = configure({ cwd: folder });
      const plain = tools.environmentOf(config.shellEnvironment);
      if (tools.workspaceProgram(['git'], plain.PATH, [folder]) !== undefined)
        return throwError(() => new HostError(OF_WORKSPACE));
      const found = plain.PATH === undefined ? plain : { ...plain, PATH: tools.trustedPath(plain.PATH, [folder]) };
      const spec = { argv: ['git', ...args], cwd: folder, env: trustedEnvironment(found) };
      const sandbox = tools.openSandbox(config);
      return sandbox.ready$.pipe(
        concatMap(({ kind }) => {
          if (kind === 'ready') return runToEnd(sandbox.readOnly, LIMITS)(spec);
          if (hasSettings(tools, folder, plain)) return throwError(() => new HostError(OF_WORKSPACE_SETTINGS));
          return runToEnd(tools.backend, LIMITS)(spec);
        }),
      );
    });

/** Whether the settings that git reads everywhere lie in a workspace, by name or by a link. Source: git-config(1), FILES. */
const hasSettings = (
  { trustedPath }: Pick<HostDeps['tools'], 'trustedPath'>,
  folder: string,
  { HOME = '', XDG_CONFIG_HOME = join(HOME, '.config'), GIT_CONFIG_GLOBAL = '' }: Record<string, string>,
): boolean =>
  [join(HOME, '.gitconfig'), join(XDG_CONFIG_HOME, 'git/config'), ...(GIT_CONFIG_GLOBAL ? [GIT_CONFIG_GLOBAL] : [])]
    .filter(isAbsolute) // git gets no other
    .some((path) => trustedPath(path, [folder]) !== path);
