import { resumedThread } from '../../../../src/server/mcp/methods/callTool';

const ID = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const NAME = `rollout-2026-11-23T18-00-00-${ID}.jsonl`;

describe('resumedThread', () => {
  it.each([`/home/me/.codex/sessions/2026/11/23/${NAME}`, NAME, `C:\\codex\\sessions\\${NAME}`])(
    'finds the thread of %s',
    (path) => {
      expect(resumedThread({ config: { experimental_resume: path } })).toEqual({ thread: { id: ID } });
    },
  );

  it('has the settings of the call, which apply from then on', () => {
    const config = { experimental_resume: NAME, environment_id: 'far', model_verbosity: 'low' };
    expect(
      resumedThread({ cwd: '/w', sandbox: 'read-only', profile: 'p', compactPrompt: 'c', config })?.lasting,
    ).toEqual({
      cwd: '/w',
      sandbox: { mode: 'read-only' },
      profile: 'p',
      compactPrompt: 'c',
      config: { environment_id: 'far', model_verbosity: 'low' },
    });
  });

  it.each([
    undefined,
    {},
    { experimental_resume: 7 },
    { experimental_resume: '/etc/passwd' },
    { experimental_resume: `${NAME}.bak` },
  ])('is none for %j', (config) => {
    expect(resumedThread({ config: config as never })).toBeUndefined();
  });
});
