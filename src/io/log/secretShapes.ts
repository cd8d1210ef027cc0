/**
 * What secrets look like in text. Every pattern is linear in the length of the text, so that a hostile line cannot cost seconds. Own code: packages with
 * such patterns are made to scan the files of a repository, and do not promise that.
 */
import { SECRET_NAME } from './secretNames';

/**
 * Vendor tokens that are recognized by their own form. The whole match is secret. Every pattern is linear.
 * Source: the vendors' pages on secret scanning, and the published rules of gitleaks 8, as facts.
 */
const VENDOR_TOKENS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['Google token', /\bya29\.[\w-]{20,}/g],
  ['Google token', /(?<![\w/])1\/\/0[\w-]{20,}/g],
  ['Google key', /\bGOCSPX-[\w-]{20,}/g],
  ['SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g],
  ['Slack webhook', /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/+-]{20,}/g],
  ['Discord webhook', /\bdiscord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{10,}\/[\w-]{20,}/g],
  ['Discord token', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g],
  ['Teams webhook', /\.webhook\.office\.com\/webhookb2\/[\w@-]{20,}\/IncomingWebhook\/[\w/-]{20,}/g],
  ['Telegram token', /(?<!\d)\d{8,10}:AA[\w-]{32,33}(?![\w-])/g],
  ['Twilio key', /\b(?:SK|AC)[0-9a-f]{32}\b/g],
  ['webhook secret', /\bwhsec_[\w+/=-]{16,}/g],
  ['Databricks token', /\bdapi[0-9a-f]{32}(?:-\d)?\b/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{32,}/g],
  ['Vault token', /\bhv[sbr]\.[\w-]{20,}/g],
  ['Terraform token', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g],
  ['Atlassian token', /\bAT(?:ATT3|CTT3|BB)[\w=.-]{20,}/g],
  ['Shopify token', /\bshp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{16,}/g],
  ['Notion token', /\b(?:ntn_|secret_)[A-Za-z0-9]{40,}/g],
  ['Linear token', /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/g],
  ['Replicate token', /\br8_[A-Za-z0-9]{20,}/g],
  ['Perplexity key', /\bpplx-[A-Za-z0-9]{20,}/g],
  ['GitLab token', /\bgl(?:rt|ptt|dt|cbt|soat|ft|imt|agent|oas|ffct)-[\w.-]{10,}/g],
  ['GitLab token', /\bGR1348941[\w-]{10,}/g],
  ['Supabase token', /\bsb(?:p|_secret|_publishable)_[\w-]{16,}/g],
  ['Heroku key', /\bHRKU-[\w-]{20,}/g],
  ['Tailscale key', /\btskey-[\w-]{10,}/g],
  ['Figma token', /\bfig[dou]_[\w-]{20,}/g],
  ['Airtable token', /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{40,}/g],
  ['Postman key', /\bPMAK-[0-9a-f]{20,}-[0-9a-f]{30,}/g],
  ['New Relic key', /\bNR(?:AK|II|JS|RA)-[A-Za-z0-9_-]{19,}/g],
  ['Grafana token', /\bgl(?:c|sa)_[\w+/=-]{30,}/g],
  ['Grafana token', /\beyJrIjoi[\w+/=-]{30,}/g],
  ['Sentry token', /\bsntr(?:ys|yu)_[\w+/=-]{30,}/g],
  ['Doppler token', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/g],
  ['PlanetScale token', /\bpscale_(?:tkn|pw|oauth)_[\w.=-]{20,}/g],
  ['Pulumi token', /\bpul-[0-9a-f]{30,}/g],
  ['Fly token', /\b(?:FlyV1 )?fm[12][ar]?_[\w+/=,-]{30,}/g],
  ['Docker token', /\bdckr_(?:pat|oat)_[\w-]{20,}/g],
  ['RubyGems key', /\brubygems_[0-9a-f]{32,}/g],
  ['Cargo token', /\bcio[A-Za-z0-9]{32}\b/g],
  ['Mailgun key', /\bkey-[0-9a-f]{32}\b/g],
  ['Mailchimp key', /\b[0-9a-f]{32}-us\d{1,2}\b/g],
  ['Brevo key', /\bxkeysib-[0-9a-f]{40,}-\w{10,}/g],
  ['Square token', /\b(?:EAAA|sq0[a-z]{3}-)[\w-]{20,}/g],
  ['Facebook token', /\bEAA[A-Za-z0-9]{60,}/g],
  ['PayPal token', /\baccess_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/g],
  ['Dropbox token', /\bsl\.(?:u\.)?[\w-]{60,}/g],
  ['Cloudflare token', /\bv1\.0-[0-9a-f]{24}-[0-9a-f]{100,}/g],
  ['Azure key', /\b[\w~.-]{3}[78]Q~[\w~.-]{31,34}/g],
  ['Alibaba key', /\bLTAI[A-Za-z0-9]{12,}/g],
  ['Tencent key', /\bAKID[A-Za-z0-9]{32}\b/g],
  ['age key', /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g],
  ['1Password token', /\bops_eyJ[\w+/=-]{30,}/g],
  ['1Password key', /\bA3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,6}){4,5}\b/g],
  ['Anyscale key', /\besecret_[A-Za-z0-9]{20,}/g],
  ['NVIDIA key', /\bnvapi-[\w-]{20,}/g],
  ['Together key', /\btgp_v1_[\w-]{20,}/g],
  ['Pinecone key', /\bpcsk_[\w-]{20,}/g],
  ['LangSmith key', /\blsv2_(?:pt|sk)_[0-9a-f]{20,}/g],
  ['Vercel token', /\bvc[pikar]_[A-Za-z0-9]{20,}/g],
  ['Netlify token', /\bnf[pcou]_[A-Za-z0-9]{20,}/g],
  ['EasyPost key', /\bEZ[AT]K[A-Za-z0-9]{54}\b/g],
  ['Duffel token', /\bduffel_(?:test|live)_[\w=-]{30,}/g],
  ['Frame.io token', /\bfio-u-[\w=-]{40,}/g],
  ['Typeform token', /\btfp_[\w.=-]{40,}/g],
  ['Prefect key', /\bpn[ub]_[A-Za-z0-9]{30,}/g],
  ['readme key', /\brdme_[a-z0-9]{50,}/g],
  ['Adafruit key', /\baio_[A-Za-z0-9]{20,}/g],
  ['Dynatrace token', /\bdt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}/g],
  ['Buildkite token', /\bbk(?:ua|aj|pi)_[0-9a-f]{30,}/g],
  ['CircleCI token', /\bCCIP(?:RJ|AT)_\w{10,}_?[0-9a-f]{20,}/g],
];

