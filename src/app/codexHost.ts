/** The machine behind the Codex methods: config.toml, git and other commands, folders, the login. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { toolDeps } from '../agent/native/nativeTools';
import { configDeps, configureHere, seamsOf, type Wiring } from '../agent/wiring/wiring';
import { localBackend } from '../executor/local/localBackend';
import { redactText } from '../io/log/redactText';
import { secretValuesOf } from '../io/log/secretValues';
import type { CodexHost } from '../protocol/methods/host';
import { runGit, runOneOff } from '../server/host/commands';
import { accountHere, storedConversations } from '../server/host/homeHere';
import { walkFiles } from '../server/host/walkFiles';
import { readSavedConfig } from '../settings/readProfile';
import { openThreads } from './openThreads';

/** Recorded if there is a tape; a rerun plays it from its tape. */
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
    ...storedConversations(
      () => openThreads(wiring),
      redactText({ secrets: secretValuesOf(wiring.processInfo.env), maxChars: Number.POSITIVE_INFINITY }),
    ),
    account: accountHere(wiring),
  });
};
