import { isProgramFault, programFault } from '../../src/cli/programFault';
import { systemRemedy } from '../../src/streams/text/reasons';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('programFault', () => {
  it.each([
    ['missing', failure('ENOENT')],
    ['in a folder that is gone', failure('ENOTDIR')],
    ['of another build', undefined],
  ])('is about an update, with its remedy, if a part is %s', (_, cause) => {
    const { message, code } = programFault(cause) as NodeJS.ErrnoException;
    expect(message).toMatch(/^codex-rx was updated or removed while it ran/);
    expect(message).toContain(systemRemedy(code));
    expect(isProgramFault(programFault(cause))).toBe(true);
  });

  it('has no stack but its text, as it is no bug', () => {
    const { message, stack } = programFault() as Error;
    expect(stack).toBe(message);
  });

  it('passes on what another fault of this machine is', () => {
    const cause = failure('EMFILE');
    expect(programFault(cause)).toBe(cause);
    expect(isProgramFault(cause)).toBe(false);
  });
});
