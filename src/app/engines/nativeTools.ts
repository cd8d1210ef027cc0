/** Wires the built-in tools of the native engine to this machine: commands, sandboxes, patches, the bash grammar. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { of } from 'rxjs';
import type { TurnDeps } from '../../agent';
import type { Config } from '../../config';
import { type Backend, environmentOf, type SandboxSettings } from '../../executor';
import { toTurnDiff } from '../../patch';
import { bashParser, isTrusted, parseCommand } from '../../safety';
import { builtInTools, runCommand } from '../../tools';
import { patchHere } from '../applyPatch';
import { sandboxesHere } from '../sandbox';
import type { Wiring } from './wiring';

/** Stands in for a sandbox: what was to run inside one does not run at all. */
const noSandbox: Backend = {
  start: () => of({ kind: 'failed', seq: 1, reason: 'there is no sandbox on this system' }),
};

/** The tools of new threads, whose commands run on `backend`. */
export const nativeTools = ({ processInfo, log, newId }: Wiring, backend: Backend) => {
  const { env, codexHome, dist, platform } = processInfo;
  const read = bashParser({
    wasm: { runtime: join(dist, 'web-tree-sitter.wasm'), bash: join(dist, 'tree-sitter-bash.wasm') },
    readFile,
    log,
  });
  const open = sandboxesHere({ processInfo, backend, newId, log });
  const { check, apply } = patchHere({ codexHome, platform, log });
  const commands = {
    direct: runCommand({ backend, now: Date.now }),
    sandboxed: runCommand({ backend: noSandbox, now: Date.now }),
  };
  return builtInTools({
    isTrusted: isTrusted({ read }),
    parseCommand: parseCommand({ read }),
    runCommand: (run, mode) => commands[mode](run),
    environmentOf: (policy) => environmentOf(env, policy),
    check,
    apply,
    now: Date.now,
    openSandbox: (config) => open(toSettings(config, environmentOf(env, config.shellEnvironment).TMPDIR)),
  });
};

/** The sandbox of a thread in full access is for commands that only read. */
const toSettings = ({ cwd, sandboxMode, workspaceWrite }: Config, tmpdir: string | undefined): SandboxSettings => ({
  ...workspaceWrite,
  mode: sandboxMode === 'workspace-write' ? sandboxMode : 'read-only',
  cwd,
  tmpdir,
});

/** The diff of a turn, with paths relative to the repository, or to the folder of the thread where there is none. */
export const turnDiffHere: TurnDeps['turnDiff'] = (cwd) => toTurnDiff({ blobId, root: rootOf(realpathSync(cwd)) });

/** Source: git, blob objects. */
const blobId = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const rootOf = (cwd: string): string => {
  for (let at = cwd; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return cwd;
};
