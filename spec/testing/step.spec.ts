import { answer, type Phase, request } from '../../src/testing';
import { toScore } from '../../src/testing/score';
import { type Input, isComplete, openState, type Pace, type State, step, toLate } from '../../src/testing/step';

const values = { a: request('a'), A: answer('a', {}), b: request('b'), Q: request('q'), y: answer('Q', {}) };
const line = (message: object): Input => ({ kind: 'line', line: JSON.stringify(message), frame: 0 });
const input = (kind: 'start' | 'send' | 'close'): Input => ({ kind, frame: 0 });

const states = (pace: Pace, phase: Phase, ...inputs: Input[]): State[] =>
  inputs.map((_, i) => inputs.slice(0, i + 1).reduce(step({ pace }), openState(toScore([{ values, ...phase }]))));
const last = (...args: Parameters<typeof states>): State => states(...args).at(-1) as State;

/** Methods and results of what is sent at each input, and whether the client's input is closed then. */
const sent = (all: State[]): string[] =>
  all.map(({ output, clientInput }) => {
    const messages = output.map((text) => JSON.parse(text) as { method?: string });
    return messages.map(({ method = 'answer' }) => method).join('') + (clientInput === 'closed' ? '|' : '');
  });

describe('step, in order', () => {
  it('sends what it may, and closes the input after the last', () => {
    expect(sent(states('inOrder', { client: 'ab', server: '' }, input('start')))).toEqual(['ab|']);
    const phase = { client: 'a-b', server: '-A' };
    expect(sent(states('inOrder', phase, input('start'), line({ id: 0, result: {} })))).toEqual(['a', 'b|']);
  });

  it('closes the input at its end, when all before it has come', () => {
    const phase = { client: 'a-|', server: '-A--' };
    expect(sent(states('inOrder', phase, input('start'), line({ id: 0, result: {} })))).toEqual(['a', '|']);
  });

  it('waits for what a note refers to', () => {
    const phase = { client: 'y', server: 'Q' };
    expect(sent(states('inOrder', phase, input('start'), line({ id: 1, method: 'q' })))).toEqual(['', 'answer|']);
  });
});

describe('step, in time', () => {
  it('sends a note at each turn, and closes when it is time', () => {
    const phase = { client: 'ab|', server: '' };
    expect(sent(states('inTime', phase, input('send'), input('send'), input('close')))).toEqual(['a', 'b', '|']);
  });

  it('skips a note that refers to what had not come, and remarks it', () => {
    const state = last('inTime', { client: 'ya', server: 'Q' }, input('send'), input('send'));
    expect(state.remarks).toEqual(['the client could not send y: what it refers to had not come by then']);
    expect(sent([state])).toEqual(['a']);
  });
});

describe('step', () => {
  it('is over when the server has ended, with the reason', () => {
    const ended: Input = { kind: 'ended', sign: '#', reason: 'no disk', frame: 7 };
    expect(last('inOrder', { client: '', server: '' }, ended)).toMatchObject({
      phase: 'over',
      end: { frame: 7, sign: '#' },
      remarks: ['no disk'],
    });
    expect(last('inOrder', { client: '', server: '' }, { ...ended, reason: '' }).remarks).toEqual([]);
  });
});

describe('isComplete', () => {
  it.each<[string, Phase, Input[], boolean]>([
    ['all has come', { client: 'a', server: '-A' }, [input('start'), line({ id: 0, result: {} })], true],
    ['an answer is missing', { client: 'a', server: '-A' }, [input('start')], false],
    ['the server is to end', { client: '|', server: '-|' }, [input('start')], false],
  ])('when %s', (_, phase, inputs, complete) => {
    expect(isComplete(last('inOrder', phase, ...inputs))).toBe(complete);
  });
});

describe('toLate', () => {
  it('remarks the silence only where something is missing', () => {
    const missing = last('inOrder', { client: 'a', server: '-A' }, input('start'));
    expect(toLate(missing, 30)).toMatchObject({ phase: 'over', remarks: ['the server was silent for 30 ms'] });
    const complete = last('inOrder', { client: 'a', server: '' }, input('start'));
    expect(toLate(complete, 30)).toMatchObject({ phase: 'over', remarks: [] });
  });
});
