/** A turn in which the model asks for one command that prints 5 MB. */
import { memoryMb } from '../processes.mjs';
import { timed } from './turns/calls.mjs';

const bytesOf = (scaled) => scaled(5_000_000, 200_000);

export default {
  name: 'exec',
  needs: ['codex'],
  rows: (scaled) => [
    {
      key: 'exec',
      label: `a turn with one command printing ${bytesOf(scaled) / 1e6} MB, ms`,
      better: 'lower',
      targets: [{ of: 'floor', atMost: 3 }],
    },
    { key: 'exec.sent', label: 'sent to the client for it, MB', better: 'lower' },
    { key: 'exec.events', label: 'in as many events', better: 'lower' },
    { key: 'exec.peak', label: 'peak memory with it, MB', better: 'lower' },
  ],
  run: ({ use, scaled, model, add, note, trouble }) =>
    use(
      async (client) => {
        await timed(() => client.call('bench:say')); // the first turn is a metric of its own
        await model.take();
        let events = 0;
        let exitCode;
        client.hooks.raw = (bytes, start, end) => {
          const head = bytes.latin1Slice(start, Math.min(end, start + 600));
          const isOutput = head.includes('exec_command_output_delta');
          if (isOutput) events += 1;
          if (head.includes('exec_command_end'))
            exitCode ??= /"exit_code":(-?\d+)/.exec(bytes.latin1Slice(start, end))?.[1];
          return isOutput;
        };
        const before = client.counts.bytes;
        const { ms } = await timed(() => client.call(`bench:exec:${bytesOf(scaled)}`));
        const scenes = (await model.take()).map(({ scene }) => scene);
        if (scenes.includes('noShell')) return note('exec', 'offers no shell tool to the model');
        if (!scenes.includes('execDone')) return trouble('exec', 'the output did not reach the model');
        if (exitCode !== '0') note('exec', `exit code ${exitCode ?? 'not seen'}`);
        add('exec', ms);
        add('exec.events', events);
        add('exec.sent', (client.counts.bytes - before) / 1e6);
        add('exec.peak', memoryMb(client.pid).peak);
      },
      { freshHome: true },
    ),
};
