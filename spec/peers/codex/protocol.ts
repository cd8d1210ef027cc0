/** The part of the app-server protocol that this program is built on, in lines that a person can compare. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
/** What `codex app-server generate-json-schema` writes as codex_app_server_protocol.schemas.json. */
export type Bundle = { definitions: Record<string, Schema & { [nested: string]: unknown }> };

/** What this program sends. */
const REQUESTS = [
  'initialize',
  'account/read',
  'thread/start',
  'thread/resume',
  'thread/compact/start',
  'thread/unsubscribe',
  'thread/backgroundTerminals/clean',
  'turn/start',
  'turn/steer',
  'turn/interrupt',
];
/** What it reads. Of the others, and of the requests of the server, the names count: a new one may be meant for us. */
const NOTIFICATIONS = [
  'turn/started',
  'turn/completed',
  'turn/plan/updated',
  'turn/diff/updated',
  'item/completed',
  'item/agentMessage/delta',
  'item/reasoning/textDelta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/summaryPartAdded',
  'item/commandExecution/outputDelta',
  'thread/tokenUsage/updated',
  'mcpServer/startupStatus/updated',
  'serverRequest/resolved',
  'configWarning',
  'error',
  'warning',
];
const ASKED = [
  'item/commandExecution/requestApproval',
  'item/fileChange/requestApproval',
  'mcpServer/elicitation/request',
];
const RESULTS = ['ThreadStartResponse', 'ThreadResumeResponse', 'TurnStartResponse', 'GetAccountResponse'];
const ANSWERS = [
  'CommandExecutionRequestApprovalResponse',
  'FileChangeRequestApprovalResponse',
  'McpServerElicitationRequestResponse',
];

/** Deeper members are of no use to this program, nor are the items of stored turns, which those of `item/completed` repeat. */
const MAX_DEPTH = 3;
const REPEATED = /turns?\.(items\.|$)|thread\.turns\./;

/** A line for each member, such as `turn/start cwd?: string | null`, and for each name; sorted. */
export const linesOfProtocol = (bundle: Bundle): string[] => {
  const at = (ref: string): Schema =>
    ref
      .replace('#/definitions/', '')
      .split('/')
      .reduce((of, name) => (of as Record<string, Schema>)[name] as never, bundle.definitions as Schema);
  const resolved = (schema: Schema): Schema => (schema.$ref ? resolved(at(schema.$ref)) : schema);
  const messages = (union: string) =>
    (bundle.definitions[union]?.oneOf ?? []).map(({ properties = {} }) => ({
      method: String(properties.method?.enum?.[0] ?? ''),
      params: properties.params ?? {},
    }));
  const typeOf = (schema: Schema): string => {
    const { type, enum: values, const: value, oneOf, anyOf, allOf, items } = resolved(schema);
    if (value !== undefined) return JSON.stringify(value);
    if (values) return values.map((each) => JSON.stringify(each)).join(' | ');
    const choice = oneOf ?? anyOf ?? allOf;
    if (choice) return [...new Set(choice.map(typeOf))].join(' | ');
    if (items) return `(${typeOf(items)})[]`;
    return [type ?? 'any'].flat().join(' | ');
  };
  const members = (schema: Schema, path: string, depth = 0): string[] => {
    const { properties, required = [], oneOf, anyOf, allOf, items } = resolved(schema);
    const inside = [oneOf ?? anyOf ?? allOf ?? [], items ?? []].flat();
    return [
      ...Object.entries(properties ?? {}).flatMap(([name, member]) => [
        `${path}${name}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`,
        ...(depth < MAX_DEPTH && !REPEATED.test(`${path}${name}.`)
          ? members(member, `${path}${name}.`, depth + 1)
          : []),
      ]),
      ...inside.flatMap((each) => (depth < MAX_DEPTH ? members(each, path, depth) : [])),
    ];
  };
  const used = (union: string, names: readonly string[]) =>
    messages(union)
      .filter(({ method }) => names.includes(method))
      .flatMap(({ method, params }) => members(params, `${method} `));
  const shapes = (names: readonly string[]) =>
    names.flatMap((name) => {
      const found = bundle.definitions[name] ?? (bundle.definitions.v2 as Record<string, Schema> | undefined)?.[name];
      return found ? members(found, `${name} `) : [`${name} is not there`];
    });
  const lines = [
    ...used('ClientRequest', REQUESTS),
    ...used('ServerNotification', NOTIFICATIONS),
    ...used('ServerRequest', ASKED),
    ...shapes([...RESULTS, ...ANSWERS]),
    ...['ServerNotification', 'ServerRequest'].flatMap((union) =>
      messages(union).map(({ method }) => `${union} ${method}`),
    ),
  ];
  return [...new Set(lines)].sort();
};
