import { toDebugText, toModelText, toProgramText } from '../../../src/executor/patch/failureText';
import type { PatchFailure } from '../../../src/executor/patch/plan';

const file = { path: 'f', absolute: '/ws/f' };

describe('the texts of failures', () => {
  it.each<[PatchFailure, string, string]>([
    [{ kind: 'empty' }, 'No files were modified.', 'patch rejected: empty patch'],
    [{ kind: 'invalidPatch', message: 'M' }, 'Invalid patch: M', 'error: invalid patch: M'],
    [
      { kind: 'invalidHunk', line: 4, message: 'M' },
      'Invalid patch hunk on line 4: M',
      'error: invalid hunk at line 4, M',
    ],
    [
      { kind: 'unreadable', purpose: 'update', reason: 'R', ...file },
      'Failed to read file to update f: R',
      'error: Failed to read file to update /ws/f: R',
    ],
    [
      { kind: 'unreadable', purpose: 'delete', reason: 'R', ...file },
      'Failed to delete file f',
      'error: Failed to read /ws/f: R',
    ],
    [
      { kind: 'missingContext', context: 'C', line: 3, ...file },
      "Failed to find context 'C' in f",
      "error: Failed to find context 'C' in /ws/f",
    ],
    [
      { kind: 'missingLines', lines: ['a', '"\t'], line: 3, ...file },
      'Failed to find expected lines ["a", "\\"\\t"] in f',
      'error: Failed to find expected lines ["a", "\\"\\t"] in /ws/f',
    ],
    [
      { kind: 'exhausted', line: 3, ...file },
      'Gave up looking for the chunk on line 3 of the patch in f: too many lines are alike. Include lines that occur only there',
      'error: Gave up looking for the chunk on line 3 of the patch in /ws/f: too many lines are alike. Include lines that occur only there',
    ],
    [
      { kind: 'missingFolder', folder: '/ws/sub' },
      'There is no folder /ws/sub that a patch could be applied in',
      'error: There is no folder /ws/sub that a patch could be applied in',
    ],
  ])('render %j', (failure, byProgram, toModel) => {
    expect([toProgramText(failure), toModelText(failure)]).toEqual([byProgram, toModel]);
  });
});

describe('toDebugText', () => {
  it.each([
    ['', '""'],
    ['a b', '"a b"'],
    ['\t"\\\'', '"\\t\\"\\\\\'"'],
    ['\0\n\r', '"\\0\\n\\r"'],
    ['\u0007\u001b\u007f', '"\\u{7}\\u{1b}\\u{7f}"'],
    ['\u00a0\u200b\u2028\ufeff\u00ad', '"\\u{a0}\\u{200b}\\u{2028}\\u{feff}\\u{ad}"'],
    ['e\u0301', '"e\\u{301}"'],
    ['é ß 漢 😀', '"é ß 漢 😀"'],
    ['\ue000\u{e0001}', '"\\u{e000}\\u{e0001}"'],
  ])('writes %j as Rust does', (text, expected) => {
    expect(toDebugText(text)).toBe(expected);
  });
});
