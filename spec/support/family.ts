/** Owns a model that asks for a command with children and grandchildren, which write their process ids and stay. */

/** Each process adds its id to the file `pids` in the work folder; the grandchild does not keep the outputs open. */
const FAMILY = [
  'echo $$ >> pids',
  'sh -c "echo \\$\\$ >> pids; sleep 60 & wait" &',
  '(sh -c "echo \\$\\$ >> pids; exec sleep 60" > /dev/null 2>&1 &)',
  'wait',
].join('\n');

/** Arguments of the call. */
export const family = { 'approval-policy': 'never' };

/** `family` in a prompt runs the command, anything else is repeated. */
export const script = {
  scenes: [
    {
      when: 'family',
      answers: [
        { items: [{ call: 'shell', args: { command: ['sh', '-c', FAMILY], timeout_ms: 60_000 } }] },
        { items: [{ text: 'it ended' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'You said: {{prompt}}' }] },
};
