import fc from 'fast-check';
import { readThreadFacts, readWriter, toThreadHeaders } from '../../../src/fleet/threads/threadPlace';
import { anyText } from '../../support/hostile';
import { FACTS } from './doubles';

const facts = fc.record({
  startedMs: fc.nat(),
  archived: fc.boolean(),
  size: fc.nat(),
  cwd: anyText(),
  provider: fc.string(),
  source: fc.string(),
  cliVersion: fc.string(),
  preview: anyText(),
});

describe('toThreadHeaders', () => {
  it('is read as it was written, and is printable ASCII', () => {
    fc.assert(
      fc.property(facts, anyText(), fc.nat(), (one, host, pid) => {
        const headers = toThreadHeaders(one, { host, pid });
        expect(readThreadFacts(headers)).toEqual(one);
        expect(readWriter(headers)).toEqual({ host, pid });
        expect(Object.values(headers).join('')).toMatch(/^[ -~]*$/);
      }),
    );
  });

  it('cuts a long folder', () => {
    const { cwd } = readThreadFacts(toThreadHeaders({ ...FACTS, cwd: 'x'.repeat(9_000) }, { host: 'h', pid: 1 }));
    expect(cwd).toHaveLength(4_096);
  });
});

describe('readThreadFacts', () => {
  it('has something for what is missing, or wrong', () => {
    const none = {
      startedMs: 0,
      archived: false,
      size: 0,
      cwd: '',
      provider: '',
      source: '',
      cliVersion: '',
      preview: '',
    };
    expect(readThreadFacts({})).toEqual(none);
    expect(readThreadFacts({ 'Codex-Rx-Thread': '{"size":"1","cwd":2' })).toEqual(none);
    expect(readThreadFacts({ 'Codex-Rx-Thread': '{"size":"1","cwd":2}' })).toEqual(none);
    expect(readWriter({ 'Codex-Rx-Holder': '{"host":1}' })).toBeUndefined();
  });
});
