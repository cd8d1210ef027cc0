/** The tools of a thread that works on an executor elsewhere. */
import { map, of } from 'rxjs';
import type { Workspace } from '../../agent';
import type { Config } from '../../config';
import { placedBackend, remoteFiles, sandboxElsewhere, toExecSandbox } from '../../executor';
import { toTurnDiff } from '../../patch';
import { parseCommand, readTrust, type Trust } from '../../safety';
import { type BuiltInDeps, builtInTools, runCommand } from '../../tools';
import { bashHere, blobId } from '../engines/nativeTools';
import type { Reached } from '../engines/reached';
import { seamsOf, type Wiring } from '../engines/wiring';
import type { Sight } from './lookAround';
import { patchesElsewhere } from './patchesElsewhere';

/** An executor that was reached, what was found there, and the settings of the thread in its folder there. */
export type Place = Reached & { config: Config; sight: Sight };

const clockMs = (): number => performance.now();

/** Makes the workspace of a thread. */
export const toolsElsewhere = (wiring: Wiring) => {
  const { processInfo, log, backpressure, options } = wiring;
  const read = bashHere(processInfo.dist, log);
  const now = seamsOf(wiring).chance('toolTime', clockMs);
  const trust = readTrust({ read });
  return ({ executor, member, config, sight }: Place): Workspace => {
    const placement = { backend: executor, envPolicy: config.shellEnvironment };
    const { sandboxMode, workspaceWrite, cwd } = config;
    const mode = sandboxMode === 'workspace-write' ? sandboxMode : 'read-only';
    const sandbox = sandboxElsewhere(placement, { ...workspaceWrite, mode, cwd });
    const files = remoteFiles(executor);
    const confined = remoteFiles({ ...executor, sandbox: toExecSandbox({ ...workspaceWrite, mode, cwd }) });
    const deps: BuiltInDeps = {
      readTrust: (argv) => trust(argv).pipe(map(withoutGit)),
      parseCommand: parseCommand({ read }),
      namesPrograms: () => true,
      showsSecrets: () => true, // as far as this machine can tell; a sandbox there hides them
      runOn: (backend) => runCommand({ backend, backpressure, now, clockMs }),
      backend: placedBackend(placement),
      trustedPath: (path) => path,
      environmentOf: () => ({}), // it is made there, by the same policy
      ...seamsOf(wiring).patches(patchesElsewhere({ files, confined })),
      now,
      readImage: () => of({ kind: 'unreadable', reason: 'pictures of another machine cannot be read yet' }),
      openSandbox: () => sandbox,
    };
    const root = sight.repository ?? (options.bareDiffPaths === 'absolute' ? undefined : cwd);
    return {
      config,
      builtIn: builtInTools(deps)(config),
      writableRoots: () => sandbox.writable,
      userInstructions: () => of(undefined),
      turnDiff: toTurnDiff({ blobId, root }),
      readImage: deps.readImage,
      environment: { id: config.environmentId, ...(member !== undefined && { executor: member }) },
      facts: sight.facts,
    };
  };
};

/** What git would run there is not known here, so that it is a command as any other. */
const withoutGit = (trust: Trust): Trust =>
  trust.trusted && trust.commands.some(([name]) => name === 'git')
    ? { trusted: false, why: 'git of another machine may run what a repository there names' }
    : trust;
