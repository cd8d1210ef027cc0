/** The machine behind the Codex methods: config.toml, git and other commands, folders, the login. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { installedCodex, mayBeLoggedIn } from '../agent/appServer/installedCodex';
import { usesLogin } from '../agent/modelHttp/credentials';
import { modelLogin } from '../agent/native/modelLogin';
import { toolDeps } from '../agent/native/nativeTools';
import { foldersDownTo } from '../agent/thread/userInstructions';
import { configDeps, configureHere, configureOf, seamsOf, type Wiring } from '../agent/wiring/wiring';
import { localBackend } from '../executor/local/localBackend';
import { filesHere } from '../io/disk/filesHere';
import { redactInSteps, secretValuesOf } from '../io/log/secretValues';
import { isThere } from '../io/paths/look';
import { spawnHere } from '../io/processes/spawnHere';
import type { CodexHost } from '../protocol/methods/host';
import { runGit, runOneOff } from '../server/host/commands';
import { accountHere, storedConversations } from '../server/host/homeHere';
import { libraryHere, skillsIn } from '../server/host/libraryHere';
import { type SessionsDeps, sessionsHere } from '../server/host/sessions';
import { walkFiles } from '../server/host/walkFiles';
import { limitStored } from '../settings/limitStored';
import { readSavedConfig, readTables } from '../settings/readProfile';
import { lazy } from '../streams/lazy';
import { startsInTurns } from '../streams/pausing';
import { nameThread } from '../threads/threadNames';
import { openThreads } from './openThreads';

/** Loaded by the first look at tapes, as start-up time counts. */
const tapesModule = lazy(() => require('../server/host/tapesHere') as typeof import('../server/host/tapesHere'));

/** Recorded if there is a tape; a rerun plays it from its tape. @param folder of the tapes that clients may read */
export const codexHost = (wiring: Wiring, folder?: string): CodexHost => {
  const { backpressure, watch } = wiring;
  const configure = configureHere(wiring, 'this method');
  const backend = localBackend({ spawn: spawnHere, backpressure, signals: constants.signals, watch });
  const deps = lazy(() => ({ configure, tools: toolDeps(wiring, backend) })); // a session looks for its sandboxes by itself
  const secrets = secretValuesOf(wiring.processInfo.env);
  const tapes = lazy(() => tapesModule().tapesHere({ folder, secrets }));
  return seamsOf(wiring).host({
    savedConfig: () => readSavedConfig(configDeps(wiring)),
    folder: (cwd) => configure({ cwd }).cwd,
    git: (folder, args) => runGit(deps())(folder, args),
    runOneOff: (command) => runOneOff(deps())(command),
    files: walkFiles,
    ...storedConversations({
      open: () => openThreads(wiring),
      hide: redactInSteps(secrets),
      starts: startsInTurns({ now: () => performance.now(), soon: setImmediate }),
    }),
    listTapes: () => tapes().listTapes(),
    readTape: (name) => tapes().readTape(name),
    sessions: sessionsHere(sessionsDeps(wiring)),
    account: accountHere(wiring),
  });
};

const sessionsDeps = (wiring: Wiring): SessionsDeps => ({
  open: () => openThreads(wiring),
  configure: configureOf(wiring),
  storedSettings: limitStored(configDeps(wiring)),
  needsLogin: needsLogin(wiring),
  tables: readTables(configDeps(wiring)),
  savedConfig: () => readSavedConfig(configDeps(wiring)),
  prompts: () => (wiring.disk ? [] : libraryHere(wiring.processInfo.codexHome).prompts()),
  skills: (cwd) => (wiring.disk ? [] : skillsIn(skillRoots(wiring, cwd))),
  newId: randomUUID,
  rename: (id, name) => {
    const { codexHome: home } = wiring.processInfo;
    nameThread({ ...filesHere(home), home }, { id, name }, Date.now());
  },
});

/** The folders of skills: of the project, from the folder up to its root, then of the user. Source: codex-rs/core-skills/src/loader.rs. */
const skillRoots = ({ processInfo: { codexHome, home } }: Wiring, cwd: string) => [
  ...foldersDownTo({ cwd }, isThere)
    .reverse()
    .flatMap((folder) => ['.agents', '.codex'].map((name) => [folder, [name, 'skills']] as const)),
  [codexHome, ['skills']] as const,
  ...(home === undefined ? [] : [[home, ['.agents', 'skills']] as const]),
];

/** An installed Codex has a login of its own; whether it is any good, its first turn says. */
const needsLogin = (wiring: Wiring): SessionsDeps['needsLogin'] => {
  const { engine } = wiring.options;
  const { readAuth } = modelLogin(wiring);
  return ({ provider }) => {
    if (engine === 'tape' || !usesLogin(provider)) return false;
    if (engine !== 'native' && mayBeLoggedIn(wiring) && !('looked' in installedCodex(wiring)())) return false;
    return engine === 'app-server' || (readAuth() === null && !wiring.processInfo.env.OPENAI_API_KEY?.trim());
  };
};
