/** `codex-rx diff`: compares two tapes, or two sessions of one. */
import { basename } from 'node:path';
import { forkJoin, map, of } from 'rxjs';
import { loadSession } from '../../app/tapes/loadTape';
import { compare } from '../../tapes/diff/compare';
import { learnPlaces, withoutPlaces } from '../../tapes/diff/describeLane';
import { toReport } from '../../tapes/diff/toReport';
import { loadMasks } from '../../tapes/files/loadMasks';
import { problemOfMasks } from '../../tapes/matching/maskWords';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { LIKE_OPTION, MASK_OPTIONS, REPORT_OPTION, sessionOf, TAPE_FILE, tapeDeps } from '../tapeCommand';
import { columnsOf, print } from '../terminal';

export const diff = defineCommand({
  usage: '$0 diff A B',
  positionals: { a: TAPE_FILE, b: TAPE_FILE },
  options: {
    'session-a': sessionOf('A'),
    'session-b': sessionOf('B'),
    ...MASK_OPTIONS,
    ...LIKE_OPTION,
    ...REPORT_OPTION,
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 diff old.jsonl new.jsonl', 'ids, UUIDs, times, durations and folders may differ'],
    ['$0 diff monday.jsonl now.jsonl --like tuesday.jsonl', 'what differed on Tuesday may differ'],
    ['$0 diff tape.jsonl tape.jsonl --session-a 1', 'two sessions of one tape'],
    ['$0 diff old.jsonl new.jsonl --unmask duration --report json', 'compares durations too, for a program'],
  ],
  epilogue: 'Exit codes: 0 the same, 1 they differ, 2 a tape cannot be used. "recorded" is A, "now" is B.',
  problem: problemOfMasks,
  run: (given) => {
    const { a, b, 'session-a': sessionA, 'session-b': sessionB, like, report } = given;
    const { stdout } = process;
    const deps = tapeDeps('diff');
    const another$ = like === undefined ? of(undefined) : loadSession(deps, like, undefined);
    forkJoin([loadSession(deps, a, sessionA), loadSession(deps, b, sessionB), another$])
      .pipe(
        map(([before, after, another]) => {
          const masks = loadMasks(deps.remark, a, given);
          const recorded = toSessionIndex(before);
          const results = compare(recorded, toSessionIndex(after), masks);
          return another
            ? withoutPlaces(results, learnPlaces(compare(recorded, toSessionIndex(another), masks)))
            : results;
        }),
      )
      .subscribe({
        next: (results) => {
          print(toReport({ format: report, columns: columnsOf(stdout) }, results, basename(a)));
          if (results.some(({ difference }) => difference)) process.exitCode = exitCode.failed;
        },
        error: failAs('diff'),
      })
      .add(exitWhenWritten('diff'));
  },
});
