/** Owns a real Chromium that opens pages from files, and notes all that must not happen there. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Nothing of its own may go out or be shown either. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it. Throws, and so fails the spec, when there is none. */
export const startBrowser = async (): Promise<Browser> => {
  if (!existsSync(PATH)) throw new Error(`There is no ${PATH}: install the package chromium, or name one in CHROMIUM`);
  return chromium.launch({ executablePath: PATH, args: ARGS });
};

/** `faults` are errors and warnings of the page, dialogs, and requests for anything but the page itself. */
export type OpenPage = { page: Page; faults: string[] };

/** `scripts`: only those of the page run, as its policy says, or also those of the spec. */
export type Look = { colorScheme?: 'light' | 'dark'; width?: number; height?: number; scripts?: 'own' | 'all' };

/** Opens a file and waits for the first marble. */
export const openFile = async (browser: Browser, path: string, look: Look = {}): Promise<OpenPage> => {
  const { colorScheme = 'light', width = 1280, height = 900, scripts = 'own' } = look;
  const page = await browser.newPage({ colorScheme, viewport: { width, height }, bypassCSP: scripts === 'all' });
  const faults: string[] = [];
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || !request.url().startsWith('file:')) faults.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(path).href);
  await page.locator('#stage [role=option]').first().waitFor();
  return { page, faults };
};

/** Waits until what was done last is drawn. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
