/** Writes a spec from a tape. */
import { basename } from 'node:path';
import { map, type Observable } from 'rxjs';
import { toSessionIndex } from '../../session';
import { type Runner, type Selection, type Subject, writeSpec } from '../../specWriter';
import type { Session } from '../../tape';
import { type LoadDeps, loadSession } from './loadTape';
import { TapeError } from './tapeError';
import { writeNew } from './writeNew';

/**
 * `command` is the server that the spec is about, undefined for the one that the tape names. `against: 'tape'` is for a spec
 * that plays the tape. @param out the file for it, undefined for none
 */
export type SpecWish = {
  path: string;
  session?: number;
  choice: Selection;
  command?: readonly string[];
  against: 'command' | 'tape';
  runner: Runner;
  out?: string;
};

/** Writes a spec. Emits its text where no file was named, and completes. Errors with TapeError when there is none to write. */
export const startWritingSpec = (
  deps: LoadDeps & { version: string },
  wish: SpecWish,
): Observable<string | undefined> =>
  loadSession(deps, wish.path, wish.session).pipe(
    map((session) => {
      const { path, choice, runner, out } = wish;
      const written = writeSpec(toSessionIndex(session), choice, {
        name: basename(path),
        runner,
        subject: toSubject(session, wish),
        writer: `codex-rx ${deps.version}`,
        modules: modulesOf(wish),
      });
      if (written.kind === 'nothing') throw new TapeError(`${path}: ${written.reason}`);
      if (session.meta.redacted !== undefined)
        deps.remark(`${path} is redacted; [redacted] takes any text in the spec`);
      if (out === undefined) return written.text;
      writeNew(out, written.text);
      deps.remark(`${out} is written; it imports codex-rx/testing, so its project needs the package codex-rx`);
      return undefined;
    }),
  );

/** A `.cjs` file is a CommonJS module; jest takes a `.js` file for one too. */
const modulesOf = ({ out = '', runner }: SpecWish): 'import' | 'require' =>
  /\.c[jt]s$/.test(out) || (runner === 'jest' && out.endsWith('.js')) ? 'require' : 'import';

const toSubject = ({ meta }: Session, { command, against, path }: SpecWish): Subject => {
  const recorded = typeof meta.command === 'string' ? meta.command.split(/\s+/) : meta.command;
  const argv = command ?? (Array.isArray(recorded) ? recorded.map(String) : undefined);
  if (argv !== undefined && argv.length > 0 && against === 'command') return { kind: 'command', argv };
  if (path !== '-') return { kind: 'tape', path };
  throw new TapeError('the tape is on stdin and names no command, so there is nothing to run: write one behind --');
};
