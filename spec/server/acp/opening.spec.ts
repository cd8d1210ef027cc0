import type { Outgoing, Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { setConfigOption, setMode, setModel } from '../../../src/server/acp/opening';
import { type Method, newConnection, putSession, type Session, sessionOf } from '../../../src/server/acp/session';
import { firstChoices } from '../../../src/server/acp/sessionConfig';
import { newView } from '../../../src/server/acp/toolView';
import { asked } from '../../protocol/methods/host';
import { FIRST, factsWith } from '../../support/acp';

describe('choosing a mode or an option', () => {
  it('is known to both sides, with all that it changes', () => {
    expect(choose(setMode, { modeId: 'read-only' }).output).toMatchObject([
      { id: 'c', result: {} },
      { params: { update: { sessionUpdate: 'config_option_update' } } },
    ]);
    expect(choose(setConfigOption, { configId: 'sandbox_mode', value: 'read-only' }).output).toMatchObject([
      { id: 'c', result: { configOptions: expect.any(Array) } },
      { params: { update: { sessionUpdate: 'current_mode_update', currentModeId: 'read-only' } } },
    ]);
    expect(choose(setConfigOption, { configId: 'model', value: 'fast' }).output).toHaveLength(1);
  });

  it('applies to the turns that follow', () => {
    expect(choose(setMode, { modeId: 'read-only' }).chosen).toEqual({
      approvalPolicy: 'on-request',
      sandbox: { mode: 'read-only' },
    });
  });

  it('takes a model with its effort from an older client', () => {
    const { output, chosen } = choose(setModel, { modelId: 'fast[high]' });
    expect(output).toMatchObject([
      { id: 'c', result: {} },
      { params: { update: { sessionUpdate: 'config_option_update' } } },
    ]);
    expect(chosen).toEqual({ model: 'fast', effort: 'high' });
    expect(choose(setModel, { modelId: 'fast' }).chosen).toEqual({ model: 'fast' });
  });

  it.each<[string, Method, object, string]>([
    ['mode', setMode, { modeId: 'yolo' }, 'mode has no value yolo; it has read-only, auto, full-access, custom'],
    ['model', setModel, { modelId: 'slow' }, 'model has no value slow; it has m, fast'],
    [
      'effort',
      setModel,
      { modelId: 'm[extreme]' },
      'reasoning_effort has no value extreme; it has minimal, low, medium, high, xhigh',
    ],
    [
      'option',
      setConfigOption,
      { configId: 'colour', value: 'red' },
      'there is no option colour; there are mode, model, reasoning_effort, approval_policy, sandbox_mode',
    ],
  ])('refuses another %s, and names those there are', (_, method, params, message) =>
    expect(() => choose(method, params)).toThrow(`Invalid params: ${message}`),
  );

  it('is refused for a session that is not open', () =>
    expect(() => setMode(deps, newConnection, toRequest({ modeId: 'auto' }))).toThrow(/Session not found/));
});

const deps = { newCallId: () => '', newQuestionId: () => 0, log: silentLog, now: () => 0, version: '1' };

const facts = factsWith();
const session: Session = {
  id: FIRST,
  facts,
  choices: firstChoices(facts),
  view: newView('/w', FIRST),
  asked: new Map(),
  rejected: [],
  isStored: false,
  isTitled: false,
};

const toRequest = (params: object): Request => asked('a method', { sessionId: FIRST, ...params }, 'c');

const choose = (method: Method, params: object) => {
  const { state, output } = method(deps, putSession(newConnection, session), toRequest(params));
  return { output: output as readonly Outgoing[], chosen: sessionOf(state, FIRST)?.choices.chosen };
};
