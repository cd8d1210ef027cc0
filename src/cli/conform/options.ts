/** The options of `conform`. */
import { parseObject } from '../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import { toIgnoredMethod } from '../../tapes/matching/ignore';
import { ACP_1, LEVELS, PROTOCOLS, protocolOf, type Sentence } from '../../testing/conform/conformCase';
import { CONFORM_REPORTS } from '../../testing/conform/report';
import type { GivenTo } from '../command';
import { countOption, type Options, secondsOption } from '../option';

/** Its table. */
export const options = {
  protocol: {
    type: 'string',
    array: true,
    choices: PROTOCOLS,
    describe: 'What to check. Default: mcp, and its extension for tasks if the server declares it; acp is for agents',
  },
  url: { type: 'string', describe: 'Check the server behind this URL, in place of a command after --' },
  revision: {
    type: 'string',
    array: true,
    choices: SUPPORTED_VERSIONS,
    describe:
      'Check this revision. Default: the newest with a handshake and the newest without, as far as the server speaks them',
  },
  only: { type: 'string', array: true, describe: 'Check only cases with this name; * is any text' },
  level: {
    type: 'string',
    array: true,
    choices: LEVELS,
    describe: 'Check only what the specification demands so. Default: all',
  },
  list: { type: 'boolean', describe: 'Print the cases, each with its sentence and its link, and check nothing' },
  tool: {
    type: 'string',
    array: true,
    describe: 'A tool that does no harm, for the cases that call one; name others that are slow, ask, or become tasks',
  },
  arguments: {
    type: 'string',
    array: true,
    describe: 'The arguments of each --tool, as JSON, in their order. Default: {}',
    problemOf: (text: string) => (parseObject(text) === undefined ? '--arguments must be a JSON object' : undefined),
  },
  prompt: {
    type: 'string',
    array: true,
    describe:
      'A prompt that does no harm, for the cases of acp that need a model; name others at which the agent asks for a permission, or uses files and terminals of its client',
  },
  expect: {
    type: 'string',
    describe: 'A file with known failures, a name on each line: they do not fail the run, and are named when they pass',
  },
  report: { type: 'string', choices: CONFORM_REPORTS, default: 'text', describe: 'Format of the report on stdout' },
  record: { type: 'string', describe: 'Write the session of each case that fails to a new tape in this folder' },
  jobs: { alias: 'j', ...countOption(2, 'How many cases are played at once, each with a process of its own') },
  timeout: secondsOption(5, 'Seconds to wait for a response, besides the time that the server takes to start'),
} as const satisfies Options;

/** It has none. */
export const positionals = {} as const;

/** What is typed. */
export type Conform = GivenTo<typeof options, typeof positionals>;

/** Whether a case is to be checked. */
export const isChosen = ({ only, level, revision, protocol }: Conform, sentence: Sentence): boolean => {
  const { id, level: own, revisions } = sentence;
  return (
    (protocol.length === 0 ? ['mcp', 'tasks'] : protocol).includes(protocolOf(sentence)) &&
    (level.length === 0 || level.includes(own)) &&
    (only.length === 0 || only.some((pattern) => toIgnoredMethod(pattern).test(id))) &&
    (revision.length === 0 || revisions.some((one) => one !== ACP_1 && revision.includes(one)))
  );
};
