/**
 * What secrets look like in text, besides generated tokens behind a prefix. Every pattern is linear in the length of the text, so that a hostile line cannot
 * cost seconds: a part without a bound is followed by nothing that can fail. Own code: packages with such patterns are made to scan the files of a
 * repository, and do not promise that.
 */
import type { Pausing } from '../../streams/pausing';
import type { Place } from './generatedTokens';

/** A shape, tried only in a text with one of its clues (lower case: any case, 0: any digit). The group `kept`, at its start, is no secret. */
export type Shape = readonly [kind: string, clues: string, pattern: RegExp];

/** Tokens that are recognized by their own form. Source: the vendors' pages on secret scanning, and the published rules of gitleaks 8, as facts. */
export const TOKENS: readonly Shape[] = [
  [
    'private key',
    'begin',
    /-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY|Static key)[A-Za-z0-9 ]{0,10} ?-{4,5}[\s\S]*?(?:-{4,5} ?END [^-\n]{1,60}-{4,5}|$)/g,
  ],
  ['private key', 'private-lines:', /\bPrivate-Lines: \d{1,4}[\s\S]*?(?:Private-MAC: \w+|$)/g],
  ['JWT', 'eyj', /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)*/g],
  ['API key', 'sk-', /(?<![A-Za-z0-9])sk-[\w-]{8,}/g],
  ['API key', 'gsk xai', /\b(?:gsk|xai)[_-][A-Za-z0-9]{20,}/g],
  ['GitHub token', 'gho_ ghp_ ghr_ ghs_ ghu_ github_pat_', /\b(?:gh[oprsu]_[A-Za-z0-9]{10,}|github_pat_\w{10,})/g],
  [
    'GitLab token',
    'glpat- glrt- glptt- gldt- glcbt- glsoat- glft- glimt- glagent- gloas- glffct- gr0000000',
    /\b(?:gl(?:pat|rt|ptt|dt|cbt|soat|ft|imt|agent|oas|ffct)-[\w.-]{10,}|GR1348941[\w-]{10,})/g,
  ],
  ['Slack token', 'xox xapp-', /\bx(?:ox[abeoprs]|app)-[\w-]{8,}/g],
  ['npm token', 'npm_', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['PyPI token', 'pypi-', /\bpypi-[\w-]{20,}/g],
  ['Hugging Face token', 'hf_ api_org_', /\b(?:hf|api_org)_[A-Za-z0-9]{20,}/g],
  ['Stripe key', 'sk_ rk_', /\b[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/g],
  [
    'Google key',
    'aiza gocspx- ya00. aq.ab',
    /\b(?:AIza[\w-]{30,}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,}|AQ\.Ab[\w-]{30,})/g,
  ],
  ['Google token', '0//0', /(?<![\w/])1\/\/0[\w-]{20,}/g],
  [
    'AWS key',
    'a0t akia asia abia acca',
    /\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?:["'\s,:;|]{1,8}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?(?![0-9A-Z])/g,
  ],
  [
    'AWS key',
    'absk bedrock-api-key- iqojb fwogz fqogz',
    /\b(?:ABSK[A-Za-z0-9+/]{60,}|bedrock-api-key-\w{20,}|(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/]{40,})=*/g,
  ],
  ['Telegram token', '0:a', /(?<!\d)\d{8,10}:A[\w-]{33,34}(?![\w-])/g],
  ['webhook secret', 'whsec_', /\bwhsec_[\w+/=-]{16,}/g],
  [
    'webhook',
    'hook. hooks.',
    /(?<kept>\b(?:hooks?|webhooks?|[\w-]{1,40}\.webhook)\.[a-z0-9.-]{1,80}\/(?:[a-z]{2,20}\/){0,3})(?=[^\s"'<>]{0,200}\d)[\w+/@.-]{8,}/g,
  ],
  [
    'webhook',
    'hook/ hooks/',
    /(?<kept>:\/\/[^\s/"'<>]{1,100}(?:\/[\w.-]{1,40}){0,3}\/(?:web)?hooks?\/(?:[a-z]{2,20}\/){0,3})(?=[^\s"'<>]{0,200}\d)[\w+/@.-]{16,}/g,
  ],
  ['Vault token', 'hvs. hvb. hvr.', /\bhv[sbr]\.[\w-]{20,}/g],
  ['Terraform token', '.atlasv0.', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g],
  ['Atlassian token', 'atatt atctt atbb', /\bAT(?:ATT3|CTT3|BB)[\w=.-]{20,}/g],
  ['Mailchimp key', '-us0', /\b[0-9a-f]{32}-us\d{1,2}\b/g],
  ['Square token', 'eaaa sq0', /\b(?:EAAA|sq0[a-z]{3}-)[\w-]{20,}/g],
  ['Facebook token', 'eaa', /\bEAA[A-Za-z0-9]{60,}/g],
  ['Azure key', '0q~', /(?<![\w~.-])[\w~.-]{3}[78]Q~[\w~.-]{31,34}/g],
  ['Alibaba key', 'ltai', /\bLTAI[A-Za-z0-9]{12,}/g],
  ['Tencent key', 'akid', /\bAKID[A-Za-z0-9]{32}\b/g],
  ['age key', 'age-secret', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g],
  ['1Password key', 'a0-', /\bA3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,6}\b/g],
  ['Shopify token', 'shp', /\bshp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{16,}/g],
  ['New Relic key', 'nrak nrii nrjs nrra', /\bNR(?:AK|II|JS|RA)-[A-Za-z0-9_-]{19,}/g],
  ['Dropbox token', 'sl.', /\bsl\.(?:u\.)?[\w-]{60,}/g],
  ['Artifactory key', 'akcp cmvmd', /\b(?:AKCp|cmVmd)[A-Za-z0-9]{50,}/g],
  ['Salesforce session', '00d', /\b00D[A-Za-z0-9]{12,15}![\w.]{40,}/g],
  ['PayPal token', 'access_token$', /\baccess_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/g],
  ['OpenShift token', 'sha000~', /\bsha256~[\w-]{43}/g],
  ['Grafana token', 'eyj', /\beyJrIjoi[\w+/=-]{30,}/g],
  ['Fly token', 'fm0 fo0', /\b(?:FlyV1 )?f[mo][12][ar]?_[\w+/=,-]{30,}/g],
];

/** Tokens of Twilio, Databricks, Cargo, EasyPost, NuGet, ClickHouse and Discord, and an AWS secret alone: forty characters, as mixed as random ones are. */
export const IN_RUNS: Shape = [
  'API token',
  '',
  /\b(?:(?:SK|AC|dapi)[0-9a-f]{32}|cio[A-Za-z0-9]{32}|EZ[AT]K[A-Za-z0-9]{54}|oy2[a-z0-9]{43}|4b1d[A-Za-z0-9]{38})\b|\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}|^(?=(?:\D{0,39}\d){2})(?=(?:[^A-Z]{0,39}[A-Z]){6})(?=(?:[^a-z]{0,39}[a-z]){6})[A-Za-z0-9/+]{40}$/g,
];

/** Secrets that are recognized by what precedes them: the group `kept`. */
export const PREFIXED: readonly Shape[] = [
  // A signed URL needs no other credential.
  ['signature in a URL', 'sig', /(?<kept>[?&](?:sig|signature|x-(?:amz|goog)-signature)=)[^&\s"'\\]+/gi],
  [
    'key in a URL',
    '?key= &key= ?code= &code= ?sid= &sid= ?access= &access= ?auth= &auth= ?pass= &pass= ?pwd= &pwd=',
    /(?<kept>[?&](?:key|code|sid|access|auth|pass|pwd)=)[^&\s"'\\]{6,}/gi,
  ],
  // An AWS secret has no form of its own: forty characters, identified by the word before them.
  ['AWS secret', 'aws', /(?<kept>\baws[\w.\s"':=-]{0,40}?["'\s:=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi],
  ['docker login', '"auth"', /(?<kept>"auth"\s{0,8}:\s{0,8}")[A-Za-z0-9+/=]{8,}/g],
  [
    'password of curl',
    'curl',
    /(?<kept>\bcurl\b[^\n|;&]{0,200}?[\s"'](?:-u|--user)(?:[ =]?["']?|["'],\s{0,4}["']))(?!https?:)[^\s:"'\\]{1,256}:[^\s"'\\]+/g,
  ],
  ['netrc', 'machine', /(?<kept>\bmachine\s{1,8}\S{1,256}\s{1,8}login\s{1,8}\S{1,256}\s{1,8}password\s{1,8})\S+/g],
  ['pgpass', ':0: :00 :*:', /(?<kept>^[\w.*-]{1,253}:(?:\d{1,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:)[^:\s]+$/gm],
  [
    'password of mysql',
    'mysql mariadb',
    /(?<kept>\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?\s-p)[^\s"'\\]+/g,
  ],
  ['password of sshpass', 'sshpass', /(?<kept>\bsshpass\s{1,8}-p\s?)[^\s"'\\]+/g],
  ['password in a URL', '://', /(?<kept>:\/\/)(?:[^\s/:@]{0,256}:[^\s/@]{1,1024}|[\w-]{20,256})(?=@)/g],
  ['password of a connection', 'pwd=', /(?<kept>;\s{0,4}pwd=)[^;\s"']+/gi],
  ['bearer', 'bearer', /(?<kept>\bbearer\s{1,8})[\w.~+/=-]{8,}/gi],
  ['basic login', 'basic', /(?<kept>\bbasic\s{1,8})[A-Za-z0-9+/]{6,}={1,2}/gi],
];

/** An e-mail address, which has no clue but its sign. */
export const E_MAIL: Shape = [
  'e-mail',
  '',
  /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}\b/g,
];

/** Personal data. */
export const PERSONAL: readonly Shape[] = [
  [
    'home path',
    '/home/ /users/ \\users\\',
    /(?<kept>(?:\/home|\/Users)\/|[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))(?!\[redacted\])[^\s/\\"'`:;,<>|)\]}]+/g,
  ],
  E_MAIL,
];

/** Makes the function that finds clues: words of three characters or more; lower-case letters stand for both cases, 0 for any digit. */
export const cluesOf = <T>(
  byClue: ReadonlyMap<string, readonly T[]>,
): ((text: string, found: (of: T, at: number) => void) => Pausing<void>) => {
  const byStart = new Map<number, [clue: string, of: readonly T[]][]>();
  for (const [clue, of] of byClue) {
    const window = windowOf(clue);
    byStart.set(window, [...(byStart.get(window) ?? []), [clue, of]]);
  }
  const isStart = Uint8Array.from({ length: WINDOW + 1 }, (_, window) => (byStart.has(window) ? 1 : 0));
  const findBefore = (text: string, found: (of: T, at: number) => void, { from, to }: Place): void => {
    let window = 0;
    for (let at = Math.max(0, from - START + 1); at < to; at += 1) {
      window = ((window << BITS) | codeAt(text, at)) & WINDOW;
      if (at < from || isStart[window] === 0) continue;
      for (const [clue, of] of byStart.get(window) ?? [])
        if (isClueAt(text, clue, at - START + 1)) for (const one of of) found(one, at - START + 1);
    }
  };
  return function* (text, found) {
    for (let from = 0; from < text.length; from += STEP) {
      findBefore(text, found, { from, to: Math.min(text.length, from + STEP) });
      yield;
    }
  };
};

/** How many characters are read without a pause. */
const STEP = 65_536;

/** The characters of a clue that are looked up together, and the bits of each. */
const START = 3;
const BITS = 5;
const WINDOW = 2 ** (START * BITS) - 1;

/** A number below 32: letters of either case, any digit, marks. */
const codeOf = (char: string): number => {
  if (/[a-z]/i.test(char)) return char.toLowerCase().charCodeAt(0) - 96;
  const marks = ['0123456789', '-_', '.:*', '/\\', '?&"'].findIndex((some) => some.includes(char));
  return marks === -1 ? 0 : 27 + marks;
};

const CODES = Uint8Array.from({ length: 128 }, (_, code) => codeOf(String.fromCharCode(code)));
const codeAt = (text: string, at: number): number => CODES[text.charCodeAt(at)] ?? 0;

const windowOf = (clue: string): number =>
  [...clue.slice(0, START)].reduce((window, char) => (window << BITS) | codeOf(char), 0);

const isClueAt = (text: string, clue: string, from: number): boolean => {
  for (let i = 0; i < clue.length; i += 1) {
    const char = text[from + i] ?? '';
    if (clue[i] === '0' ? char < '0' || char > '9' : char.toLowerCase() !== clue[i]) return false;
  }
  return true;
};

const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.+/=~-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Runs of letters, digits and `_ . + / = ~ -`, as tokens and base64 are. */
export const runsIn = (text: string, minChars: number): readonly Place[] => {
  const runs: Place[] = [];
  for (let at = minChars - 1; at < text.length; at += minChars) {
    if (!isInRun(text, at)) continue; // every run of that length has one of these characters
    let [from, to] = [at, at + 1];
    while (isInRun(text, from - 1)) from -= 1;
    while (isInRun(text, to)) to += 1;
    if (to - from >= minChars) runs.push({ from, to });
    at = to;
  }
  return runs;
};

const isInRun = (text: string, at: number): boolean => IN_RUN[text.charCodeAt(at)] === 1;
