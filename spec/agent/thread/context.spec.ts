import { NEVER } from 'rxjs';
import { openingItems, renewedInstructions, toMessage, toRequest } from '../../../src/agent/thread/context';
import { patchSpec, planSpec } from '../../../src/agent/tools/builtInTools';
import { shellSpec } from '../../../src/agent/tools/shellArguments';
import { messageOf } from '../../support/models';
import { config, environment, turnOf } from '../support';

describe('the built-in instructions and tools', () => {
  it('are ASCII, so that a request is written with a byte for each character unless the conversation needs more', () => {
    const { instructions } = toRequest(
      turnOf(() => NEVER),
      [],
    );
    expect(JSON.stringify([instructions, shellSpec(), patchSpec(), planSpec()])).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('openingItems', () => {
  it.each([
    ['the folder and its rules', {}, undefined, [environment]],
    [
      'what the caller and the user want, before them',
      { developerInstructions: 'be fast' },
      'be brief',
      [
        messageOf('developer', 'be fast'),
        messageOf('user', '<user_instructions>\n\nbe brief\n\n</user_instructions>'),
        environment,
      ],
    ],
  ])('renders %s', (_, own, instructions, expected) => {
    expect(openingItems({ config: config(own), writableRoots: () => [] }, instructions)).toEqual(expected);
  });

  it.each([
    ['read-only', 'restricted'],
    ['workspace-write', 'restricted'],
    ['danger-full-access', 'enabled'],
  ] as const)('states for %s that the network is %s', (sandboxMode, network) => {
    const [item] = openingItems({ config: config({ sandboxMode }), writableRoots: () => [] }, undefined);
    const lines = [`<sandbox_mode>${sandboxMode}</sandbox_mode>`, `<network_access>${network}</network_access>`];
    expect(item).toEqual(toMessage('user', expect.stringContaining(lines.join('\n  '))));
  });
});

describe('the environment', () => {
  const textOf = (own: Parameters<typeof config>[0]) =>
    JSON.stringify(openingItems({ config: config(own), writableRoots: () => ['/repo', '/tmp'] }, undefined));

  it('names the folders that commands may write to, where there are some', () => {
    expect(textOf({ sandboxMode: 'workspace-write' })).toContain(
      '  <writable_roots>\\n    <root>/repo</root>\\n    <root>/tmp</root>\\n  </writable_roots>',
    );
    expect(textOf({ sandboxMode: 'read-only' })).not.toContain('writable_roots');
  });
});

describe('renewedInstructions', () => {
  const past = [messageOf('developer', 'be fast'), messageOf('user', 'be fine'), messageOf('assistant', 'ok')];

  it.each([
    ['what a call has given', { developerInstructions: 'be fine' }, [messageOf('developer', 'be fine')]],
    ['nothing if the conversation has that', { developerInstructions: 'be fast' }, []],
    ['nothing if no call has given any', {}, []],
  ])('adds %s', (_, settings, expected) => {
    expect(renewedInstructions(settings, past)).toEqual(expected);
  });
});

describe('toRequest', () => {
  const input = [messageOf('user', 'hi')];
  const never = () => undefined as never;

  it('asks with what the thread is configured to, and offers the tools of the turn', () => {
    const own = { baseInstructions: 'be kind', verbosity: 'low', disableResponseStorage: true } as const;
    expect(toRequest(turnOf(never, { ...own, supportsReasoningSummaries: true }), input)).toEqual({
      threadId: 'n1',
      model: 'm',
      instructions: 'be kind',
      input,
      tools: [shellSpec(), patchSpec()],
      reasoning: { effort: 'medium', summary: 'auto' },
      store: false,
      verbosity: 'low',
    });
  });

  it.each([
    ['none', 'none'],
    ['xhigh', 'xhigh'],
    ['max', 'max'],
    ['ultra', 'max'],
  ] as const)('sends the effort %s as %s', (reasoningEffort, effort) => {
    const { reasoning } = toRequest(turnOf(never, { reasoningEffort, supportsReasoningSummaries: true }), input);
    expect(reasoning).toEqual({ effort, summary: 'auto' });
  });
});
