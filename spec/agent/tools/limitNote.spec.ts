import { limitNote, withNote } from '../../../src/agent/tools/commandOutcome';

const keptBy = { text: 'only /w may be written', network: 'closed' as const };
const failed = { exitCode: 1, stdout: '', stderr: 'sh: f: Read-only file system\n' };

describe('limitNote', () => {
  it('names what keeps a command that was denied something', () => {
    expect(limitNote({ keptBy, ...failed })).toBe(
      'This may be a limit that no approval lifts: only /w may be written.',
    );
  });

  it.each<[string, Partial<Parameters<typeof limitNote>[0]>]>([
    ['nothing keeps it', { keptBy: undefined }],
    ['it succeeded', { exitCode: 0 }],
    ['it failed for another reason', { stderr: 'assertion failed' }],
    [
      'the network it may use fails',
      { keptBy: { ...keptBy, network: 'open' }, stderr: 'curl: Could not resolve host' },
    ],
  ])('is none where %s', (_, own) => {
    expect(limitNote({ keptBy, ...failed, ...own })).toBeUndefined();
  });
});

describe('withNote', () => {
  it.each([
    ['', 'note', 'note'],
    ['a', 'note', 'a\nnote'],
    ['a\n', 'note', 'a\nnote'],
    ['a\n', undefined, 'a\n'],
  ])('puts after %j: %j', (text, note, expected) => {
    expect(withNote(text, note)).toBe(expected);
  });
});
