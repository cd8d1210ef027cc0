import { EMPTY } from 'rxjs';
import { openingItems, toMessage, toRequest } from '../../src/agent/context';
import { NO_TOOLS } from '../../src/toolServers';
import { planSpec, shellSpec } from '../../src/tools';
import { said } from '../support/models';
import { config, environment } from './support';

const thread = (own: Parameters<typeof config>[0] = {}) => ({ id: 'n1', config: config(own), model: () => never });
const never = undefined as never;

describe('openingItems', () => {
  it.each([
    ['the folder and its rules', {}, undefined, [environment]],
    [
      'what the caller and the user want, before them',
      { developerInstructions: 'be fast' },
      'be brief',
      [
        said('developer', 'be fast'),
        said('user', '<user_instructions>\n\nbe brief\n\n</user_instructions>'),
        environment,
      ],
    ],
  ])('tells %s', (_, own, instructions, expected) => {
    expect(openingItems(config(own), instructions)).toEqual(expected);
  });

  it.each([
    ['read-only', 'restricted'],
    ['workspace-write', 'restricted'],
    ['danger-full-access', 'enabled'],
  ] as const)('says of %s that the network is %s', (sandboxMode, network) => {
    const [item] = openingItems(config({ sandboxMode }), undefined);
    const lines = [`<sandbox_mode>${sandboxMode}</sandbox_mode>`, `<network_access>${network}</network_access>`];
    expect(item).toEqual(toMessage('user', expect.stringContaining(lines.join('\n  '))));
  });
});

describe('toRequest', () => {
  const input = [said('user', 'hi')];

  it('asks with what the thread is configured to', () => {
    const own = { baseInstructions: 'be kind', verbosity: 'low', disableResponseStorage: true } as const;
    expect(toRequest(thread({ ...own, supportsReasoningSummaries: true }), NO_TOOLS, input)).toEqual({
      threadId: 'n1',
      model: 'm',
      instructions: 'be kind',
      input,
      tools: [shellSpec()],
      reasoning: { effort: 'medium', summary: 'auto' },
      store: false,
      verbosity: 'low',
    });
  });

  it('offers the plan tool where it is wanted', () => {
    expect(toRequest(thread({ includePlanTool: true }), NO_TOOLS, input)).toEqual({
      ...toRequest(thread(), NO_TOOLS, input),
      tools: [shellSpec(), planSpec()],
    });
  });

  it('offers the tools of servers behind its own', () => {
    const spec = { ...shellSpec(), name: 's__t' };
    const tool = { spec, server: 's', tool: 't', isReadOnly: true, call: () => EMPTY };
    const { tools } = toRequest(thread(), { tools: new Map([['s__t', tool]]), failures: [] }, input);
    expect(tools).toEqual([shellSpec(), spec]);
  });
});
