import { look } from '../../../src/executor/localPatch/look';
import { lookContract } from '../../contract/look';
import { newFolder } from './files';

const folder = newFolder();
const at = (path: string) => look(`${folder}/${path}`, 1_000);

describe('look', () => {
  lookContract(look);

  it('reports why it cannot read a name with a zero in it', async () => {
    expect(await at('a\0b')).toMatchObject({
      kind: 'blocked',
      part: 'file',
      reason: expect.stringContaining('null bytes'),
    });
  });
});
