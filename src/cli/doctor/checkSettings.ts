/** The checks of what a user has set up: home, configuration, threads, login, environment. */
import { dirname, join } from 'node:path';
import { concatMap, defer, map, type Observable, of, reduce, take, timeout } from 'rxjs';
import { toolsElsewhere } from '../../agent/elsewhere/toolsElsewhere';
import { placeElsewhere } from '../../agent/elsewhere/workspaceElsewhere';
import { configDeps, configureOf, preferredLogin, type ThreadsWiring, type Wiring } from '../../agent/wiring/wiring';
import { openThreads } from '../../app/openThreads';
import type { Backend } from '../../executor/backend';
import { filesHere } from '../../io/disk/filesHere';
import { isOwnFolder, whyNotKept } from '../../io/disk/namedHere';
import { permissionFault } from '../../io/files/fileError';
import { factsOrThrow, isThere, isWritableFolder, lookAt } from '../../io/paths/look';
import { foldersUp } from '../../io/paths/relations';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Config } from '../../settings/config';
import { effectiveSettings } from '../../settings/effectiveSettings';
import { loginHere } from '../../settings/logins/accountsHere';
import { readThreadStore } from '../../settings/readThreadStore';
import { fileReasonOf } from '../../streams/text/reasons';
import { toVisible } from '../../streams/text/visible';
import { inputFirst } from '../../streams/time/limits';
import type { Result } from './finding';

/** Taking a lock writes a file, and releasing it removes that again. Throws FileError if it cannot be taken. A missing home is not created. */
export const examineHome = ({ codexHome, platform }: Pick<ProcessInfo, 'codexHome' | 'platform'>): Result => {
  const home = lookAt(codexHome);
  if (home.kind === 'absent') return examineMissing(codexHome);
  if (home.kind === 'unknown') return closed(codexHome, home.error);
  const lock = filesHere(codexHome).files.lock(`${codexHome}/codex-rx/locks/doctor.lock`);
  if (lock.kind === 'locked') lock.release();
  if (platform !== 'win32' && isOthers(codexHome)) {
    const remedy = `chown it to the user of the server, and close it: chmod 700 ${codexHome}`;
    return { state: 'warning', text: `${codexHome} can be written by others, who can have any command run`, remedy };
  }
  const fault = SECRET.map((name) => faultOf(join(codexHome, name), platform)).find((one) => one !== undefined);
  return fault === undefined ? { text: `${codexHome} can be written` } : { state: 'warning', text: fault };
};

/** The first turn creates a missing home, unless CODEX_HOME names it: the check of the configuration reports that. */
const examineMissing = (codexHome: string): Result => {
  const folder = foldersUp(dirname(codexHome)).find(isThere) ?? codexHome;
  if (isWritableFolder(folder)) return { text: `${codexHome} is not there yet` };
  const remedy = `make it for the user of the server, or have CODEX_HOME name another folder`;
  return { state: 'fault', text: `${codexHome} is not there, and cannot be made in ${folder}`, remedy };
};

const closed = (path: string, error: Error): Result => ({
  state: 'fault',
  text: `${path} cannot be looked at: ${fileReasonOf(error)}`,
  remedy: 'run the server as the user whose folder it is, or have CODEX_HOME name another folder',
});

/** Files with logins. */
const SECRET = ['auth.json', '.credentials.json'];

const OTHERS_WRITE = 0o002;

/** The config.toml of the home names programs. Its group may write: often its user is the only member. */
const isOthers = (folder: string): boolean => !isOwnFolder(folder) || (factsOrThrow(folder).mode & OTHERS_WRITE) !== 0;

const faultOf = (path: string, platform: string): string | undefined => {
  const found = lookAt(path);
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'there') return permissionFault(path, found.facts.mode, platform);
  return `${path} cannot be looked at: ${fileReasonOf(found.error)}`;
};

/** The settings that matter most, each warning, and the keys that nothing reads. Throws ConfigError. */
export const examineConfig = (wiring: Wiring): Result => {
  const { model, provider, approvalPolicy, sandboxMode } = configureOf(wiring)({});
  const text = `model ${model} of the provider ${provider.id}, approval ${approvalPolicy}, sandbox ${sandboxMode}`;
  const { warnings, ignored } = effectiveSettings(configDeps(wiring));
  const unnamed = ignored.filter((key) => !warnings.some((line) => line.includes(`: ${key} `)));
  const unused = unnamed.length === 0 ? [] : [`only an installed Codex reads ${unnamed.join(', ')}: no effect here`];
  const lines = [...warnings, ...unused].map(toVisible);
  return {
    text,
    ...(warnings.length > 0 && { state: 'warning' }),
    ...(lines.length > 0 && { remedy: lines.join('\n') }),
  };
};

const LIMIT_MS = 10_000;

