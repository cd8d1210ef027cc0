/** Owns the wiring of engines for specs: a home of their own, and nothing else of this machine. */

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER } from 'rxjs';
import type { EngineOptions } from '../../../src/agent/engineOptions';
import type { Wiring } from '../../../src/agent/wiring/wiring';
import { withExecutors } from '../../../src/app/withExecutors';
import type { ProcessInfo } from '../../../src/io/serverProcess/serverProcess';
import { type Op, type ThreadRef, toInput } from '../../../src/protocol/codex/operations';
import type { Log } from '../../../src/protocol/log';
import { noBackpressure } from '../../../src/streams/backpressure';
import { type Home, openHome } from '../../support/home';

export type Given = {
  options?: Partial<EngineOptions>;
  processInfo?: Partial<ProcessInfo>;
  toml?: string;
  auth?: object;
};

export type Wired = { home: Home; wiring: Wiring; logged: [string, object | undefined][] };

/** A home with this configuration and this login; no Codex is installed. */
export const wired = ({ options, processInfo, toml = '', auth }: Given = {}): Wired => {
  const home = openHome();
  const codexHome = join(home.path, '.codex');
  if (!existsSync(codexHome)) mkdirSync(codexHome);
  home.write('.codex/config.toml', toml);
  if (auth) home.write('.codex/auth.json', auth);
  const logged: Wired['logged'] = [];
  const log: Log = (_, message, fields) => {
    logged.push([message, fields]);
  };
  let last = 0;
  const wiring = withExecutors({
    watch: () => () => {},
    over$: NEVER,
    processInfo: {
      env: { PATH: join(home.path, 'bin') },
      cwd: home.work,
      codexHome,
      dist: home.path,
      node: join(home.path, 'node/bin/node'),
      platform: 'none',
      arch: 'none',
      version: '1.2.3',
      ...processInfo,
    },
    options: {
      engine: 'auto',
      codex: '/no/codex',
      tape: { speed: 'max', match: 'strict' },
      modelTimeoutMs: 1_000,
      turnTimeoutMs: 10_000,
      overrides: [],
      ...options,
    },
    log,
    backpressure: noBackpressure,
    newId: () => `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`,
  });
  return { home, wiring, logged };
};

export const turn = (prompt: string, thread: ThreadRef = { start: {} }): Op => ({
  kind: 'turn',
  callId: 'c',
  eventId: 'e',
  thread,
  input: toInput(prompt),
  askable: false,
});

/** A model that answers from a script, without network or key. */
export const scriptedToml = `
model_provider = "script"
[model_providers.script]
name = "script"
wire_api = "scripted"
script = "answers.json"
`;
export const SAYS_HI = { otherwise: { items: [{ text: 'hi' }] } };
