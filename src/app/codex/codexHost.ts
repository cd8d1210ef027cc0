/** The machine behind the Codex methods: config.toml, git and other commands, folders, the login. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { readSavedConfig } from '../../config/readSavedConfig';
import { localBackend } from '../../executor/local/localBackend';
import type { CodexHost } from '../../server/codex/host';
import { toolDeps } from '../engines/native/nativeTools';
import { openThreads } from '../threads/openThreads';
import { configDeps, configureHere, seamsOf, type Wiring } from '../wiring/wiring';
import { accountHere } from './accountHere';
import { runGit } from './runGit';
import { runOneOff } from './runOneOff';
import { storedConversations } from './storedConversations';
import { walkFiles } from './walkFiles';

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
