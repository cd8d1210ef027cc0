/** The machine behind the Codex methods: config.toml, git and other commands, folders, the login. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { toolDeps } from '../agent/native/nativeTools';
import { configDeps, configureHere, seamsOf, type Wiring } from '../agent/wiring/wiring';
import { localBackend } from '../executor/local/localBackend';
import type { CodexHost } from '../protocol/methods/host';
import { accountHere } from '../server/host/accountHere';
import { runGit } from '../server/host/runGit';
import { runOneOff } from '../server/host/runOneOff';
import { storedConversations } from '../server/host/storedConversations';
import { walkFiles } from '../server/host/walkFiles';
import { readSavedConfig } from '../settings/readProfile';
import { openThreads } from './openThreads';

/** What the Codex methods need of this machine: recorded where there is a tape, or played from one. */
export const codexHost = (wiring: Wiring): CodexHost => {
  const { backpressure, watch } = wiring;
  const configure = configureHere(wiring, 'this method');
  const backend = localBackend({ spawn, backpressure, signals: constants.signals, watch });
  const deps = { configure, tools: toolDeps(wiring, backend) };
  return seamsOf(wiring).host({
    savedConfig: () => readSavedConfig(configDeps(wiring)),
    folder: (cwd) => configure({ cwd }).cwd,
    git: runGit(deps),
    runOneOff: runOneOff(deps),
    files: walkFiles,
    ...storedConversations(() => openThreads(wiring)),
    account: accountHere(wiring),
  });
};
