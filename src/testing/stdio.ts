/** Owns a program as a server under test: its lines, and how it ended. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { concat, defer, map, tap, throwError } from 'rxjs';
import { type ServerEvent, serverProcess } from '../app/tape';
import { noBackpressure, ofKind } from '../streams';
import { fromPeer, watchGroups } from '../transport';
import type { Server } from './server';

/** Where a program runs; that of the tests when not said. `log` hears the lines of its stderr. */
export type StdioOptions = { cwd?: string; env?: Record<string, string | undefined>; log?: (line: string) => void };

/** A program could not be started, or ended with another exit code than 0. */
export class ServerError extends Error {
  override name = 'ServerError';
}

const MAX_LOG = 10;
const GRACE = { inputMs: 500, termMs: 500 };

/**
 * A program that talks in lines on stdin and stdout. It is started for each session, and ended with it, with all that it started.
 * Errors behind its last line with ServerError, which has the last lines of its stderr.
 */
export const stdio = (command: readonly string[], { cwd, env, log = () => {} }: StdioOptions = {}): Server => {
  const watch = watchGroups({ spawn });
  const deps = { spawn, backpressure: noBackpressure, signals: constants.signals, watch };
  const spec = { argv: command, cwd: cwd ?? process.cwd(), env: toEnv(env ?? process.env), grace: GRACE };
  return (line$) =>
    defer(() => {
      const ending = { trouble: '', log: [] as string[] };
      const note = (heard: ServerEvent): void => {
        if (heard.kind === 'ended') ending.trouble = heard.trouble;
        if (heard.kind !== 'log') return;
        ending.log = [...ending.log, heard.line].slice(-MAX_LOG);
        log(heard.line);
      };
      return concat(
        line$.pipe(
          serverProcess(fromPeer(deps, spec)),
          tap(note),
          ofKind('line'),
          map(({ line }) => line),
        ),
        defer(() => (ending.trouble === '' ? [] : throwError(() => new ServerError(toText(ending))))),
      );
    });
};

const toText = ({ trouble, log }: { trouble: string; log: readonly string[] }): string =>
  [trouble, ...log.map((line) => `stderr: ${line}`)].join('\n  ');

const toEnv = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
