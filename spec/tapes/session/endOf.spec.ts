import { endOf } from '../../../src/tapes/session/sessionIndex';

describe('endOf', () => {
  it.each([
    ['{"code":0,"sig":null}', 'with exit code 0', false],
    ['{"code":3,"sig":null}', 'with exit code 3', true],
    ['{"code":null,"sig":"SIGTERM"}', 'by SIGTERM', false],
    ['{"code":null,"sig":"SIGKILL"}', 'by SIGKILL', false],
    ['{"code":null,"sig":"SIGSEGV"}', 'by SIGSEGV', true],
    ['gone', 'in an unknown way', false],
  ])('of %s', (line, text, isFailure) => {
    expect(endOf(line)).toEqual({ text, isFailure });
  });
});
