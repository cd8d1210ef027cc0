/** The sandbox of a thread that works on a remote executor, which makes and enforces it. */
import { defer, map, type Observable, reduce } from 'rxjs';
import type { EnvPolicy, ProcessEvent } from '../../protocol/exec/process';
import type { ExecSandbox } from '../../protocol/exec/sandboxParams';
import { clip } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import type { Backend, Started } from '../backend';
import { mayWrite } from '../sandbox/mayWrite';
import type { SessionSandbox } from '../sandbox/openSandboxes';
import type { SandboxSettings } from '../sandbox/pinRoots';
import { foundOnce, type Readiness } from '../sandbox/sandboxMaker';
import { READ_ONLY, rootsOf, toExecSandbox } from './execSandbox';

type ElsewhereDeps = {
  /** Runs processes on the executor. */
  backend: Backend;
  /** What processes inherit there. */
  envPolicy: EnvPolicy;
};

type ElsewhereSettings = Omit<SandboxSettings, 'tmpdir'>;

/** The files of another machine are not read when a patch is assessed: the executor protects them. */
const UNSEEN = {
  realpath: () => undefined,
  kindOf: () => undefined,
  readText: () => undefined,
  list: () => [],
};

/** Runs processes on the executor, in a sandbox there, or as freely as the executor's ceiling allows. */
export const placedBackend = ({ backend, envPolicy }: ElsewhereDeps, sandbox?: ExecSandbox): Backend => ({
  start: (spec) => backend.start({ ...spec, elsewhere: { envPolicy, ...(sandbox && { sandbox }) } }),
});

/**
 * The port of a sandbox over an executor. `ready$` tries it with a command that does nothing, until that was run once; if the executor refuses it, the
 * reason is the `remedy`. `mayWrite` checks the paths alone: it decides whether the user is asked. The executor decides what is written.
 */
export const sandboxElsewhere = (deps: ElsewhereDeps, settings: ElsewhereSettings): SessionSandbox => {
  const { mode, networkAccess, excludeSlashTmp } = settings;
  const asSet = placedBackend(deps, toExecSandbox(settings));
  const workspace = mode === 'read-only' ? [] : rootsOf(settings);
  const temporary = mode === 'read-only' || excludeSlashTmp ? [] : ['/tmp'];
  return {
    ready$: foundOnce(defer(() => tried(asSet))),
    asSet,
    readOnly: placedBackend(deps, READ_ONLY),
    mayWrite: mayWrite({ files: UNSEEN, own: [] }, { workspace, temporary }),
    writable: [...workspace, ...temporary],
    network: mode === 'workspace-write' && networkAccess ? 'open' : 'closed',
  };
};

/** A shell is on every system that has a sandbox. */
const NOTHING = { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {} };

const tried = (backend: Backend): Observable<Readiness> =>
  backend.start(NOTHING).pipe(
    reduce(addTo, { words: '' } as Trial),
    map(({ remedy, words }) =>
      remedy === undefined ? { kind: 'ready' } : { kind: 'missing', remedy: `on the executor: ${remedy}${words}` },
    ),
  );

type Trial = {
  /** Why nothing can be started there; undefined if it can. */
  remedy?: string;
  /** The first line of the output, behind a colon. */
  words: string;
};

const addTo = (trial: Trial, event: Started | ProcessEvent): Trial => {
  switch (event.kind) {
    case 'failed':
      return { remedy: toVisible(clip(event.reason, MAX_REASON)), words: '' };
    case 'exited':
      return event.exitCode === 0
        ? trial
        : { ...trial, remedy: `its sandbox does not start a command (exit code ${event.exitCode})` };
    case 'output':
      return trial.words === '' ? { ...trial, words: `: ${firstLineOf(event.chunk)}` } : trial;
    default:
      return trial;
  }
};

const MAX_LINE = 300;
/** The reason of our own server may name a remedy. */
const MAX_REASON = 1_000;

const firstLineOf = (chunk: Uint8Array): string =>
  toVisible(clip(Buffer.from(chunk).toString().trim().split('\n')[0] ?? '', MAX_LINE));
