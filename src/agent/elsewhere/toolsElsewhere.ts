/** The tools of threads that work on executors elsewhere. */
import { map } from 'rxjs';
import { inRealFolder } from '../../executor/inRealFolder';
import { READ_ONLY, toExecSandbox } from '../../executor/remote/execSandbox';
import { remoteFiles } from '../../executor/remote/remoteFiles';
import { placedBackend, sandboxElsewhere } from '../../executor/remote/sandboxElsewhere';
import type { Config } from '../../settings/config';
import { bashHere } from '../native/nativeTools';
import { parseCommand } from '../safety/parseCommand';
import { readTrust, type Trust } from '../safety/readTrust';
import type { BuiltInDeps } from '../tools/builtInTools';
import { runCommand } from '../tools/runCommand';
import { seamsOf, type Wiring } from '../wiring/wiring';
import { holdElsewhere, realFolderElsewhere } from './foldersElsewhere';
import { imagesElsewhere } from './imagesElsewhere';
import type { Sight } from './lookAround';
import { patchesElsewhere } from './patchesElsewhere';
import type { RecordedExecutor } from './recorded';

/** An executor that was reached, what was found there, and the settings of the thread in its folder there. */
export type Place = RecordedExecutor & { config: Config; sight: Sight };

const clockMs = (): number => performance.now();

/** What the built-in tools of a thread need of its machine; only the grammar of bash is of this one. */
export const toolsElsewhere = (wiring: Wiring) => {
  const { processInfo, log, backpressure } = wiring;
  const seams = seamsOf(wiring);
  const now = seams.chance('toolTime', clockMs);
  const read = bashHere(processInfo.dist, log);
  const trust = readTrust({ read });
  const common = {
    readTrust: (argv: readonly string[]) => trust(argv).pipe(map(withoutGit)),
    parseCommand: parseCommand({ read }),
    runOn: (backend: BuiltInDeps['backend']) => runCommand({ backend, backpressure, now, clockMs }),
    now,
    ...UNKNOWN,
  };
  return ({ executor, plain: request, config }: Place): BuiltInDeps => {
    const placement = { backend: executor, envPolicy: config.shellEnvironment };
    const settings = settingsOf(config);
    const sandbox = sandboxElsewhere(placement, settings);
    const files = remoteFiles({ request });
    const confined = remoteFiles({ request, sandbox: toExecSandbox(settings) });
    const shown = remoteFiles({ ...executor, ...(config.sandboxMode !== FULL_ACCESS && { sandbox: READ_ONLY }) });
    return {
      ...common,
      ...seams.patches(patchesElsewhere({ files, confined })),
      realFolder: realFolderElsewhere(executor),
      backend: inRealFolder(holdElsewhere(executor))(placedBackend(placement)),
      readImage: imagesElsewhere({ files: shown }),
      openSandbox: () => sandbox,
    };
  };
};

const FULL_ACCESS = 'danger-full-access';

/** What this machine cannot tell of another: the stricter answer counts. The environment of commands is made there, by the policy of the thread. */
const UNKNOWN = {
  namesPrograms: () => true,
  showsSecrets: () => true,
  trustedPath: (path: string) => path,
  workspaceProgram: () => undefined,
  environmentOf: () => ({}),
};

const settingsOf = ({ sandboxMode, workspaceWrite, cwd }: Config) => ({
  ...workspaceWrite,
  cwd,
  mode: sandboxMode === 'workspace-write' ? sandboxMode : ('read-only' as const),
});

/** What git would run there is not known here, so git is a command like any other. */
const withoutGit = (trust: Trust): Trust =>
  trust.trusted && trust.commands.some(([name]) => name === 'git')
    ? { trusted: false, why: 'git of another machine may run what a repository there names' }
    : trust;
