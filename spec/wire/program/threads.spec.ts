/** The event loop has a higher priority than the threads beside it, and what it starts has the priority of the event loop. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { attach, commandLine, endServers, type Peer, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';
import { until } from '../../support/processes';

afterEach(endServers);

/** The nice value of this process, which the server inherits. */
const OWN = getPriority();
const LOWERED = Math.max(OWN, 5);

/** One answer runs nice(1), which prints the nice value that it has; the next repeats what it printed. */
const SCRIPT = {
  scenes: [
    {
      when: 'run',
      answers: [
        { items: [{ call: 'shell', args: { command: ['nice'] }, id: 'c1' }] },
        { items: [{ text: '{{output}}' }] },
      ],
    },
  ],
};

/** The nice value of each thread; see proc_pid_stat(5). */
const niceOf = ({ child: { pid } }: Peer): Map<number, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((id) => {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
      return [Number(id), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );

describe('the threads of the server', () => {
  it('have a lower priority than its event loop, which a command does not take over', async () => {
    const peer = startServer({ script: SCRIPT });
    await greet(peer);
    await until(() => [...niceOf(peer).values()].filter((nice) => nice === LOWERED).length >= 4, 'lowered threads');
    expect(niceOf(peer).get(peer.child.pid as number)).toBe(OWN);
    expect(textOf(await peer.request('tools/call', codexCall(peer, 'run')))).toMatch(new RegExp(`^${OWN}$`, 'm'));
  });

  it('keep the priority of a process that has a lower one, which root could lift', async () => {
    const home = openHome();
    const [program, args] = commandLine('mcp-server');
    const peer = attach(spawn('nice', ['-n', '15', program, ...args], { env: home.env, cwd: home.work }), home);
    await greet(peer);
    expect(new Set(niceOf(peer).values())).toEqual(new Set([Math.min(OWN + 15, 19)]));
    await peer.end();
  });
});
