/** Plays a scenario with one program: what the program sent, and what its model received. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../support/daemon/peer';
import { type Client, connect } from './client';
import { comparable, comparableRequests } from './comparable';
import { fill, type Scenario, type Step } from './scenario';
import { startScriptedModel } from './scriptedModel';
import { furnish, makeSurroundings } from './surroundings';

/** Command line of a program; `itself` is its executable, whose path is masked. */
export type Program = { command: string[]; itself: string };

/** What was sent and what the model received, as it can be compared; `problems` names expectations that did not come true. */
export type Played = { lines: string[]; requests: string[]; problems: string[] };

const EXPECT_MS = 10_000;
const SETTLE_MS = 200;
const EXIT_MS = 3_000;

const at = (message: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], message);

type Values = Record<string, unknown>;

/** Plays a step; resolves to the values that it saved, or to what went wrong. */
const waited = async (client: Client, step: Step): Promise<Values | string> => {
  if ('expect' in step) {
    const message = await client.take(step.expect, step.timeout ?? EXPECT_MS);
    if (message === undefined) return step.optional ? {} : `nothing came that is ${JSON.stringify(step.expect)}`;
    return Object.fromEntries(Object.entries(step.save ?? {}).map(([name, path]) => [name, at(message, path)]));
  }
  if ('none' in step) {
    const message = await client.take(step.none, step.within);
    return message === undefined ? {} : `something came that is ${JSON.stringify(step.none)}`;
  }
  if ('exit' in step) return (await client.ended(step.exit)) || step.optional ? {} : 'the program runs on';
  if ('wait' in step) await sleep(step.wait);
  if ('http' in step) await fetch(step.http, { redirect: 'manual' }).catch(() => undefined);
  return {};
};

const act = (client: Client, step: Step): void => {
  if ('send' in step) client.write(`${JSON.stringify(step.send)}\n`);
  if ('raw' in step) client.write(`${step.raw}\n`);
  if ('base64' in step) client.write(Buffer.concat([Buffer.from(step.base64, 'base64'), Buffer.from('\n')]));
  if ('repeat' in step) {
    const { before, unit, count, after } = step.repeat;
    client.write(`${before}${unit.repeat(count)}${after}\n`);
  }
  if ('closeStdin' in step) client.child.stdin.end();
  if ('closeStdout' in step) client.child.stdout.destroy();
  if ('kill' in step) client.child.kill(step.kill);
};

const playSteps = async (client: Client, steps: Step[], first: Values): Promise<string[]> => {
  const values = { ...first };
  const problems: string[] = [];
  for (const step of steps) {
    const filled = fill(step, values);
    act(client, filled);
    const result = await waited(client, filled);
    if (typeof result === 'string') problems.push(result);
    else Object.assign(values, result);
  }
  return problems;
};

/** Ends the input, and the program if that does not. */
const end = async ({ child, ended }: Client): Promise<void> => {
  await sleep(SETTLE_MS);
  child.stdin.end();
  if (await ended(EXIT_MS)) return;
  child.kill('SIGKILL');
  await ended(EXIT_MS);
};

export const playScenario = async (scenario: Scenario, { command, itself }: Program): Promise<Played> => {
  const { folders, remove } = makeSurroundings();
  const model = await startScriptedModel(fill(scenario.model, folders));
  const env = furnish(folders, scenario, model.port);
  const values = { ...folders, PORT: model.port };
  const args = fill(scenario.args ?? [], values);
  const client = connect([...command, ...args], { cwd: folders.WS, env }, scenario.answers ?? []);
  try {
    const problems = await playSteps(client, scenario.steps, values);
    await end(client);
    const places: [string, string][] = [
      ...Object.entries(folders).map(([name, path]): [string, string] => [path, `(${name})`]),
      [itself, '(program)'],
      [`127.0.0.1:${model.port}`, '(model)'],
    ];
    const run = { places, kept: JSON.stringify(scenario) };
    return {
      lines: comparable(client.messages, run),
      requests: comparableRequests(model.requests, run),
      problems,
    };
  } finally {
    client.close();
    await model.close();
    await remove();
  }
};