/** Where threads are kept. Emits once. Errors with ThreadError if a store beyond this machine cannot be used, and with ConfigError. */
export const examineThreads = (wiring: ThreadsWiring): Observable<Result> => {
  const address = readThreadStore(configDeps(wiring));
  if (address === undefined) return of(examineFolder(join(wiring.processInfo.codexHome, 'sessions')));
  const startMs = Date.now();
  return openThreads(wiring)
    .list({ limit: 1, archived: false })
    .pipe(
      timeout(LIMIT_MS, inputFirst),
      map(([newest]) => ({
        text: `in ${address}${newest === undefined ? ', which has none yet' : `, the newest ${newest.id}`}`,
        ms: Date.now() - startMs,
      })),
    );
};

const examineFolder = (sessions: string): Result => {
  const reason = whyNotKept(sessions, 'CODEX_HOME');
  return reason === undefined
    ? { text: `in ${sessions}` }
    : { state: 'warning', text: `not kept on disk, so that none outlives its server: ${reason}` };
};

/** The login that counts, without its secrets. */
export const examineLogin = (wiring: Wiring): Result => {
  const { processInfo } = wiring;
  const { login: found, source } = loginHere({ processInfo, preferred: () => preferredLogin(wiring) });
  if (found.kind === 'apikey' && source !== 'auth.json') return { text: `an API key, from ${source}` };
  if (found.kind === 'none' && !needsLogin(wiring)) return { text: 'none; the configured model provider needs none' };
  const reason = whyNotKept(processInfo.codexHome, 'CODEX_HOME');
  const kept = reason === undefined ? {} : ({ state: 'warning', remedy: `no login is kept here: ${reason}` } as const);
  if (found.kind === 'none') return { state: 'warning', text: 'none', remedy: LOG_IN, ...kept };
  if (found.kind === 'apikey') return { text: `an API key, from ${source}`, ...kept };
  const { email } = found.tokens.claims;
  return { text: `a ChatGPT account${email ? `, ${email}` : ''}`, ...kept };
};

const LOG_IN = 'codex-rx login; a model provider of your own may need none';

/** A configuration that cannot be read is a finding of its own. */
const needsLogin = (wiring: Wiring): boolean => {
  try {
    return configureOf(wiring)({}).provider.requiresOpenaiAuth;
  } catch {
    return true;
  }
};

/** Connects to an executor, and starts a command that does nothing in its sandbox. */
export const examineEnvironment = (wiring: Wiring): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    const config = configureOf(wiring)({});
    if (config.environmentId === 'local') return of({ text: 'threads work on this machine' });
    return examineElsewhere(wiring, config).pipe(
      map((found) => ({ ...found, ...(found.remedy !== undefined && NO_SANDBOX_THERE), ms: Date.now() - startMs })),
    );
  });

const NO_SANDBOX_THERE = { state: 'warning' } as const;

const SANDBOX_LIMIT_MS = 30_000;

/** What was found. */
type Examined = {
  text: string;
  /** Present if no sandbox can be made for threads that may write, or if nothing can be written in it. */
  remedy?: string;
};

/** Emits once. Errors if threads cannot work there. */
export const examineElsewhere = (wiring: Wiring, config: Config): Observable<Examined> => {
  const toDeps = toolsElsewhere(wiring);
  return placeElsewhere(wiring)({ ...config, sandboxMode: 'workspace-write' }).pipe(
    concatMap((place) => {
      const { member, sight } = place;
      const where = member === undefined ? config.environmentId : `${config.environmentId}, on ${member}`;
      const text = [`${where}: threads work in ${sight.cwd}`, ...Object.values(sight.facts)].join(', ');
      const { ready$, asSet } = toDeps(place).openSandbox(place.config);
      return ready$.pipe(
        take(1),
        concatMap((ready) =>
          ready.kind === 'ready'
            ? mayWriteIn(asSet, sight.cwd).pipe(map((may) => (may ? works(text) : writesNothing(text, sight.cwd))))
            : of({ text, remedy: ready.remedy }),
        ),
      );
    }),
    timeout(SANDBOX_LIMIT_MS, inputFirst),
  );
};

const works = (text: string): Examined => ({ text: `${text}; its sandbox works` });

/** A sandbox can be made even if the ceiling of the executor leaves nothing to write: its commands see a read-only folder. */
const writesNothing = (text: string, cwd: string): Examined => ({
  text: `${text}; its sandbox works, but nothing can be written in ${cwd}`,
  remedy: `start its exec-server with --root ${cwd}, give its user the right to write there, or name a folder of its roots by cwd`,
});

/** Emits once whether a command may write in a folder; writes nothing. */
const mayWriteIn = (backend: Backend, folder: string): Observable<boolean> =>
  backend
    .start({ argv: ['/bin/sh', '-c', 'test -w "$1"', 'sh', folder], cwd: '/', env: {} })
    .pipe(reduce((may, event) => may && !(event.kind === 'exited' && event.exitCode !== 0), true));
