import { askPerson, isForm } from '../../../src/agent/toolServers/askPerson';
import type { CallEvent } from '../../../src/agent/toolServers/toolServer';
import { question } from './support';

describe('isForm', () => {
  it.each([
    [{}, true],
    [{ mode: 'form' }, true],
    [{ mode: 'url', url: 'https://x.org' }, false],
    [{ mode: null }, true],
    [{ mode: 1 }, false],
  ])('of %j is %s', (params, expected) => {
    expect(isForm(question(params))).toBe(expected);
  });

  it('is false for other requests', () => {
    expect(isForm({ ...question({}), method: 'ping' })).toBe(false);
  });
});

describe('askPerson', () => {
  it('declines what comes while eight questions have no answer', () => {
    const sent: unknown[] = [];
    const asked: CallEvent[] = [];
    const ask = askPerson({ respond: (id, outcome) => sent.push([id, outcome]) }, () => {});
    const send = (id: string) => ask(question({ message: 'Go on?' }, id)).subscribe((event) => asked.push(event));
    for (let at = 0; at < 10; at += 1) send(`q${at}`);
    const decline = { result: { action: 'decline' } };
    expect([asked.length, sent]).toEqual([
      8,
      [
        ['q8', decline],
        ['q9', decline],
      ],
    ]);
    const [first] = asked;
    if (first?.kind === 'question') first.answer({ decision: 'approved' });
    send('q10');
    send('q11');
    expect([asked.length, sent.at(-1)]).toEqual([9, ['q11', decline]]);
  });
});
