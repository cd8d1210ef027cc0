/** `codex-rx replay`: plays a tape, as the server of a client or as the client of a server. */
import { defineCommand } from '../command';
import { options, positionals, problem } from '../replay/options';
import { putLoadOn } from '../replay/putLoadOn';
import { serveTape, type TapeChoice } from '../replay/serveTape';
import { verifyTape } from '../replay/verifyTape';

export const replay = defineCommand({
  usage: '$0 replay FILE [-- COMMAND [ARGUMENTS] | URL]',
  positionals,
  options,
  afterDashes: 'command',
  examples: [
    ['$0 replay tape.jsonl', 'a server that answers a client on stdin as recorded'],
    ['$0 replay tape.jsonl --speed 1', 'at the pace of the recording'],
    ['$0 replay tape.jsonl --faults "---x-2s-D"', 'loses the 4th line, sends the 6th after 2 s and the 7th twice'],
    ['$0 replay tape.jsonl --http 3001', 'a server over HTTP, for clients at http://127.0.0.1:3001/mcp'],
    ['$0 replay tape.jsonl -- http://127.0.0.1:3000/mcp', 'does the server at that address still answer the same?'],
    ['$0 replay tape.jsonl -- my-server', 'does my-server still answer the same? Exit code 1 if not'],
    ['$0 replay tape.jsonl --times 100 --parallel 4 -- my-server', 'response times and memory under load'],
    ['$0 replay tapes/ --report junit -- my-server', 'the same with all tapes of a folder, for CI'],
  ],
  epilogue: 'Exit codes: 0 all as recorded, 1 something differs, 2 the tape cannot be used. See docs/tapes.md.',
  problem,
  run: (given) => {
    const { file, session, 'allow-redacted': allowsRedacted, command } = given;
    const choice: TapeChoice = { path: file, session, allow: allowsRedacted ? 'redacted' : 'whole' };
    if (command.length > 0 && given.times !== undefined) putLoadOn(given, choice, given.times);
    else if (command.length > 0) verifyTape(given, choice);
    else serveTape(given, choice);
  },
});
