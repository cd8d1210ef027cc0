/** Every row of the table of thread settings, on each way that a setting goes. A new row is carried everywhere, or fails here by its name. */
import { from, lastValueFrom, NEVER, of, toArray } from 'rxjs';
import { openThread } from '../../../src/agent/appServer/threads/openThread';
import { threadParams } from '../../../src/agent/appServer/threads/threadParams';
import { withSettings } from '../../../src/agent/appServer/turns/turnRequests';
import type { TurnOp } from '../../../src/protocol/codex/operations';
import type { SettingRow } from '../../../src/protocol/codex/settingRow';
import { BOUNDS, type SettingName, THREAD_SETTINGS, type ThreadSettings } from '../../../src/protocol/codex/settings';
import { NewConversationParams } from '../../../src/protocol/methods/conversationParams';
import { ResumeConversationParams } from '../../../src/protocol/methods/methodParams';
import { tools028, tools0153, unionTools } from '../../../src/server/faces/tools';
import { readToolArguments } from '../../../src/server/mcp/methods/callTool';
import type { Config } from '../../../src/settings/config';
import { limitStored } from '../../../src/settings/limitStored';
import { loadConfig } from '../../../src/settings/loadConfig';
import { type RolloutEntry, toRolloutLine } from '../../../src/threads/lines/rolloutEntry';
import { toSessionMeta } from '../../../src/threads/threadStore';
import { linkDouble } from '../../agent/appServer/connection/link';
import { agentOf, turn } from '../../agent/support';
import { depsOf, loaded } from '../../settings/deps';
import { completed, item, messageOf } from '../../support/models';
import { recordOf, storeOf } from '../../support/threadStore';
import { readThread } from '../../threads/support';

/** The settings with a value that is not the default. */
const ROWS = Object.entries(THREAD_SETTINGS).map(([name, row]): [SettingName, SettingRow, unknown] => [
  name as SettingName,
  row,
  sampleOf(name as SettingName, row),
]);

describe('the table of thread settings', () => {
  it.each(ROWS)('shows %s as an argument in the faces of its row', (_, { argument }) => {
    const name = argument?.name ?? '';
    const releases = argument?.releases ?? [];
    expect({
      union: shows(unionTools(), name),
      '0.28': shows(tools028(), name),
      '0.153': shows(tools0153(), name),
    }).toEqual({
      union: argument !== null,
      '0.28': releases.includes('0.28'),
      '0.153': releases.includes('0.153'),
    });
  });

  it.each(withArgument())('starts a thread with the argument for %s', (name, { argument }, value) => {
    expect(readToolArguments.codex?.({ prompt: 'go', [argument!.name]: value }).thread).toEqual({
      start: { [name]: value },
    });
  });

  it.each(ROWS)(
    'starts a conversation, and resumes one, with %s if its row has it',
    (name, { inConversation }, value) => {
      const given = inConversation ? { [name]: value } : {};
      expect(NewConversationParams().parse({ [name]: value })).toEqual(given);
      expect(ResumeConversationParams().parse({ overrides: given })).toEqual({ overrides: given });
    },
  );

  it.each(ROWS)('has %s in the configuration of a thread, as its key has it', (name, { key }, value) => {
    const config = loaded(WORLD, { [name]: value });
    expect(config).not.toEqual(loaded(WORLD));
    if (key !== null) expect(loaded({ toml: `${key.name} = ${JSON.stringify(value)}\n${WORLD.toml}` })).toEqual(config);
  });

  it.each(ROWS)('has %s after a restart, if its row is stored', async (name, { stored }, value) => {
    const { rollout } = await run(turn('a', { start: { [name]: value } }));
    const { config } = await run(turn('b', { id: ID }), rollout);
    expect(config).toEqual(loaded(WORLD, stored === null ? {} : { [name]: value }));
  });

  it.each(withArgument())(
    'continues a thread by experimental_resume with %s, also after a restart',
    async (name, { stored }, value) => {
      const begun = await run(turn('a', { start: {} }));
      const resumed = await run(resumedBy(name, value), begun.rollout);
      const restarted = await run(turn('c', { id: ID }), resumed.rollout);
      const expected = loaded(WORLD, { [name]: value });
      expect(resumed.config).toEqual(expected);
      expect(restarted.config).toEqual(stored === null ? loaded(WORLD) : expected);
    },
  );

  it.each(['baseInstructions', 'developerInstructions', 'compactPrompt'] as const)(
    'has %s after a restart as the last call set it, also if an earlier call had set it to the same',
    async (name) => {
      const [a, b, c] = ['new', 'old', 'new'].map((value) => resumedBy(name, value));
      const { rollout, config } = await run([turn('s', { start: { [name]: 'new' } }), a!, b!, c!]);
      expect(config?.[name]).toBe('new');
      expect((await run(turn('d', { id: ID }), rollout)).config).toEqual(config);
    },
  );

  it('has what a profile overrides as the profile has it, after a restart too, and the rest as it was', async () => {
    const world = { toml: '[profiles.p]\ndeveloper_instructions = "of p"\nmax_rounds_per_turn = 5' };
    const start = { developerInstructions: 'A', compactPrompt: 'A', maxRoundsPerTurn: 9 };
    const { rollout, config } = await run([turn('s', { start }), resumedBy('profile', 'p')], '', world);
    expect(config).toMatchObject({ developerInstructions: 'of p', compactPrompt: 'A', maxRoundsPerTurn: 5 });
    expect((await run(turn('d', { id: ID }), rollout, world)).config).toEqual(config);
  });

  it.each(ROWS)('sends %s to an installed Codex with thread/start, if its row has a name there', (name, row, value) => {
    expect(paramsOf({ [name]: value })).toEqual({ ...paramsOf({}), ...paramOf(row, value) });
  });

  it.each(withArgument())('sends %s to an installed Codex that continues a thread', (name, row, value) => {
    expect(sentToResume(resumedBy(name, value))).toEqual({
      threadId: ID,
      excludeTurns: true,
      ...resumeParamOf(row, name, value),
    });
  });

  it('keeps all but these, and sends all but these to an installed Codex by themselves', () => {
    const without = (member: 'stored' | 'appServer') => ROWS.flatMap(([name, row]) => (row[member] ? [] : [name]));
    expect(without('stored')).toEqual(['config']);
    expect(without('appServer')).toEqual(['profile', 'config', 'includePlanTool', ...BOUNDS]);
  });
});

