/** The daemon that a tape is of: its command line, its folder, and the engine that it chose. */
import { resolve } from 'node:path';
import { riskyFlag } from '../../settings/limits/riskyFlag';
import { TapeError } from '../../tapes/files/tapeError';
import type { Session } from '../../tapes/format/tape';
import { engineOf } from '../../tapes/seams/engineOf';
import type { Daemon } from '../rerun/runDaemon';
import { type Serve, toServeOptions } from '../serve/serveProcess';
import { thisProcess } from '../thisProcess';
import type { mcpServer } from './mcpServer';

/**
 * `model` and `config` are settings that win over the recorded flags; `trusts` says that the recorded flags may run programs and move
 * credentials; `read` reads the command line of the server.
 */
export type Changes = {
  model?: string;
  config: readonly string[];
  live: string;
  trusts: boolean;
  remark: (text: string) => void;
  read: (typeof mcpServer)['read'];
};

/** Makes the daemon of a session. Throws TapeError where it is not one that can run again. */
export const daemonOf =
  (changes: Changes) =>
  ({ meta, entries }: Session): Daemon => {
    const { model, config, live, trusts, remark, read } = changes;
    const given = argumentsIn(read, meta.command);
    checkEngine(changes, given.engine, engineOf(entries));
    const engine = engineOf(entries) === undefined && given.engine === 'auto' ? 'native' : given.engine;
    const here = thisProcess();
    const recorded = toServeOptions({ ...given, engine, model: model ?? given.model });
    const cwd = resolve(typeof meta.cwd === 'string' ? meta.cwd : here.cwd, given.cd ?? '');
    if (live !== 'none' && !trusts) checkFlags(given, riskyFlag(recorded.overrides, cwd));
    const options = { ...recorded, overrides: [...recorded.overrides, ...config] };
    if (typeof meta.codexHome === 'string' && meta.codexHome !== here.codexHome)
      remark(`recorded with CODEX_HOME=${meta.codexHome}; the configuration is read from ${here.codexHome} now`);
    return { options, processInfo: { ...here, cwd } };
  };

/** @param chosen the engine that `auto` took, where it was recorded */
const checkEngine = ({ live }: Changes, named: string, chosen: string | undefined): void => {
  if (named === 'app-server' || chosen === 'app-server')
    throw new TapeError(
      'the tape is of the engine app-server: what the installed Codex did is not on it, so it cannot be run again; codex-rx replay verifies a server by it',
    );
  if (named === 'tape' && live !== 'none')
    throw new TapeError('the tape is of --engine tape, which has no model and runs no command; leave --live out');
};

/** A stranger's tape must not start programs here, nor be sent keys. @param key the first of its flags that could */
const checkFlags = (given: Serve, key: string | undefined): void => {
  const [allowed] = given['allow-call-config'];
  if (key === undefined && allowed === undefined) return;
  const what = key === undefined ? `lets calls set ${allowed}` : `sets ${key}`;
  throw new TapeError(
    `the command line on the tape ${what}, which could run programs or move credentials when something is live; --trust-tape allows it, for a tape of your own`,
  );
};

const argumentsIn = (read: Changes['read'], command: unknown): Serve => {
  const words = Array.isArray(command) ? command.slice(1).map(String) : [];
  const [first = ''] = words;
  const argv = ['mcp-server', 'mcp'].includes(first) ? words.slice(1) : words;
  const reading = read(argv);
  if (reading.kind === 'given' && reading.given.record !== undefined) return reading.given;
  throw new TapeError(
    'the tape lacks what model and commands sent to the server; rerun needs one of codex-rx mcp-server --record FILE; for any other tape there is codex-rx replay',
  );
};
