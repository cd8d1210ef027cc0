import { of, throwError } from 'rxjs';
import { imagesElsewhere } from '../../../src/agent/elsewhere/toolsElsewhere';
import type { FileFacts } from '../../../src/executor/files';
import { facts } from '../../executor/server/files';

const GIF = Buffer.from('GIF89a...');

const read = (own: Partial<FileFacts>, bytes: Uint8Array | Error) => {
  const seen: unknown[] = [];
  const files = {
    facts: () => of(facts({ size: 9, ...own })),
    read: () => (bytes instanceof Error ? throwError(() => bytes) : of(bytes)),
  };
  imagesElsewhere({ files })('/srv/a.gif').subscribe((image) => seen.push(image));
  return seen;
};

describe('imagesElsewhere', () => {
  it('shows what begins as a picture', () => {
    expect(read({}, GIF)).toEqual([{ kind: 'image', url: `data:image/gif;base64,${GIF.toString('base64')}` }]);
  });

  it.each<[string, Partial<FileFacts>, Uint8Array | Error, RegExp]>([
    ['any other file', {}, Buffer.from('root:x:0'), /not a PNG, JPEG, GIF or WebP picture/],
    ['a folder', { isFile: false }, GIF, /not a file/],
    ['what is too large', { size: 1e9 }, GIF, /has 1000000000 bytes; at most/],
    ['what the machine refuses', {}, new Error('Permission denied (os error 13)'), /Permission denied/],
  ])('does not show %s', (_, own, bytes, reason) => {
    expect(read(own, bytes)).toEqual([{ kind: 'unreadable', reason: expect.stringMatching(reason) }]);
  });
});
