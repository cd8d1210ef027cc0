/** Writes a spec from a tape. */
import { basename, dirname } from 'node:path';
import { concatMap, forkJoin, map, type Observable, of } from 'rxjs';
import { type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeFiles';
import { wordOf } from '../../protocol/jsonrpc/json';
import { joinWords, splitWords } from '../../streams/text/words';
import { loadMaskWords } from '../../tapes/files/loadMasks';
import { type Session, TapeError } from '../../tapes/format/tape';
import { framingOf } from '../../tapes/format/tapeLines';
import { NO_WORDS } from '../../tapes/matching/maskWords';
import type { SessionIndex } from '../../tapes/session/sessionIndex';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { Selection } from '../../tapes/specWriter/selectLines';
import type { Runner, SpecOptions, Subject } from '../../tapes/specWriter/toSpec';
import { type WrittenSpec, writeLearnedSpec, writeSpec } from '../../tapes/specWriter/writeSpec';
import { thisProcess } from '../thisProcess';

/** The spec that is asked for. */
export type SpecRequest = {
  path: string;
  /** More recordings of the same behaviour, from which holes are learned. */
  others?: readonly string[];
  session?: number;
  choice: Selection;
  /** The server that the spec is about; default: the server that the tape names. */
  command?: readonly string[];
  /** Emits once if the spec may start the command that the tape names; errors with TapeError if not. */
  consent: (command: readonly string[]) => Observable<unknown>;
  /** `tape`: the spec plays the tape. */
  against: 'command' | 'tape';
  runner: Runner;
  /** The file for the spec; default: none. */
  out?: string;
};

/** Writes a spec. Emits its text if no file was named, and completes. Errors with TapeError when there is none to write. */
export const startWritingSpec = (deps: Deps, asked: SpecRequest): Observable<string | undefined> =>
  forkJoin([asked.path, ...(asked.others ?? [])].map((path) => loadSession(deps, path, asked.session))).pipe(
    concatMap((sessions) => {
      const subject = toSubject(sessions[0] as Session, asked);
      const text = textOf(deps, asked, { sessions, subject });
      const isOfTape = subject.kind === 'command' && subject.namedBy === 'tape';
      return (isOfTape ? asked.consent(subject.argv) : of(true)).pipe(
        map(() => deliver(deps, asked, { text, subject })),
      );
    }),
  );

type Deps = LoadDeps & { version: string };

/** The text of the spec. Throws TapeError if there is none. */
const textOf = (
  deps: Deps,
  asked: SpecRequest,
  { sessions, subject }: { sessions: readonly Session[]; subject: Subject },
): string => {
  const { path, others = [], runner } = asked;
  const names = [path, ...others];
  const name = names.map((one) => basename(one)).join(', ');
  const writer = `codex-rx ${deps.version}`;
  const written = write({ ...asked, remark: deps.remark }, sessions, {
    name,
    runner,
    subject,
    writer,
    modules: modulesOf(asked),
  });
  if (written.kind === 'nothing') throw new TapeError(`${path}: ${written.reason}`);
  const redacted = sessions.findIndex(({ meta }) => meta.redacted !== undefined);
  if (redacted !== -1) deps.remark(`${names[redacted]} is redacted; [redacted] takes any text in the spec`);
  return written.text;
};

/** Writes the file of the spec, with a remark on what it starts; the text if no file was named. */
const deliver = (
  { remark }: Deps,
  { runner, out }: SpecRequest,
  { text, subject }: { text: string; subject: Subject },
): string | undefined => {
  if (out === undefined) return text;
  writeNew(out, text);
  const install = joinWords(['npm', 'install', '--save-dev', dirname(thisProcess().dist)]);
  remark(`${out} is written; it imports codex-rx/testing, so its project needs the package codex-rx: ${install}`);
  if (subject.kind === 'command') remark(`each run of ${out} starts ${joinWords(subject.argv)}`);
  if (runner === 'jest' && out.endsWith('.mjs')) remark(JEST_MODULES);
  return undefined;
};

const JEST_MODULES =
  'jest runs .mjs with NODE_OPTIONS=--experimental-vm-modules only, before Node 24.9; a file that ends with .cjs needs nothing';

/** One session gets masks; several show what differs from run to run. */
const write = (
  { path, others = [], choice, remark }: SpecRequest & Pick<Deps, 'remark'>,
  sessions: readonly Session[],
  options: SpecOptions,
): WrittenSpec => {
  const [first, ...more] = sessions.map(toSessionIndex) as [SessionIndex, ...SessionIndex[]];
  if (more.length === 0) return writeSpec(first, choice, { ...options, masks: loadMaskWords(remark, path, NO_WORDS) });
  const names = [path, ...others];
  const recordings = [first, ...more].map((index, at) => ({ name: names[at] ?? '', index }));
  return writeLearnedSpec(recordings, options);
};

/** A `.cjs` file is a CommonJS module; jest takes a `.js` file for one too. */
const modulesOf = ({ out = '', runner }: SpecRequest): 'import' | 'require' =>
  /\.c[jt]s$/.test(out) || (runner === 'jest' && out.endsWith('.js')) ? 'require' : 'import';

const toSubject = (session: Session, { command, against, path }: SpecRequest): Subject => {
  const { meta } = session;
  const argv = command ?? recordedCommand(meta.command);
  if (argv !== undefined && argv.length > 0 && against === 'command')
    return { kind: 'command', argv, framing: framingOf(session), namedBy: command ? 'person' : 'tape' };
  if (path !== '-') return { kind: 'tape', path };
  throw new TapeError('The tape is on stdin and names no command, so there is nothing to run: write one behind --');
};

/** The words of a command; undefined for a text with an open quote. */
const recordedCommand = (command: unknown): readonly string[] | undefined => {
  const words = Array.isArray(command) ? command.map(wordOf) : splitWords(typeof command === 'string' ? command : '');
  return words && withoutRecord(words);
};

/** A server of this program that recorded itself: the spec starts it without a tape. */
const withoutRecord = (words: readonly string[]): readonly string[] =>
  words[0] === 'codex-rx'
    ? words.filter((word, at) => !/^--record(?:=|$)/.test(word) && words[at - 1] !== '--record')
    : words;
