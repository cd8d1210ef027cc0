/** Whether the MCP servers of the configuration can be used: each is started or reached as a turn would, and ended again. */
import { catchError, concatMap, defer, from, map, mergeMap, type Observable, of, take, toArray } from 'rxjs';
import type { ServersHere } from '../../agent/native/configuredToolServers';
import { isEnabled, isWritable } from '../../agent/toolServers/offerTools';
import type { ToolServer, ToolServerSpec } from '../../agent/toolServers/toolServer';
import { secretsInAddress } from '../../io/log/maskAddress';
import { redactText } from '../../io/log/redactText';
import { secretArguments } from '../../io/log/secretArguments';
import { secretsGiven } from '../../io/log/secretValues';
import type { Result } from './finding';
import { serverRemedy } from './serverRemedy';

/** @param env of this program, which holds the tokens that the servers are sent; @param now in ms */
export type ExamineServersDeps = Pick<ServersHere, 'open'> & {
  env: Readonly<Record<string, string | undefined>>;
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
  const unfit = enabled.filter((tool) => !isWritable(tool)).map((tool) => tool.name);
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
