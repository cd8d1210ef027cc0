/** The real sandbox, for specs that try to get out of it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { lastValueFrom, reduce } from 'rxjs';
import type { Backend } from '../../../src/executor/backend';
import { localBackend } from '../../../src/executor/local/localBackend';
import { enterSandbox } from '../../../src/executor/sandbox/enterSandbox';
import type { SandboxesDeps, SessionSandbox } from '../../../src/executor/sandbox/openSandboxes';
import type { SandboxSettings } from '../../../src/executor/sandbox/pinRoots';
import { sandboxDeps, sandboxesHere } from '../../../src/executor/sandbox/sandboxesHere';
import { sandboxMaker } from '../../../src/executor/sandbox/sandboxMaker';
import { watchGroups } from '../../../src/io/processes/watchGroups';
import type { ProcessInfo } from '../../../src/io/serverProcess/serverProcess';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { type Backpressure, noBackpressure } from '../../../src/streams/backpressure';
import { demand } from '../needs/needs';

/** Programs of the machine, and the Node that runs the specs. */
export const PATH = `/usr/local/bin:/usr/bin:/bin:${dirname(process.execPath)}`;

export type OpenedSandbox = SessionSandbox & { settings: SandboxSettings };

/** @param own of the settings, `cwd` and what differs from plain workspace-write */
export type OpenOptions = {
  own: Partial<SandboxSettings> & { cwd: string };
  codexHome: string;
  home?: string;
  systemHome?: string;
  credentialFiles?: readonly string[];
  variables?: Record<string, string>;
  program?: Partial<Pick<ProcessInfo, 'dist' | 'modules'>>;
  backpressure?: Backpressure;
};

const placeOf = ({
  codexHome,
  home = '/nonexistent',
  systemHome = home,
  credentialFiles = [],
  variables,
  program,
}: Omit<OpenOptions, 'own'>) => ({
  env: { PATH: process.env.PATH, HOME: home, ...variables },
  home,
  systemHome,
  cwd: '/',
  codexHome,
  credentialFiles,
  dist: `${codexHome}/dist`,
  node: process.execPath,
  platform: process.platform,
  arch: process.arch,
  ...program,
});

/** @param meanwhile runs when the sandbox has been looked at, and nothing is started yet; @param find as in the sandbox's deps */
export type RaceOptions = { codexHome: string; home?: string; meanwhile?: () => void; find?: SandboxesDeps['find'] };

/** A sandbox with one root, which something happens to while it is made. */
export const raceSandbox = (root: string, { codexHome, home, meanwhile, find }: RaceOptions): Backend => {
  demand('sandbox');
  const signals = constants.signals;
  const backend = localBackend({ spawn, backpressure: noBackpressure, signals, watch: watchGroups({ spawn }) });
  const processInfo = placeOf({ codexHome, home });
  const deps = sandboxDeps({ processInfo, backend, newId: randomUUID, log: silentLog });
  const racing: Backend = {
    start: (spec) => {
      meanwhile?.();
      return backend.start(spec);
    },
  };
  const inside = sandboxMaker({ ...deps, ...(find && { find }) }).inside;
  return inside(racing, () => enterSandbox(deps)({ workspace: [root], temporary: [] }, 'closed'));
};

/** A session's sandbox on this machine. */
export const openSandbox = ({ own, ...place }: OpenOptions): OpenedSandbox => sandboxesOf(place)(own);

/** The sandboxes of the sessions of one server. */
export const sandboxesOf = ({ backpressure = noBackpressure, ...place }: Omit<OpenOptions, 'own'>) => {
  demand('sandbox');
  const backend = localBackend({ spawn, backpressure, signals: constants.signals, watch: watchGroups({ spawn }) });
  const open = sandboxesHere({
    processInfo: placeOf(place),
    backend,
    newId: randomUUID,
    log: silentLog,
  });
  return (own: OpenOptions['own']): OpenedSandbox => {
    const settings: SandboxSettings = {
      mode: 'workspace-write',
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: true,
      excludeSlashTmp: true,
      tmpdir: undefined,
      ...own,
    };
    return { ...open(settings), settings };
  };
};

export type Result = { stdout: string; stderr: string; exitCode: number | undefined; failed?: string };

/** Runs a command to its end. */
export const runIn = (
  backend: Backend,
  argv: readonly string[],
  own: Partial<ProcessSpec> & { cwd: string },
): Promise<Result> =>
  lastValueFrom(
    backend.start({ argv, env: { PATH }, ...own }).pipe(
      reduce(
        (result: Result, event): Result => {
          if (event.kind === 'exited') return { ...result, exitCode: event.exitCode };
          if (event.kind === 'failed') return { ...result, failed: event.reason };
          if (event.kind !== 'output') return result;
          const name = event.stream === 'stderr' ? 'stderr' : 'stdout';
          return { ...result, [name]: result[name] + Buffer.from(event.chunk).toString() };
        },
        { stdout: '', stderr: '', exitCode: undefined },
      ),
    ),
  );

/** The id here of a process that has this one in its sandbox; found by the folder it works in. */
export const hostPid = (pid: number, folder: string): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((candidate) => {
      try {
        const ids = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${candidate}/status`, 'utf8'))?.[1]?.split('\t') ?? [];
        return ids.length > 1 && ids.at(-1) === String(pid) && readlinkSync(`/proc/${candidate}/cwd`) === folder;
      } catch {
        return false; // it is gone
      }
    });
