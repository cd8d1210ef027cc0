import { EMPTY } from 'rxjs';
import { recorded } from '../../../src/agent/elsewhere/recorded';
import type { Executor } from '../../../src/executor/backend';
import type { SeamPorts } from '../../../src/tapes/seams/ports';

const plain: Executor = { start: () => EMPTY, request: () => EMPTY };
const behind: Executor = { start: () => EMPTY, request: () => EMPTY };

describe('recorded', () => {
  it('puts processes and requests behind the seams, and gives the requests without them too', () => {
    const made: unknown[] = [];
    const seams = {
      backend: ({ start }) => {
        made.push(start);
        return { start: behind.start };
      },
      requests: (request) => {
        made.push(request);
        return behind.request;
      },
    } as SeamPorts;
    const found = recorded({ seams, tape: undefined } as unknown as Parameters<typeof recorded>[0], {
      executor: plain,
      member: 'm',
    });
    expect(made[0]).toBe(plain.start);
    expect(made[1]).toBe(plain.request);
    expect(found.executor.start).toBe(behind.start);
    expect(found.executor.request).toBe(behind.request);
    expect(found.plain).toBe(plain.request);
    expect(found.member).toBe('m');
  });
});