const ID = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const PROFILE = { model: 'o3' };
const WORLD = { toml: '[profiles.p]\nmodel = "o3"' };

/** Values that mean something to the configuration; a setting that takes any text needs none. */
function sampleOf(name: SettingName, { type }: SettingRow): unknown {
  const known: ThreadSettings = {
    effort: 'high',
    summary: 'none',
    profile: 'p',
    cwd: '/project/inner',
    approvalPolicy: 'never',
    sandbox: 'workspace-write',
    config: { model_verbosity: 'low' },
  };
  if (known[name] !== undefined) return known[name];
  return typeof type === 'object' ? type.at(-1) : { text: `a ${name}`, flag: true, whole: 7, table: {} }[type];
}

function withArgument() {
  return ROWS.filter(([, { argument }]) => argument !== null);
}

const shows = ([codex]: ReturnType<typeof unionTools>, name: string): boolean =>
  Object.hasOwn(codex?.inputSchema.properties ?? {}, name);

/** A call of `codex` that continues the thread with one more argument. */
const resumedBy = (name: SettingName, value: unknown): TurnOp => {
  const file = { experimental_resume: `rollout-2026-11-23T18-00-00-${ID}.jsonl` };
  const config = name === 'config' ? { ...file, ...(value as object) } : file;
  const argument = THREAD_SETTINGS[name].argument?.name ?? '';
  const { thread, lasting } = readToolArguments.codex!({ prompt: 'go', [argument]: value, config });
  return turn('b', thread, { lasting });
};

/** Turns of the native engine, over the rollout of the thread so far: the Config of the last turn, and the rollout after it. */
const run = async (ops: TurnOp | TurnOp[], rollout = '', world = WORLD) => {
  const entries: RolloutEntry[] = [];
  const configs: Config[] = [];
  const record = { ...recordOf(), write: (...more: RolloutEntry[]) => void entries.push(...more) };
  const deps = depsOf(world);
  const turns = [ops].flat().map((op, at) => ({ ...op, callId: `call ${at}` }));
  const { store } = storeOf({
    begin: (start) => {
      entries.push({ type: 'session_meta', payload: toSessionMeta({ version: '1' }, start, 0) });
      return of(record);
    },
    resume: () => of({ ...readThread(rollout)!, record }),
  });
  const { agent } = agentOf({
    answers: turns.map(() => of(item(messageOf('assistant', 'ok')), completed())),
    deps: {
      newId: () => ID,
      openStore: () => store,
      storedSettings: limitStored(deps),
      configure: (settings) => {
        configs.push(loadConfig(deps)(settings));
        return configs.at(-1) as Config;
      },
    },
  });
  const events = await lastValueFrom(agent(from(turns)).pipe(toArray()));
  expect(events.at(-1)).toMatchObject({ msg: { type: 'task_complete' } });
  return { config: configs.at(-1), rollout: rollout + entries.map((entry) => toRolloutLine(entry, 0)).join('') };
};

const paramsOf = (settings: ThreadSettings) =>
  threadParams({ resolveCwd: (cwd) => cwd, readProfile: () => PROFILE }, settings);

const paramOf = ({ appServer, key, type }: SettingRow, value: unknown): object => {
  if (appServer === null) return type === 'table' ? { config: value } : value === 'p' ? PROFILE : {};
  return appServer === 'config' ? { config: { [key!.name]: value } } : { [appServer.param]: value };
};

/** `thread/resume` is followed by `turn/start`, which has a form of its own for the sandbox, and members `effort` and `summary`. */
const resumeParamOf = (row: SettingRow, name: SettingName, value: unknown): object => {
  if (name === 'sandbox') return { sandboxPolicy: { type: 'workspaceWrite' } };
  return paramOf(row, value);
};

/** The params of `thread/resume` and `turn/start` for a thread that another program began. */
const sentToResume = (op: TurnOp): object => {
  const deps = {
    paramsOf,
    readRollout: () => undefined,
    limits: () => ({ config: {} }),
    promptHistory: () => ({ history_log_id: 0, history_entry_count: 0 }),
  };
  const { link, requests } = linkDouble(NEVER, { 'thread/resume': () => of({ thread: { id: ID } }) });
  const sent: object[] = [];
  openThread(deps, link, { id: ID, lasting: op.lasting }).subscribe((opened) => {
    sent.push(...requests.map(([, params]) => params), withSettings(deps, opened, op).turnParams);
  });
  return Object.assign({}, ...sent);
};
