/** Whether the MCP servers of the configuration can be used: each is started or reached as a turn would, and ended again. */
import { catchError, concatMap, defer, from, map, mergeMap, type Observable, of, take, toArray } from 'rxjs';
import type { ServersHere } from '../../agent/native/configuredToolServers';
import { isEnabled } from '../../agent/toolServers/listTools';
import type { ToolServer, ToolServerSpec } from '../../agent/toolServers/toolServer';
import { secretArguments, secretsInAddress } from '../../io/log/maskAddress';
import { redactText } from '../../io/log/redactText';
import { secretsGiven } from '../../io/log/secretValues';
import type { Result } from './finding';

type ExamineServersDeps = Pick<ServersHere, 'open'> & {
  /** Variables of this program, with the tokens for the servers. */
  env: Readonly<Record<string, string | undefined>>;
  /** In ms. */
  now: () => number;
};

/** A server that may take longer to start is not waited for beyond this. */
const LIMIT_MS = 30_000;
/** How many are examined at a time. */
const AT_ONCE = 4;

/**
 * Emits a finding for each server, in their order, once all are examined: how many tools it has, or why it cannot be used. Each is ended after its
 * tools. Never errors.
 *   docs   --T        (T its tools)
 *   git    -#
 *   out    --(DG|)
 */
export const examineServers = (
  deps: ExamineServersDeps,
  servers: Readonly<Record<string, ToolServerSpec>>,
): Observable<Result> =>
  from(Object.entries(servers)).pipe(
    mergeMap(([name, spec], i) => examineServer(deps, name, spec).pipe(map((result) => ({ i, result }))), AT_ONCE),
    toArray(),
    concatMap((all) => all.sort((a, b) => a.i - b.i).map(({ result }) => result)),
  );

const examineServer = (deps: ExamineServersDeps, name: string, spec: ToolServerSpec): Observable<Result> =>
  defer(() => {
    const { open, env, now } = deps;
    const startMs = now();
    const limited = { ...spec, startTimeoutMs: Math.min(spec.startTimeoutMs, LIMIT_MS) };
    const hide = redactText({ secrets: secretsOf(spec, env), maxChars: Number.POSITIVE_INFINITY });
    return defer(() => open(name, limited)).pipe(
      take(1),
      map((server) => toResult(name, spec, server)),
      map((result) => withUnset(result, spec, env)),
      catchError((error: Error) => of(toFault(name, spec, hide(error.message)))),
      map((result) => ({ ...result, ms: Math.round(now() - startMs) })),
    );
  });

const toResult = (name: string, spec: ToolServerSpec, { tools }: ToolServer): Result => {
  const enabled = tools.filter(isEnabled(spec));
  const unfit = enabled.filter(({ parameters }) => parameters === undefined).map((tool) => tool.name);
  const offered = enabled.length - unfit.length;
  const number = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const text = `${name} answers with ${number}${offered === tools.length ? '' : `, ${offered} of them offered`}`;
  if (unfit.length > 0) return { state: 'warning', text, remedy: unfitRemedy(name, unfit) };
  if (offered > 0) return { text };
  return { state: 'warning', text, remedy: `see enabled_tools and disabled_tools of mcp_servers.${name}` };
};

const unfitRemedy = (name: string, unfit: readonly string[]): string =>
  `the input schema of ${unfit.join(', ')} cannot be written for a model: its maker can mend it; disabled_tools of mcp_servers.${name} hides this`;

/** Warns of headers that are not sent, as their variable is not set. */
const withUnset = (
  result: Result,
  { argv, envHttpHeaders }: ToolServerSpec,
  env: ExamineServersDeps['env'],
): Result => {
  const unset = Object.values(envHttpHeaders).filter((variable) => !env[variable]?.trim());
  if (argv.length > 0 || unset.length === 0) return result;
  return { ...result, state: 'warning', remedy: `set ${unset.join(', ')}, which env_http_headers names` };
};

const toFault = (name: string, spec: ToolServerSpec, reason: string): Result => {
  const isLate = spec.startTimeoutMs > LIMIT_MS && reason.startsWith('it did not answer within');
  const { text, remedy } = serverRemedy({ name, spec, reason });
  return { state: isLate ? 'warning' : 'fault', text: `${name}: ${text}`, remedy };
};

