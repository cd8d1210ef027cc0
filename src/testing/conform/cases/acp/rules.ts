/** The rules of every session of an agent of ACP: what `check` finds on a tape, and what the pages demand besides. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { ACP_RULES } from '../../../../tapes/check/acp';
import { toSessionIndex } from '../../../../tapes/session/toSessionIndex';
import { ACP_1, type ConformRule } from '../../conformCase';
import { short } from '../../expecting';
import { firstFault, firstTwice, messagesOf } from '../../observed';
import { RULES_OF_LINES } from '../../rules';
import { asAgent } from './messages';
import { listOf, optionsOf, pathsOf, statesOf, toolOf, updatesOf } from './sessionParts';

const AGENT = { level: 'MUST', revisions: [ACP_1] } as const;

/** A rule of `check`, as far as it blames the agent. */
const checked =
  (name: keyof typeof ACP_RULES): ConformRule['faultOf'] =>
  ({ lines }) => {
    const entries = lines.map((entry, at) => ({ lineNumber: at + 2, entry: { ...entry } }));
    const index = toSessionIndex({ meta: {}, entries });
    const rules = ACP_RULES[name]();
    return firstFault(index.messages, (one) => {
      const [fault] = rules(one, index);
      return one.from === 'server' && fault !== undefined ? `${fault.text}: ${short(one.value)}` : undefined;
    });
  };

/** A path of any system. */
const ABSOLUTE = /^(?:\/|\\\\|[A-Za-z]:[\\/])/;

/** Categories of options that the specification has. */
const CATEGORIES = ['mode', 'model', 'model_config', 'thought_level'];

