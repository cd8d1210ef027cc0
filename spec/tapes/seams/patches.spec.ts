import { concatMap, from, map, NEVER, of } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../../src/executor/applying/transact';
import type { Editor } from '../../../src/executor/patch/seen';
import { parseObject } from '../../../src/protocol/jsonrpc/json';
import type { Entry } from '../../../src/tapes/format/tape';
import type { Recorded } from '../../../src/tapes/rerun/answerCalls';
import { recordPatches, tapePatches } from '../../../src/tapes/seams/patches';
import { type Patches, toSeamJson } from '../../../src/tapes/seams/ports';
import { marbles } from '../../support/marbles';

describe('a patch of a file that an editor shows', () => {
  const isAsked = (patchesOf: () => Patches) =>
    marbles(({ cold, expectObservable }) => {
      const editor = editorOf((what) => cold('--(a|)').pipe(map(() => ({ text: what }))));
      expectObservable(patchesOf().apply({ ...ORDER, editor })).toBe('----(A|)', { A: APPLIED });
    });

  it('asks the editor the same again, each question after the answer to the one before', () => {
    const { tape, patches } = recording();
    isAsked(() => patches)();
    expect(tape.map(({ dir, line }) => `${dir} ${parseObject(line)?.kind}`)).toEqual([
      'in apply',
      'out asked',
      'out asked',
      'out applied',
    ]);
    isAsked(() => rerun(tape))();
    expect(asked).toEqual(['read /w/a', 'write /w/a: new', 'read /w/a', 'write /w/a: new']);
  });

  it('is stopped with its questions', () =>
    marbles(({ expectObservable, flush }) => {
      const { tape, patches } = recording();
      expectObservable(patches.apply({ ...ORDER, editor: editorOf(() => NEVER) }), '---!').toBe('----');
      flush();
      expect(tape.at(-1)).toMatchObject({ dir: 'note', line: 'stopped' });
    })());

  it('asks nobody without an editor, in a recording and in a rerun', () =>
    marbles(({ expectObservable, flush }) => {
      const { tape, patches } = recording();
      expectObservable(patches.apply(ORDER)).toBe('(A|)', { A: APPLIED });
      flush();
      expect(tape).toHaveLength(2);
      expectObservable(rerun(tape).apply(ORDER)).toBe('(A|)', { A: APPLIED });
    })());
});

const asked: string[] = [];

const ORDER = { plan: { summary: 'M a' }, mayWrite: () => true } as unknown as PatchOrder;
const APPLIED: PatchOutcome = { kind: 'applied', summary: 'M a' };

const editorOf = (answer: (what: string) => ReturnType<Editor['read']>): Editor => {
  const ask = (what: string) => {
    asked.push(what);
    return answer(what);
  };
  return {
    pathOf: async (path) => path,
    read: (path) => ask(`read ${path}`),
    write: (path, text) => ask(`write ${path}: ${text}`),
  };
};

/** Reads a file and writes it, if there is an editor. */
const plain: Patches = {
  check: () => NEVER,
  apply: ({ editor }) =>
    editor === undefined
      ? of(APPLIED)
      : editor.read('/w/a').pipe(
          concatMap(() => editor.write('/w/a', 'new')),
          map(() => APPLIED),
        ),
};

type Line = { dir: string; line: string };

const recording = () => {
  const tape: Line[] = [];
  const seam = {
    tape: (entry: Line) => void tape.push(entry),
    seam: 'patch',
    newCall: () => 1,
    toRequestLine: JSON.stringify,
    toResponseLine: toSeamJson,
  };
  return { tape, patches: recordPatches(seam as unknown as Parameters<typeof recordPatches>[0])(plain) };
};

const rerun = (tape: readonly Line[]): Patches => {
  const entries = tape
    .filter(({ dir }) => dir === 'out')
    .map((entry): Recorded => ({ kind: 'entry', entry: { t: 0, ...entry } as Entry }));
  return tapePatches(() => from(entries), 'not recorded');
};