/** What a server is sent may come back in its errors. */
const secretsOf = (
  { argv, env: own, httpHeaders, envHttpHeaders, bearerTokenEnvVar, url }: ToolServerSpec,
  env: ExamineServersDeps['env'],
) => {
  const variables = [...Object.values(envHttpHeaders), ...(bearerTokenEnvVar === undefined ? [] : [bearerTokenEnvVar])];
  const sent = [...Object.values(httpHeaders), ...variables.map((variable) => env[variable] ?? '')];
  return [...sent, ...secretsGiven(own), ...secretsInAddress(url ?? ''), ...secretArguments(argv)]
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic) /, '')])
    .filter(Boolean);
};

/** What to do about an MCP server that cannot be used. */
type ServerFault = {
  name: string;
  spec: Pick<ToolServerSpec, 'argv' | 'cwd' | 'startTimeoutMs' | 'environmentId'>;
  reason: string;
};

/** What an error of this server begins with; the finding names the server itself. */
const prefixOf = (name: string): string[] => [`the MCP server ${name} could not be run: `, `the MCP server ${name} `];

/** Splits an error into reason and remedy; a server behind a URL has the remedy in its reason. */
export const serverRemedy = ({ name, spec, reason }: ServerFault): { text: string; remedy: string } => {
  const prefix = prefixOf(name).find((one) => reason.startsWith(one)) ?? '';
  const text = reason.slice(prefix.length).replace(/\.$/, '');
  const [, stray, mend] = /^(.* to stdout, which is for messages alone); (.*)$/s.exec(text) ?? [];
  if (stray !== undefined && mend !== undefined) return { text: stray, remedy: mend };
  if (/^it did not answer within/.test(text)) return { text, remedy: laterOf(name, spec) };
  return spec.argv.length === 0 ? ofUrl(name, text) : ofCommand(name, spec, text);
};

const isAway = ({ environmentId }: ServerFault['spec']): boolean => environmentId !== 'local';

/** For another machine that cannot be reached; the reason has what to do there. */
const elsewhere = (name: string, { environmentId }: ServerFault['spec']): string =>
  `see the environment ${environmentId}, which environment_id of mcp_servers.${name} names`;

const ofUrl = (name: string, text: string): { text: string; remedy: string } => {
  const at = text.indexOf('; ');
  if (at >= 0) return { text: text.slice(0, at), remedy: text.slice(at + 2) };
  const [, remedy] = OF_URLS.find(([pattern]) => pattern.test(text)) ?? [];
  return { text, remedy: remedy ?? `see mcp_servers.${name}` };
};

const OF_URLS: readonly (readonly [RegExp, string])[] = [
  [/ is not set$/, 'set it where codex-rx starts'],
  [/ answers HTTP 404$/, 'see the path of its url'],
  [/^HTTP 5\d\d of /, 'the log of that server has the reason'],
];

const ofCommand = (name: string, spec: ServerFault['spec'], text: string): { text: string; remedy: string } => {
  const program = spec.argv[0] as string;
  const table = `mcp_servers.${name}`;
  if (/^working directory .*: /.test(text)) return { text, remedy: `create that folder, or change cwd of ${table}` };
  if (/\(os error 2\)$/.test(text))
    return { text: `the command ${program} is not there`, remedy: ofMissing(program, table) };
  if (/\(os error 13\)$/.test(text)) return { text: `${program} may not be run`, remedy: 'make the file executable' };
  if (/codex-rx itself|tool of itself/.test(text)) return { text, remedy: `remove ${table}` };
  return { text, remedy: isAway(spec) && !text.startsWith('ended ') ? elsewhere(name, spec) : byHand(spec) };
};

const ofMissing = (program: string, table: string): string =>
  program.includes(' ')
    ? `command of ${table} is the program alone: its arguments belong in args, as a list`
    : `install it, put its folder into PATH, or give its absolute path in ${table}`;

const laterOf = (name: string, spec: ServerFault['spec']): string => {
  const raise = `raise startup_timeout_sec of mcp_servers.${name} if it needs longer`;
  return spec.argv.length === 0 ? raise : `${raise}, or ${byHand(spec)}`;
};

/** Arguments may hold secrets. A terminal has variables that a server does not get, such as those of a proxy or of its certificates. */
const byHand = (spec: ServerFault['spec']): string =>
  `run ${spec.argv[0]} with its args in a terminal${isAway(spec) ? ` of ${spec.environmentId}` : ''}, in ${spec.cwd}; if it works there, name the variables that it needs in env_vars`;