/** Tokens that are recognized by their own form. The whole match is secret. */
export const TOKENS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'private key',
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['JWT', /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g],
  ['API key', /\bsk-[\w-]{8,}/g],
  ['GitHub token', /\bgh[oprsu]_[A-Za-z0-9]{10,}/g],
  ['GitHub token', /\bgithub_pat_\w{10,}/g],
  ['GitLab token', /\bglpat-[\w-]{10,}/g],
  ['Slack token', /\bx(?:ox[abeoprs]|app)-[\w-]{8,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['PyPI token', /\bpypi-[\w-]{20,}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{20,}/g],
  ['API key', /\b(?:gsk|xai)[_-][A-Za-z0-9]{20,}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g],
  ['Google key', /\bAIza[\w-]{30,}/g],
  [
    'AWS key',
    /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?:["'\s,:;|]{1,8}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?(?![0-9A-Z])/g,
  ],
  // An AWS secret alone: forty characters of base64, as mixed as random ones are.
  [
    'AWS secret',
    /(?<![\w/+=.-])(?=(?:[^\d\s]{0,39}\d){2})(?=(?:[^A-Z\s]{0,39}[A-Z]){6})(?=(?:[^a-z\s]{0,39}[a-z]){6})[A-Za-z0-9/+]{40}(?![\w/+=.-])/g,
  ],
  ...VENDOR_TOKENS,
];

/** Secrets that are recognized by what precedes them: the first group, which is kept. */
export const PREFIXED: readonly (readonly [kind: string, pattern: RegExp, suffix: string])[] = [
  // A signed URL needs no other credential.
  ['signature in a URL', /([?&](?:sig|signature|x-(?:amz|goog)-signature)=)[^&\s"'\\]+/gi, ''],
  ['key in a URL', /([?&]key=)[^&\s"'\\]{6,}/gi, ''],
  // An AWS secret has no form of its own: forty characters, identified by the word before them.
  ['AWS secret', /(\baws[\w.\s"':=-]{0,40}?["'\s:=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi, ''],
  ['docker login', /("auth\\*"\s*:\s*\\*")[A-Za-z0-9+/=]{8,}/g, ''],
  [
    'password of curl',
    /(\bcurl\b[^\n|;&]{0,512}?\s(?:-u|--user)[ =]?\\*["']?)(?!https?:)[^\s:"'\\]{1,256}:[^\s"'\\]+/g,
    '',
  ],
  ['netrc', /(\bmachine\s+\S{1,256}\s+login\s+\S{1,256}\s+password\s+)\S+/g, ''],
  ['pgpass', /(^[\w.*-]{1,253}:(?:\d{1,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:)[^:\s]+$/gm, ''],
  ['password of mysql', /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,512}?\s-p)[^\s"'\\]+/g, ''],
  ['password of sshpass', /(\bsshpass\s+-p\s?)[^\s"'\\]+/g, ''],
  ['password in a URL', /(:\/\/)(?:[^\s/:@]{0,256}:[^\s/@]{1,1024}|[\w-]{20,256})@/g, '@'],
];

/** The word after `Bearer`. The first group is kept. */
export const BEARER = /\b(bearer\s+)[\w.~+/=-]{8,}/gi;

/** `name: value`, `name=value`, `"name":"value"` and the same inside an escaped string, as name and value. */
export const NAMED = new RegExp(
  `((?:${SECRET_NAME})[\\w-]{0,32}\\\\*["']?\\s*[:=]=?>?\\s*)` +
    `((?:(?:bearer|basic|digest)\\s+)?(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|\\\\+"[^"\\\\]*|[^\\s,;&"'\\\\}\\]]+))`,
  'gi',
);

/** A passphrase without quotes is several words, up to the end of the line. */
export const PASSPHRASE =
  /((?:pass|seed|recovery|backup)[-_ ]?phrase[\w-]{0,32}\s{0,8}[:=]\s{0,8})(?=[^\s"'\\])([^"'\\\r\n}\]]{1,256})/gi;

/** `--name value`, and the same as two members of a list in JSON, as name and value. */
export const FLAGGED = new RegExp(
  `(?<![\\w-])(--[\\w-]{0,32}(?:${SECRET_NAME})[\\w-]{0,32}(?:[ \\t]+|\\\\*["'],\\s*\\\\*["']))` +
    `("(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s"'\\\\,-][^\\s"'\\\\]*)`,
  'gi',
);
