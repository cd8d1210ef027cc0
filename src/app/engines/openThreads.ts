/** Wires the thread store to this machine: threads are kept in the folder of Codex. */
import fs from 'node:fs';
import { EMPTY } from 'rxjs';
import type { NativeDeps } from '../../agent';
import { limitStored } from '../../config';
import { systemLock } from '../../files';
import { fileThreads, type KeepPromptDeps, keepPrompt, type ThreadStore } from '../../rollout';
import { filesHere } from '../files';
import { configDeps, seamsOf, type Wiring } from './wiring';

/** The store of one connection. A home that cannot be written is logged once; its threads are not kept then. */
export const openThreads = ({ processInfo, log }: Pick<Wiring, 'processInfo' | 'log'>): ThreadStore => {
  const { codexHome, version } = processInfo;
  return fileThreads({
    ...filesHere(codexHome, process.pid),
    home: codexHome,
    systemLock: systemLock(fs),
    version,
    now: Date.now,
    soon: setImmediate,
    failed: ({ message }) => log('warning', 'threads are not kept on disk', { reason: message }),
  });
};

const promptDeps = ({ processInfo: { codexHome }, log }: Wiring): KeepPromptDeps => ({
  files: filesHere(codexHome, process.pid).files,
  home: codexHome,
  systemLock: systemLock(fs),
  now: Date.now,
  failed: (reason) => log('warning', 'a prompt is not kept in history.jsonl', { reason }),
});

/** What the native engine needs to keep its threads. */
export const threadPorts = (
  wiring: Wiring,
): Pick<NativeDeps, 'now' | 'steadyMs' | 'openStore' | 'storedSettings' | 'keepPrompt'> => ({
  now: seamsOf(wiring).chance('turnTime', Date.now),
  steadyMs: () => performance.now(),
  openStore: seamsOf(wiring).threads(() => openThreads(wiring)),
  storedSettings: limitStored(configDeps(wiring)),
  keepPrompt: wiring.seams?.effects === 'none' ? () => EMPTY : keepPrompt(promptDeps(wiring)),
});
