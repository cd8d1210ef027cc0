import { choose, firstChoices, toLasting, toModes, toOptions } from '../../../src/server/acp/sessionConfig';
import { factsWith } from '../../support/acp';

const facts = factsWith();
const first = firstChoices(facts);
const chosen = (...choices: [string, unknown][]) =>
  choices.reduce((before, choice) => choose(facts, before, choice) ?? before, first);

describe('the choices of a session', () => {
  it('begin with what is configured', () => {
    expect(first).toMatchObject({ mode: 'auto', model: 'm', effort: 'medium', chosen: {} });
    expect(firstChoices(factsWith({ approvalPolicy: 'untrusted' })).mode).toBe('custom');
  });

  it('are modes and options that agree', () => {
    const fromMode = chosen(['mode', 'full-access']);
    expect(fromMode).toMatchObject({ approvalPolicy: 'never', sandbox: 'danger-full-access' });
    expect(chosen(['approval_policy', 'never'], ['sandbox_mode', 'danger-full-access'])).toEqual(fromMode);
    expect(chosen(['sandbox_mode', 'read-only']).mode).toBe('read-only');
    expect(chosen(['approval_policy', 'never']).mode).toBe('custom');
    expect(chosen(['mode', 'custom'])).toMatchObject({ mode: 'custom', approvalPolicy: 'on-request' });
  });

  it('have the models that the person has named', () => {
    expect(chosen(['model', 'fast'])).toMatchObject({ model: 'fast', chosen: { model: 'fast' } });
    expect(
      toOptions(facts, first)
        .find(({ id }) => id === 'model')
        ?.options.map(({ value }) => value),
    ).toEqual(['m', 'fast']);
  });

  it('are values of options that are there', () => {
    for (const wrong of [
      ['mode', 'x'],
      ['nope', 'auto'],
      ['model', true],
    ] as const)
      expect(choose(facts, first, [...wrong])).toBeUndefined();
    for (const { currentValue, options } of toOptions(facts, first))
      expect(options.map(({ value }) => value)).toContain(currentValue);
  });

  it('are within what the operator allows', () => {
    const limited = factsWith({ policies: ['untrusted'], sandboxModes: ['read-only'], sandboxMode: 'read-only' });
    expect(toModes(limited, firstChoices(limited)).availableModes.map(({ id }) => id)).toEqual(['custom']);
    expect(choose(limited, firstChoices(limited), ['mode', 'full-access'])).toBeUndefined();
    expect(choose(limited, firstChoices(limited), ['sandbox_mode', 'workspace-write'])).toBeUndefined();
  });

  it('are set by each turn, with what the thread does not keep', () => {
    expect(toLasting(facts, first, { isStored: false })).toBeUndefined();
    expect(toLasting(facts, first, { isStored: true })).toEqual({ cwd: '/w' });
    expect(toLasting(facts, chosen(['mode', 'read-only'], ['reasoning_effort', 'high']), { isStored: false })).toEqual({
      cwd: '/w',
      approvalPolicy: 'on-request',
      sandbox: { mode: 'read-only' },
      effort: 'high',
    });
  });
});