/** The rules are checked in each session, of whatever case. */
export const RULES_OF_AGENTS: readonly ConformRule[] = [
  ...RULES_OF_LINES.filter(({ id }) => id !== 'requests-have-ids').map(asAgent),
  {
    ...AGENT,
    id: 'acp-published-shapes',
    section: 'schema',
    sentence: 'Unless explicitly defined otherwise in the schema',
    faultOf: checked('shapes'),
  },
  {
    ...AGENT,
    id: 'acp-only-declared-methods',
    section: 'initialization#capabilities',
    sentence: 'Clients and Agents MUST treat all capabilities omitted in the initialize request as UNSUPPORTED.',
    faultOf: checked('capabilities'),
  },
  {
    ...AGENT,
    id: 'acp-known-sessions',
    level: 'SHOULD',
    section: 'session-setup#session-id',
    sentence: 'The session ID returned by session/new is a unique identifier for the conversation context.',
    faultOf: checked('sessions'),
  },
  {
    ...AGENT,
    id: 'acp-known-terminals',
    section: 'tool-calls#terminals',
    sentence: 'The ID of a terminal created with terminal/create',
    faultOf: checked('terminals'),
  },
  {
    ...AGENT,
    id: 'acp-turns-end',
    section: 'prompt-turn#cancellation',
    sentence:
      'Agents MUST catch these errors and return the semantically meaningful cancelled stop reason, so that Clients can reliably confirm the cancellation.',
    faultOf: checked('promptEnds'),
  },
  {
    ...AGENT,
    id: 'acp-absolute-paths',
    section: 'overview#argument-requirements',
    sentence: 'All file paths in the protocol MUST be absolute.',
    faultOf: (observed) =>
      firstFault(pathsOf(observed), (path) =>
        typeof path === 'string' && ABSOLUTE.test(path) ? undefined : `the path ${short(path)} is not absolute`,
      ),
  },
  {
    ...AGENT,
    id: 'acp-tool-calls-begin-once',
    section: 'tool-calls#creating',
    sentence: 'A unique identifier for this tool call within the session',
    faultOf: (observed) => {
      const begun = updatesOf(observed).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
      const id = firstTwice(begun.map(toolOf));
      return id === undefined ? undefined : `two tool calls have the id ${id}`;
    },
  },
  {
    ...AGENT,
    id: 'acp-tool-calls-are-reported',
    level: 'SHOULD',
    section: 'tool-calls#creating',
    sentence: 'When the language model requests a tool invocation, the Agent SHOULD report it to the Client:',
    faultOf: (observed) => {
      const known = new Set<string>();
      return firstFault(updatesOf(observed), (one) => {
        if (one.sessionUpdate === 'tool_call') known.add(toolOf(one));
        const isKnown = one.sessionUpdate !== 'tool_call_update' || known.has(toolOf(one));
        return isKnown ? undefined : `no tool_call has the id ${toolOf(one)}`;
      });
    },
  },
  {
    ...AGENT,
    id: 'acp-permission-options-differ',
    section: 'tool-calls#permission-options',
    sentence: 'Unique identifier for this option',
    faultOf: (observed) =>
      firstFault(messagesOf(observed, 'out'), ({ method, params }) => {
        if (method !== 'session/request_permission') return undefined;
        const ids = listOf(toObject(params).options).map(({ optionId }) => optionId);
        if (ids.length === 0) return 'it asks for a permission without options';
        const id = firstTwice(ids);
        return id === undefined ? undefined : `two options have the id ${short(id)}`;
      }),
  },
  {
    ...AGENT,
    id: 'acp-current-mode-is-available',
    section: 'session-modes#sessionmodestate',
    sentence: 'The ID of the mode that is currently active',
    faultOf: (observed) =>
      firstFault(statesOf(observed), ({ modes }) => {
        const { currentModeId, availableModes } = toObject(modes);
        const ids = listOf(availableModes).map(({ id }) => id);
        return modes === undefined || modes === null || ids.includes(currentModeId)
          ? undefined
          : `the mode ${short(currentModeId)} is none of ${short(ids)}`;
      }),
  },
  {
    ...AGENT,
    id: 'acp-config-options-have-values',
    section: 'session-config-options#default-values-and-graceful-degradation',
    sentence: 'Agents MUST always provide a default value for every configuration option.',
    faultOf: (observed) =>
      firstFault(optionsOf(observed), ({ id, type, currentValue, options }) => {
        const values = listOf(options).flatMap((one) => [one, ...listOf(one.options)].map(({ value }) => value));
        return type !== 'select' || values.includes(currentValue)
          ? undefined
          : `the option ${short(id)} has the value ${short(currentValue)}, which is none of its own`;
      }),
  },
  {
    ...AGENT,
    id: 'acp-no-boolean-options',
    section: 'session-config-options#boolean-config-options',
    sentence:
      'Agents MUST NOT include type: "boolean" options in configOptions payloads unless the Client advertised support.',
    faultOf: (observed) =>
      firstFault(optionsOf(observed), ({ id, type }) =>
        type === 'boolean' ? `the option ${short(id)} is boolean` : undefined,
      ),
  },
  {
    ...AGENT,
    id: 'acp-config-option-categories',
    level: 'SHOULD',
    section: 'session-config-options#option-categories',
    sentence: 'Category names that do not begin with _ are reserved for the ACP spec.',
    faultOf: (observed) =>
      firstFault(optionsOf(observed), ({ category }) =>
        typeof category !== 'string' || category.startsWith('_') || CATEGORIES.includes(category)
          ? undefined
          : `the category ${short(category)} is reserved`,
      ),
  },
  {
    ...AGENT,
    id: 'acp-no-terminal-login',
    section: 'authentication#authentication-method-types',
    sentence: 'An Agent may advertise a terminal method only when this capability is true.',
    faultOf: (observed) => {
      const isDeclared = messagesOf(observed, 'in').some(({ params }) => {
        const { auth } = toObject(toObject(params).clientCapabilities);
        return toObject(auth).terminal === true;
      });
      const methods = statesOf(observed).flatMap(({ authMethods }) => listOf(authMethods));
      return firstFault(isDeclared ? [] : methods, ({ id, type }) =>
        type === 'terminal' ? `the method ${short(id)} needs a terminal` : undefined,
      );
    },
  },
  {
    ...AGENT,
    id: 'acp-command-names',
    level: 'ROBUSTNESS',
    section: 'slash-commands#availablecommand',
    sentence: 'A name of a command has no slash before it, and no blanks.',
    faultOf: (observed) =>
      firstFault(
        updatesOf(observed).flatMap(({ availableCommands }) => listOf(availableCommands)),
        ({ name }) => (/^\/|\s/.test(String(name)) ? `a command has the name ${short(name)}` : undefined),
      ),
  },
  {
    ...AGENT,
    id: 'acp-methods-of-its-own',
    section: 'extensibility#extension-methods',
    sentence: 'The protocol reserves any method name starting with an underscore (_) for custom extensions.',
    faultOf: (observed) =>
      firstFault(messagesOf(observed, 'out'), ({ method }) =>
        method === undefined || METHODS.test(String(method)) ? undefined : `it sends ${short(method)}`,
      ),
  },
];

/** What an agent may send by version 1, and extensions. */
const METHODS =
  /^(?:_.*|session\/(?:update|request_permission)|fs\/(?:read|write)_text_file|terminal\/(?:create|output|release|wait_for_exit|kill)|elicitation\/(?:create|complete)|\$\/cancel_request)$/;
