/** Where the failures of a check are shown. */
import { readFileSync } from 'node:fs';
import { conform } from '../../../src/cli/commands/conform';
import { keepFailure } from '../../../src/cli/conform/startChecking';
import { CASES } from '../../../src/testing/conform/caseTable';
import type { Result } from '../../../src/testing/conform/conform';
import { openHome, removeHomes } from '../../support/home';
import { givenBy } from '../reading';

afterEach(removeHomes);

const failed: Result = {
  sentence: CASES.find(({ id }) => id === 'ping') as (typeof CASES)[number],
  revision: '2025-11-25',
  verdict: 'failed',
  faults: ['x'],
  drawing: '',
  ms: 1,
  lines: [
    { t: 0, dir: 'in', line: '{"a":1}' },
    { t: 1, dir: 'out', line: '{"b":1}' },
    { t: 2, dir: 'exit', line: '{"code":0}' },
  ],
};
const { lines, ...known } = failed;

const keep = (one: Result, ...argv: string[]): Result => keepFailure(givenBy(conform, ...argv))(one);

describe('keepFailure', () => {
  it('names what starts the server, and retains no lines', () => {
    expect(keep(failed, '--', 'node', 'package.json')).toEqual({ ...known, place: { uri: 'package.json', line: 1 } });
    expect(keep({ ...failed, verdict: 'passed' }, '--', 'node')).toEqual({ ...known, verdict: 'passed' });
  });

  it('writes a tape without secrets of a URL, and names the last line of the server in it', () => {
    const folder = `${openHome().work}/failed`;
    const path = `${folder}/ping@2025-11-25.jsonl`;
    expect(keep(failed, '--record', folder, '--url', 'http://me:secret@127.0.0.1:1/mcp').place).toEqual({
      uri: `file://${encodeURI(path)}`,
      line: 3,
    });
    const [meta, ...entries] = readFileSync(path, 'utf8').trim().split('\n');
    expect(meta).toContain('"case":"ping@2025-11-25"');
    expect(meta).not.toContain('secret');
    expect(entries).toEqual(failed.lines?.map((one) => JSON.stringify(one)));
  });
});
