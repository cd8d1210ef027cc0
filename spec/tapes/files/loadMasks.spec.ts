import { join } from 'node:path';
import { loadMasks } from '../../../src/tapes/files/loadMasks';
import { MASKS } from '../../../src/tapes/matching/mask';
import { NO_WORDS } from '../../../src/tapes/matching/maskWords';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const load = (files: Record<string, string>, name = 'tape.jsonl') => {
  const home = openHome();
  for (const [file, text] of Object.entries(files)) home.write(file, text);
  const remarks: string[] = [];
  const path = name === '-' ? name : join(home.path, name);
  const masks = () =>
    loadMasks((text) => remarks.push(text.replaceAll(home.path, '.')), path, { ...NO_WORDS, mask: ['a'] });
  return { masks, remarks };
};

describe('loadMasks', () => {
  it('joins the masks of the command line, of the folder and of the tape, and remarks on the files', () => {
    const { masks, remarks } = load({
      'masks.json': '{"unmask":["uuid"]}',
      'tape.masks.json': '{"mask":["b"],"ignore-path":["result.version"]}',
      'other.masks.json': '{"mask":["c"]}',
    });
    expect(masks()).toEqual({
      names: MASKS.filter((name) => name !== 'uuid'),
      own: [/a/g, /b/g],
      ignored: { paths: [['result', 'version']], methods: [] },
    });
    expect(remarks).toEqual(['the masks of ./masks.json apply', 'the masks of ./tape.masks.json apply']);
  });

  it('has only those of the command line where there is no file, or the tape is on stdin', () => {
    const plain = { names: [...MASKS], own: [/a/g] };
    expect(load({}).masks()).toEqual(plain);
    expect(load({ 'masks.json': '{"mask":["b"]}' }, '-').masks()).toEqual(plain);
  });

  it.each([
    ['[]', /masks\.json must hold a JSON object/],
    ['{', /masks\.json cannot be read: /],
    ['{"masks":[]}', /masks\.json has the unknown member masks; it may have mask, unmask, ignore-path, ignore-method$/],
    ['{"mask":"a"}', /masks\.json: mask must be a list of texts$/],
    ['{"mask":["("]}', /masks\.json: mask \( cannot be used: /],
  ])('rejects %s', (text, message) => {
    expect(load({ 'masks.json': text }).masks).toThrow(message);
  });
});
