import type { FileChange } from '../../../src/executor/files';
import { toPlan } from '../../../src/executor/localPatch/patchHere';

const content = { bytes: Buffer.from('a'), mode: 0o755 };
const change: FileChange = { path: 'a', absolute: '/w/a', real: '/w/a', found: 'file' };

describe('toPlan', () => {
  it.each<[string, FileChange, object]>([
    [
      'a file that is new',
      { ...change, after: content },
      { before: undefined, after: { ...content, access: 'writable' } },
    ],
    [
      'a file that goes',
      { ...change, before: content },
      { before: { ...content, access: 'writable' }, after: undefined },
    ],
    ['a file that moves', { ...change, movedTo: '/w/b' }, { movedTo: '/w/b', before: undefined, after: undefined }],
  ])('plans %s', (_, given, states) => {
    expect(toPlan(given)).toEqual({ ...change, ...states });
  });
});
