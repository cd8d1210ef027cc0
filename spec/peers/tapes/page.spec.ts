/** The page and the picture of a tape, in a real browser. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';
import { bigTape } from './bigTape';
import { drawn, type Look, openFile, startBrowser } from './browser';

const TAPES = resolve(__dirname, '../../fixtures/tapes');
const APPROVALS = join(TAPES, 'exec-approval-parallel.jsonl');

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());
afterAll(removeHomes);
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const files = new Map<string, string>();

/** Draws a tape as this project's command line does; each once. */
const draw = (tape: string, name = 'tape.html', home: Home = openHome()): string => {
  const known = files.get(`${tape} ${name}`);
  if (known !== undefined) return known;
  const out = join(home.path, name);
  const [program, args] = commandLine('diagram', tape, '-o', out);
  execFileSync(program, args, { env: home.env, stdio: 'pipe' });
  files.set(`${tape} ${name}`, out);
  return out;
};

/** A folder with the tapes of an agent and of a server that it calls. */
const dayFolder = (): string => {
  const home = openHome();
  const tape = (name: string, ms: number, ...lines: [t: number, dir: string, message: object][]) => {
    const started = new Date(Date.parse('2026-11-30T12:00:00Z') + ms).toISOString();
    const meta = JSON.stringify({
      meta: { started, server: { name }, ...(name === 'agent' && { thread: '0199aaaa' }) },
    });
    const entries = lines.map(([t, dir, message]) => JSON.stringify({ t, dir, line: JSON.stringify(message) }));
    home.write(join('day', `${name}.jsonl`), [meta, ...entries, ''].join('\n'));
  };
  const invocation = { server: 'docs', tool: 'read', arguments: { path: 'a' } };
  const params = { name: 'read', arguments: { path: 'a' } };
  tape(
    'agent',
    0,
    [0, 'in', { id: 1, method: 'tools/call', params: { name: 'codex' } }],
    [90, 'out', { method: 'codex/event', params: { msg: { type: 'mcp_tool_call_begin', invocation } } }],
  );
  tape('docs', 100, [0, 'in', { id: 1, method: 'tools/call', params }], [30, 'out', { id: 1, error: { code: -1 } }]);
  return join(home.path, 'day');
};

const open = (tape: string, look?: Look) => openFile(browser, draw(tape), look);

const marbles = (page: Page): Promise<number> => page.locator('#stage [data-marble]').count();
const panel = (page: Page) => page.locator('#panel');
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
  await drawn(page);
};
const selected = (page: Page): Promise<string | null> =>
  page.locator('#stage .selected').getAttribute('aria-label', { timeout: 2000 });
const ground = (page: Page): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');

const TWO_QUESTIONS = ['elicitation/create', 'elicitation/create'];

const LIGHT = 'rgb(255, 255, 255)';
const DARK = 'rgb(14, 17, 22)';

describe('the page of a recorded tape', () => {
  it('draws lanes, marbles, calls; asks for nothing and complains of nothing', async () => {
    const { page, faults } = await open(APPROVALS);
    expect(await page.title()).toBe('exec-approval-parallel.jsonl · codex-rx');
    expect(await marbles(page)).toBe(31);
    expect(await page.locator('#names .name').allTextContents()).toEqual([
      ...['client sends', 'server responds', 'server requests'],
      ...['session', 'task', 'exec', 'token', 'agent', 'stderr, notes, end'],
    ]);
    expect(await page.locator('#stage .span.answered').count()).toBe(5);
    expect(await page.locator('#legend .entry').count()).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });

  it('shows the message of a marble that is clicked, as a tree that folds', async () => {
    const { page, faults } = await open(APPROVALS);
    await page.locator('[aria-label^="tools/call codex, client sends"]').first().click();
    await panel(page).waitFor();
    expect(await panel(page).locator('h2').textContent()).toBe('tools/call codex');
    expect(await panel(page).locator('.panel-facts').textContent()).toContain('answered after');
    const prompt = panel(page).locator('.json .key', { hasText: 'prompt' });
    await prompt.waitFor();
    await panel(page)
      .locator('summary', { hasText: /^arguments/ })
      .click();
    await prompt.waitFor({ state: 'hidden' });
    await panel(page).getByRole('button', { name: 'To its response' }).click();
    await panel(page).locator('.panel-facts', { hasText: 'server responds' }).waitFor();
    await panel(page).locator('summary', { hasText: 'As it was sent' }).click();
    expect(await panel(page).locator('.message pre').textContent()).toMatch(/^\{.*"result"/);
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await panel(page).waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });

  it('shows the pieces of a run together', async () => {
    const { page } = await open(APPROVALS);
    await page.locator('[aria-label^="agent_message_delta"]').first().click();
    await panel(page)
      .locator('h3', { hasText: /^The pieces together$/ })
      .waitFor();
    await panel(page).locator('.message summary').first().click();
    await panel(page).locator('.message .json').waitFor();
  });

  it('hides and shows lanes and threads', async () => {
    const { page, faults } = await open(APPROVALS);
    const lane = page.locator('#lanes button', { hasText: 'server requests' });
    await lane.click();
    await drawn(page);
    expect(await lane.getAttribute('aria-pressed')).toBe('false');
    expect(await page.locator('#names .name', { hasText: 'server requests' }).count()).toBe(0);
    expect(await marbles(page)).toBe(27);
    await page.locator('#threads summary').click();
    await page.locator('[data-thread="0"]').uncheck();
    await drawn(page);
    const one = await marbles(page);
    await page.locator('[data-thread="1"]').uncheck();
    await page.locator('[data-thread="-1"]').uncheck();
    await page.locator('#empty').waitFor();
    expect([one > 4 && one < 27, await marbles(page)]).toEqual([true, 0]);
    await page.locator('#all').click();
    await drawn(page);
    expect(await marbles(page)).toBe(31);
    expect(faults).toEqual([]);
  });

  it('finds text and goes from hit to hit', async () => {
    const { page } = await open(APPROVALS);
    await page.locator('#search').fill('TASK_COMPLETE');
    await page.locator('#hits', { hasText: '2 hits' }).waitFor();
    await page.locator('#hit-next').click();
    await drawn(page);
    expect(await page.locator('#hits').textContent()).toBe('1 of 2');
    expect(await page.locator('#stage .found').count()).toBe(2);
    expect(await selected(page)).toMatch(/^task_complete/);
  });

  it('finds the text that was just typed by Enter', async () => {
    const { page } = await open(APPROVALS);
    await page.locator('#search').pressSequentially('task_complete');
    await page.keyboard.press('Enter');
    await drawn(page);
    expect(await page.locator('#hits').textContent()).toBe('1 of 2');
  });

  it('has an address for each line, which opens its message', async () => {
    const { page, faults } = await open(APPROVALS);
    await page.evaluate('location.hash = "#line-12"');
    await panel(page).locator('h2', { hasText: 'elicitation/create' }).waitFor();
    await page.reload();
    await panel(page).locator('h2', { hasText: 'elicitation/create' }).waitFor();
    await press(page, 'Home');
    expect(await page.evaluate('location.hash')).toBe('#line-2');
    expect(faults).toEqual([]);
  });

  it('lists the calls in a table that is sorted by a click', async () => {
    const { page } = await open(APPROVALS);
    await press(page, 'c');
    const names = () => page.locator('#call-table td button').allTextContents();
    expect(await names()).toEqual(['initialize', 'tools/call codex', 'tools/call codex', ...TWO_QUESTIONS]);
    await page.locator('#call-table th button', { hasText: 'Took' }).click();
    await drawn(page);
    expect(await page.locator('#call-table [aria-sort]').textContent()).toBe('Took ↓');
    expect((await names())[0]).toBe('tools/call codex');
    await page.locator('#call-table td button').first().click();
    await panel(page).locator('h2', { hasText: 'tools/call codex' }).waitFor();
  });

  it('leads from a call of an agent to the tape of its server, with the time of the day', async () => {
    const { page, faults } = await open(dayFolder());
    expect(await page.locator('#stage path.link').count()).toBe(1);
    await press(page, 'Home', 'ArrowRight', 'Enter');
    await panel(page).locator('button', { hasText: 'To docs calls' }).click();
    await panel(page).locator('h2', { hasText: 'tools/call read' }).waitFor();
    expect(await panel(page).locator('dl').textContent()).toContain('12:00:00.100');
    expect(await panel(page).locator('dl').textContent()).toContain('docs.jsonl:2');
    expect(faults).toEqual([]);
  });

  it(
    'has nothing to complain of for axe, light and dark, with the table and a message open',
    async () => {
      const axe = readFileSync(join(installed('axe'), '../axe-core/axe.min.js'), 'utf8');
      const story = dayFolder();
      for (const [tape, colorScheme] of [APPROVALS, story].flatMap((one) => [
        [one, 'light'] as const,
        [one, 'dark'] as const,
      ])) {
        const { page } = await open(tape, { colorScheme, scripts: 'all' });
        await press(page, 'c', 'End', 'Enter');
        await page.evaluate(axe);
        const found = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))');
        expect(found).toEqual([]);
      }
    },
    INSTALL_MS,
  );

  it('shows less when it is zoomed, by wheel and buttons, moves by dragging, and shows all again', async () => {
    const { page } = await open(join(TAPES, 'v0.142.0-approval_exec.jsonl'));
    const first = () => page.locator('#stage [data-marble]').first().getAttribute('data-marble');
    const many = await marbles(page);
    await page.locator('#stage').hover({ position: { x: 500, y: 20 } });
    await page.mouse.wheel(0, -300);
    await drawn(page);
    const fewer = await marbles(page);
    expect(fewer).toBeLessThan(many);
    await page.locator('#zoom-out').click();
    await drawn(page);
    expect(await marbles(page)).toBeGreaterThan(fewer);
    const before = Number(await first());
    await page.locator('#stage').hover({ position: { x: 600, y: 20 } });
    await page.mouse.down();
    await page.mouse.move(300, 300, { steps: 4 });
    await page.mouse.up();
    await drawn(page);
    expect(Number(await first())).toBeGreaterThan(before);
    expect(await panel(page).isVisible()).toBe(false);
    await page.locator('#zoom-fit').click();
    await drawn(page);
    expect(await page.locator('#stage .cluster').count()).toBeGreaterThan(0);
    const cluster = page.locator('#stage .cluster').first();
    const clusters = await page.locator('#stage .cluster').count();
    await cluster.click();
    await drawn(page);
    expect(await page.locator('#stage .cluster').count()).toBeLessThan(clusters);
  });

  it('runs by order or by the clock', async () => {
    const { page } = await open(join(TAPES, 'cancel-stream.jsonl'));
    expect(await page.locator('#stage .pause text').allTextContents()).toContain('+ 1 s');
    await page.locator('#axis').click();
    await drawn(page);
    expect(await page.locator('#axis').textContent()).toBe('By clock');
    expect(await page.locator('#stage .tick text').allTextContents()).toContain('1 s');
  });

  it('is dark if the system is, and the other way when switched', async () => {
    const { page } = await open(APPROVALS, { colorScheme: 'dark' });
    expect(await ground(page)).toBe(DARK);
    await page.locator('#theme').click();
    await drawn(page);
    expect(await ground(page)).toBe(LIGHT);
    await press(page, 'd');
    expect(await ground(page)).toBe(DARK);
  });

  it('needs no mouse', async () => {
    const { page, faults } = await open(APPROVALS);
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    expect(await selected(page)).toMatch(/^tools\/call codex, client sends/);
    expect(await page.evaluate('document.activeElement.id')).toBe('stage');
    const active = await page.locator('#stage').getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('#announcement').textContent()).toMatch(/^tools\/call codex/);
    await press(page, 'Enter');
    await panel(page).waitFor();
    await press(page, 'p');
    await panel(page).locator('.panel-facts', { hasText: 'server responds' }).waitFor();
    await press(page, 'ArrowDown');
    await panel(page).locator('.panel-facts', { hasText: 'server requests' }).waitFor();
    await press(page, 'Escape');
    await panel(page).waitFor({ state: 'hidden' });
    await press(page, 'Escape', '/');
    await page.keyboard.type('token_count');
    await page.locator('#hits', { hasText: '4 hits' }).waitFor();
    await press(page, 'Enter', 'Enter');
    expect(await page.locator('#hits').textContent()).toBe('2 of 4');
    await press(page, 'Escape', 'Home');
    expect(await page.locator('#hits').textContent()).toBe('');
    expect(await selected(page)).toMatch(/^initialize, client sends/);
    await press(page, '+', '+');
    const few = await marbles(page);
    await press(page, '0');
    expect(await marbles(page)).toBeGreaterThan(few);
    await press(page, '?');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });

  it('shows where the focus is', async () => {
    const { page } = await open(APPROVALS);
    for (const [id, tabs] of [
      ['search', 1],
      ['zoom-out', 1],
    ] as const) {
      for (let i = 0; i < tabs; i += 1) await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.id')).toBe(id);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
  });

  it('leaves the keyboard at a button that is drawn again, or on the picture if it is gone', async () => {
    const { page } = await open(APPROVALS);
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id');
    await press(page, 'c');
    await page.locator('#call-table th button', { hasText: 'Took' }).focus();
    await press(page, 'Enter');
    expect(await focused()).toBe('Took ↓');
    await press(page, 'Enter');
    expect(await focused()).toBe('Took ↑');
    await press(page, 'Home', 'Escape');
    await page.locator('#call-table td button').first().focus();
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Next →' }).focus();
    await press(page, 'Enter');
    expect(await focused()).toBe('Next →');
    await page.getByRole('button', { name: 'Close' }).focus();
    await press(page, 'Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('stage');
  });

  it('is usable in a narrow window', async () => {
    const { page, faults } = await open(APPROVALS, { width: 360, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await marbles(page)).toBeGreaterThan(4);
    await press(page, 'ArrowRight', 'Enter');
    const box = await panel(page).boundingBox();
    expect(box?.width).toBe(360);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(700, 0);
    expect(faults).toEqual([]);
  });
});

describe('the page of a session with errors and a signal', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const call = (id: number, name: string, result: object) => [
    { t: id * 10, dir: 'in', line: JSON.stringify({ id, method: 'tools/call', params: { name } }) },
    { t: id * 10 + 5, dir: 'out', line: JSON.stringify({ id, ...result }) },
  ];
  const openFailing = () => {
    const home = openHome();
    const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
    const lines = [
      ...call(1, 'picture', { result: { content: [{ type: 'text', text: '{"a":[1]}' }, image] } }),
      ...call(2, 'first', { error: { code: -1, message: 'no such file' } }),
      ...call(3, 'last', { result: { content: [{ type: 'text', text: 'one\ntwo' }], isError: true } }),
      { t: 99, dir: 'exit', line: '{"code":null,"sig":"SIGTERM"}' },
    ];
    const tape = home.write('tape.jsonl', [{ meta: {} }, ...lines].map((one) => JSON.stringify(one)).join('\n'));
    return openFile(browser, draw(tape, 'failing.html', home));
  };

  it('leads to each error; the signal is none', async () => {
    const { page, faults } = await openFailing();
    expect(await page.locator('#errors').textContent()).toBe('2 errors');
    await page.locator('#errors').click();
    await panel(page).locator('.content.error pre', { hasText: 'no such file' }).waitFor();
    await press(page, 'e');
    expect(await panel(page).locator('.content.error pre').textContent()).toBe('one\ntwo');
    expect(await page.locator('#errors').textContent()).toBe('error 2 of 2');
    expect(await page.locator('#stage .marble.bad').count()).toBe(2);
    await press(page, 'End');
    expect(await selected(page)).toMatch(/^the server ended by SIGTERM/);
    expect(await page.locator('#stage .close').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('shows texts as they are, JSON in them as a tree, and images; names stand beside marbles', async () => {
    const { page, faults } = await openFailing();
    expect(await page.locator('#stage .beside').allTextContents()).toContain('tools/call picture');
    await page.locator('[aria-label^="tools/call picture, server responds"] .letter').click();
    await panel(page).locator('.content.text .json .key', { hasText: 'a' }).waitFor();
    await page.waitForFunction('document.querySelector("#panel img")?.naturalWidth === 1');
    await page.evaluate(
      'Object.defineProperty(navigator, "clipboard", { value: { writeText: async (t) => { window.copied = t } } })',
    );
    await panel(page).locator('.content.text').getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate('window.copied')).toBe('{"a":[1]}');
    expect(faults).toEqual([]);
  });

  it('has a card beside the marble below the mouse', async () => {
    const { page } = await openFailing();
    await page.locator('[aria-label^="tools/call first, client sends"] .letter').hover();
    await page.locator('#card', { hasText: 'answered after 5 ms' }).waitFor();
    await page.mouse.move(5, 5);
    await page.locator('#card').waitFor({ state: 'hidden' });
  });
});

describe('the page of a hostile tape', () => {
  const texts = [
    '</script><script>window.hacked = 1; alert(1)</script>',
    '<img src="http://127.0.0.1:9/x" onerror="window.hacked = 1">',
    '<!-- <script> ]]> &lt; \u2028\u2029 \u0000 \ud800',
    'javascript:alert(1)',
    '👩🏽‍🚀 שלום \u202eabc مرحبا',
    'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSkvPg==',
  ];

  it('runs nothing of it, and shows it as it is', async () => {
    const home = openHome();
    const entries = texts.flatMap((text, i) => [
      { t: i, dir: 'in', line: JSON.stringify({ id: text, method: text, params: { [text]: text, threadId: text } }) },
      { t: i, dir: 'out', line: JSON.stringify({ id: text, result: { [text]: [text] } }) },
      { t: i, dir: 'out', line: JSON.stringify({ method: text, params: { msg: { type: text, delta: text } } }) },
      { t: i, dir: 'out', line: JSON.stringify({ id: text, error: { code: 1, message: text } }) },
      {
        t: i,
        dir: 'out',
        line: JSON.stringify({ result: { content: [{ type: 'image', data: text, mimeType: text }] } }),
      },
      { t: i, dir: 'out', line: text },
      { t: i, dir: 'err', line: text },
    ]);
    const meta = { meta: { started: texts[0], server: texts[1] } };
    const tape = home.write('tape.jsonl', [meta, ...entries].map((one) => JSON.stringify(one)).join('\n'));
    const { page, faults } = await openFile(browser, draw(tape, '<img onerror=alert(1)>&.html', home));
    await press(page, 'ArrowRight', 'Enter');
    for (const _ of entries) {
      await press(page, 'ArrowRight');
      await page.evaluate('for (const part of document.querySelectorAll("#panel details")) part.open = true');
    }
    for (const marble of (await page.locator('#stage [data-marble]').all()).slice(0, 6)) {
      await marble.dispatchEvent('pointerover', { pointerType: 'mouse' });
      await page.locator('#card:not([hidden])').waitFor();
    }
    await press(page, 'Home');
    expect(await panel(page).locator('h2').textContent()).toBe(texts[0]);
    expect(await panel(page).locator('.text').allTextContents()).toContain(`"${texts[0]}"`);
    expect(await page.evaluate('window.hacked')).toBe(undefined);
    expect(await page.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('the page of 100,000 messages', () => {
  it('opens, zooms, searches and filters, and draws no more than is seen', async () => {
    const home = openHome();
    const { page, faults } = await openFile(browser, draw(home.write('big.jsonl', bigTape(100_000)), 'big.html', home));
    const elements = () => page.evaluate('document.querySelectorAll("#stage *").length') as Promise<number>;
    expect(await page.locator('#facts').textContent()).toContain('lines100000');
    expect(await marbles(page)).toBeGreaterThan(20);
    expect(await elements()).toBeLessThan(1000);
    await press(page, '0');
    expect(await page.locator('#stage .cluster').count()).toBeGreaterThan(20);
    expect(await elements()).toBeLessThan(3000);
    await press(page, 't', '+', 't', 'End');
    expect(await selected(page)).toContain('line 100001');
    await page.locator('#search').fill('needle');
    await page.locator('#hits', { hasText: '1 hits' }).waitFor();
    await page.locator('#hit-next').click();
    await drawn(page);
    expect(await selected(page)).toMatch(/^tools\/call/);
    await page.locator('#lanes button').first().click();
    await drawn(page);
    expect(await page.locator('#hits').textContent()).toBe('0 hits');
    expect(faults).toEqual([]);
  });
});

describe('the SVG of a tape', () => {
  it.each(['light', 'dark'] as const)('is a picture by itself, %s', async (colorScheme) => {
    const path = draw(APPROVALS, 'tape.svg');
    const page = await browser.newPage({ colorScheme });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`file://${path}`);
    expect(await page.evaluate('document.documentElement.tagName')).toBe('svg');
    expect(await page.locator('title').count()).toBeGreaterThan(31);
    const paper = await page.evaluate('getComputedStyle(document.querySelector(".paper")).fill');
    expect(paper).toBe(colorScheme === 'light' ? LIGHT : DARK);
    expect(requests).toHaveLength(1);
  });
});
