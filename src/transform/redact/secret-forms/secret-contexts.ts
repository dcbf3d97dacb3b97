import { escapePattern } from '../../../base/text.ts'
import { PASSWORD_CONTEXTS } from './password-contexts.ts'
import {
  END,
  IS,
  IS_NEXT,
  PASSWORD_NAMES,
  RANDOM,
  type SecretContext,
  signsOf,
  twoWords,
} from './surroundings.ts'

/** Names of parameters of URLs. */
const PARAMETERS = [
  'access_token',
  'auth_token',
  'token',
  'apikey',
  'api_key',
  'client_secret',
  'private_token',
  'refresh_token',
  'secret',
  'password',
  'sig',
  'signature',
  'x-amz-security-token',
  'x-amz-signature',
  'x-goog-signature',
]

/** The same, for values that are long and random: others are words. */
const LONG_PARAMETERS = ['api_token', 'auth', 'authtoken', 'code', 'id_token', 'jwt', 'key', 'sid']

/** What one with a key ends in, which is longer than a password. */
const KEY_NAMES = [
  ...['client', 'app', 'api', 'consumer', 'shared', 'signing', 'webhook'].flatMap(
    twoWords('secret'),
  ),
  ...['secret', 'api', 'encryption', 'deploy', 'signing', 'master', 'license'].flatMap(
    twoWords('key'),
  ),
  'secret_key_base',
  'sonar.login',
  ...['access', 'auth', 'api', 'bearer', 'identity', 'refresh', 'registry'].flatMap(
    twoWords('token'),
  ),
]

/** @see https://github.com/microsoft/security-utilities */
const AZURE_SIGNS = ['+ASt', '+ACR', 'AIoT', 'AzFu', 'AzSe', 'JQQJ99']

/** URLs to which whoever knows them may post: a sign, and what is before the secret. */
const WEBHOOKS = [
  ['hooks.zapier.com', String.raw`hooks\.zapier\.com/hooks/catch/`],
  ['maker.ifttt.com', String.raw`maker\.ifttt\.com/trigger/[^\s/]{1,100}/(?:json/)?with/key/`],
  ['.make.com/', String.raw`//hook\.\w{2,8}\.make\.com/`],
  ['/open-apis/bot/v2/hook/', '/open-apis/bot/v2/hook/'],
  ['.webhook.office.com', String.raw`\.webhook\.office\.com/webhookb2/`],
  ['qyapi.weixin.qq.com', String.raw`qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=`],
  ['hc-ping.com/', String.raw`hc-ping\.com/`],
  // Of Mattermost, on any host.
  ['/hooks/', String.raw`://[^\s/]{1,100}/hooks/(?=[a-z0-9]{26}(?![\w/]|-(?!->)))`],
] as const

/** THE TABLE of secrets that are found by the text around them. */
export const SECRET_CONTEXTS: readonly SecretContext[] = [
  {
    // People also write # and ? in a password as they are, which no port has behind it, and an address for the user.
    name: 'password',
    signs: ['://'],
    pattern:
      /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>[\]]{0,64}(?:@[^\s:@/?#"'<>[\]]{1,64})?:(?!(?:\d{1,5}|port)[/?#,])((?:[^\s/"'<>[\]]|(?<=\w)'(?=\w)){1,128})@(?=[\w[%$*])/gi,
  },
  {
    // A token as the user: one that is random, unlike a login.
    name: 'password',
    signs: ['://'],
    pattern:
      /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/((?=[^\s@]{0,127}\d)(?=[^\s@]{0,127}[a-z])(?:(?=[^\s@]{0,127}[A-Z])|(?=[0-9a-z]{32}))[A-Za-z0-9_~.+%=-]{16,255})(?::(?!x-oauth-basic@)[^\s@/?#"'<>[\]]{0,128})?@/g,
  },
  {
    name: 'password',
    signs: [...PASSWORD_NAMES, 'pass', 'pw'].flatMap(signsOf),
    // Letters and digits, and no name of a variable or folder: a word may say that one goes here.
    pattern: new RegExp(
      `(?:${PASSWORD_NAMES.join('|')}|\\bpass(?=["']?\\s{0,3}[=:]\\s{0,3}["'])|(?<![\\w-])(?:pass(?==)|pw(?=[=:]))(?!. ?(?:[a-z]{1,40}[_-]){1,9}\\w{0,40}(?![\\w-])))${IS}(?![a-z_]\\w*(?:\\.[a-z_]\\w*)+|/(?:app|builds|etc|home|mnt|opt|root|srv|tmp|usr|users|var)/)(?=[^\\s"']{0,127}\\d)(?=[^\\s"']{0,127}[a-z])([^\\s"'\`;,&<>(){}[\\]$\\\\\\u3000-\\uffff]{8,128})(?=["'\`;,&<)}\\]\\s\\\\]|$|-->)`,
      'gi',
    ),
  },
  {
    name: 'netrc-password',
    signs: ['machine '],
    pattern:
      /\bmachine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}([^\s"'`[][^\s"'`]{3,199})/g,
  },
  {
    // A login whose hash can be guessed.
    name: 'authorization',
    signs: ['response="'],
    pattern: /\bresponse="([0-9a-f]{32,64})"/gi,
  },
  {
    // Encrypted, but a passphrase can be guessed.
    name: 'vault',
    signs: ['$ANSIBLE_VAULT;'],
    pattern:
      /\$ANSIBLE_VAULT;\d\.\d;AES256(?:;[\w.-]{1,64})?\s{1,4}[+>#;*-]?[ \t]{0,16}([0-9a-f]{16,80}(?:\s{1,4}[+>#;*-]?[ \t]{0,16}[0-9a-f]{2,80}(?![\w:.])){0,300})/g,
  },
  {
    // A cookie that is a login.
    name: 'session',
    signs: [
      'sess=',
      'session=',
      'sessid=',
      'sessionid=',
      'session_id=',
      'connect.sid=',
      'sid=',
      'sessionid\t',
    ],
    pattern: new RegExp(
      `(?:(?:sess(?:ion)?(?:_?id)?|connect\\.sid|(?<![\\w-])sid)=(?:s(?:%3A|:))?|sessionid\\t)${RANDOM}([A-Za-z0-9._~%+/=-]{16,4000})`,
      'gi',
    ),
  },
  {
    // Any long value in a header with cookies.
    name: 'cookie',
    signs: ['cookie:', 'cookie":', "cookie':", 'cookie",', "cookie',"],
    pattern: new RegExp(
      `=${RANDOM}(?<=cookie["'\`]?\\s{0,3}[:,][^\\n]{0,1000})([A-Za-z0-9._~%+/-]{16,4000}={0,2})`,
      'gi',
    ),
  },
  {
    name: 'url-token',
    signs: LONG_PARAMETERS.flatMap((name) => [`?${name}=`, `&${name}=`]),
    pattern: new RegExp(
      `[?&](?:${LONG_PARAMETERS.join('|')})=${RANDOM}([A-Za-z0-9._~%+/-]{16,2000})`,
      'gi',
    ),
  },
  {
    name: 'url-token',
    signs: PARAMETERS.flatMap((name) => [`?${name}=`, `&${name}=`]),
    pattern: new RegExp(`[?&](?:${PARAMETERS.join('|')})=([A-Za-z0-9._~%+/-]{8,500})`, 'gi'),
  },
  {
    name: 'authorization',
    signs: ['authorization'],
    hint: /authorization["'`]?\]?\s{0,3}[=:,\\\x80-\xff]/iy,
    pattern:
      /authorization["'`]?\]?\s{0,3}(?:=>|[:=]|,\s{0,40}(?:["']?value["']?\s{0,3}:)?)\s{0,3}\[?["'`]?(?:bearer|basic|token|apikey|negotiate)(?:[^\S\r\n]{1,3}|%20)([A-Za-z0-9._~+/=-]{8,2000})/gi,
  },
  {
    name: 'npm-token',
    signs: ['_authToken', '_auth=', '_auth =', 'npmAuthToken', 'npmAuthIdent'],
    pattern:
      /(?<![A-Za-z0-9])(?:_auth(?:Token)?|npmAuth(?:Token|Ident))["']?[^\S\r\n]{0,3}[=:][^\S\r\n]{0,3}["']?([A-Za-z0-9._~+/:-]{8,500}={0,2})/g,
  },
  {
    name: 'aws-secret',
    signs: ['secret_access_key', 'secretaccesskey'],
    pattern:
      /secret_?access_?key["']?\s{0,3}(?:=>|=|:)\s{0,3}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9+=])/gi,
  },
  {
    name: 'openai-key',
    signs: ['T3BlbkFJ'],
    pattern: /(sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
  },
  {
    name: 'azure-key',
    signs: ['AccountKey=', 'SharedAccessKey=', '"keyName"'],
    pattern:
      /(?:(?:AccountKey|SharedAccessKey)=|"keyName"[^{}]{0,120}"value"\s?:\s?")([A-Za-z0-9+/]{40,86}={1,2})/gi,
  },
  {
    name: 'azure-secret',
    signs: ['Q~'],
    pattern: /([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9])/g,
  },
  {
    name: 'azure-devops-token',
    signs: ['AZDO'],
    pattern: /([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9])/g,
  },
  {
    name: 'cloudflare-key',
    signs: ['v1.0-'],
    pattern: /(v1\.0-[0-9a-f]{24}-[0-9a-f]{146})(?![0-9a-z])/g,
  },
  {
    name: 'discord-token',
    signs: [
      'discord',
      'bot m',
      'bot n',
      'bot o',
      '.login(',
      '.run(',
      'token=',
      'token:',
      'token =',
      'token :',
      'token"',
      "token'",
    ],
    hint: /(?:discord[^\n]{0,180}?|[^\n]{0,40}?)[MNO][\w-]{22}/iy,
    pattern:
      /(?:discord[^\n]{0,60}?|\bbot\s|\.(?:login|run)\(["'`]|token["']?\s{0,3}[:=]\s{0,3}["']?)([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9])/gi,
  },
  {
    name: 'firebase-key',
    signs: [':APA91b'],
    pattern: /([A-Za-z0-9_-]{7,22}:APA91b[A-Za-z0-9_-]{100,180})/g,
  },
  {
    name: 'mailchimp-key',
    signs: Array.from('123456789', (digit) => `-us${digit}`),
    pattern: /([0-9a-f]{32}-us\d{1,2})(?![A-Za-z0-9])/g,
  },
  {
    name: 'new-relic-key',
    signs: ['NRAL'],
    pattern: /((?:[a-z]{2}\d{2}xx[0-9a-f]{30}|[0-9a-f]{36})NRAL)(?![A-Za-z0-9])/g,
  },
  {
    name: 'telegram-token',
    signs: [':AA'],
    pattern: /(?<![A-Za-z0-9])(\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9])/g,
  },
  {
    name: 'terraform-token',
    signs: ['.atlasv1.'],
    pattern: /([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})(?![A-Za-z0-9])/gi,
  },
  {
    name: 'github-token',
    signs: [':x-oauth-basic@'],
    pattern: /:\/\/([A-Za-z0-9_-]{8,255}):x-oauth-basic@/gi,
  },
  {
    // The logins of a client of registries.
    name: 'docker-login',
    signs: ['"auth"'],
    pattern: /"auth"\s{0,3}:\s{0,3}"(?=[A-Za-z+/]{0,127}\d)([A-Za-z0-9+/]{16,500}={0,2})"/g,
  },
  {
    // Keys of services of Azure have a sign before their checksum.
    name: 'azure-key',
    signs: AZURE_SIGNS,
    pattern: new RegExp(
      `(?<![A-Za-z0-9+])([A-Za-z0-9+/_-]{33,76}(?:${AZURE_SIGNS.map(escapePattern).join('|')})[A-Za-z0-9+/_-]{5,44}={0,2})(?![A-Za-z0-9+])`,
      'g',
    ),
  },
  {
    name: 'maxmind-key',
    signs: ['_mmk'],
    pattern: /([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?![A-Za-z0-9])/g,
  },
  {
    name: 'wireguard-key',
    signs: ['PrivateKey', 'PresharedKey', 'encryption:'],
    hint: /encryption:|(?:Private|Preshared)Key\s{0,3}[=\\\x80-\xff]/iy,
    pattern:
      /(?:(?:PrivateKey|PresharedKey)\s{0,3}=\s{0,3}|encryption:\s{1,12}key:\s["']?)([A-Za-z0-9+/]{43}=)/gi,
  },
  {
    name: 'slack-webhook',
    signs: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/]{20,100})/g,
  },
  {
    name: 'discord-webhook',
    signs: ['/webhooks/'],
    pattern:
      /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{10,22}\/[A-Za-z0-9_-]{20,100})/g,
  },
  {
    name: 'webhook',
    signs: WEBHOOKS.map(([sign]) => sign),
    pattern: new RegExp(`(?:${WEBHOOKS.map(([, path]) => path).join('|')})([\\w@/-]{8,300})`, 'gi'),
  },
  {
    name: 'json-web-token',
    signs: ['.eyJ'],
    // Only from the beginning of a run: each start looks at thousands of characters.
    pattern:
      /(?<![\w-])[\w-]{0,64}?(?<![A-Za-z0-9])(eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000})/g,
  },
  {
    name: 'private-key',
    signs: ['-----BEGIN '],
    pattern:
      /(-----BEGIN (?:(?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----(?:(?!-----)[\s\S]){20,16000}-----END [A-Za-z0-9 ]{3,40}-----)/g,
  },
  {
    // The beginning of one that was cut off.
    name: 'private-key',
    signs: ['-----BEGIN '],
    pattern:
      /(-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\s{1,4}[+>#;*-]?[ \t]{0,8}[A-Za-z0-9+/]{16,100}={0,2}){1,300})/g,
  },
  {
    name: 'private-key',
    signs: ['---- BEGIN SSH2'],
    pattern:
      /(---- BEGIN SSH2 (?:[A-Z]{2,10} ){0,2}PRIVATE KEY ----(?:(?!----)[\s\S]){20,16000}---- END [A-Z0-9 ]{3,40} ----)/g,
  },
  {
    // The second half of a file of PuTTY. Its last line may end in = and a line break, which mail joins with the next.
    name: 'private-key',
    signs: ['Private-Lines:'],
    pattern:
      /Private-Lines: \d{1,3}\s{1,4}[+>#;*-]?[ \t]{0,8}((?:[A-Za-z0-9+/]{64}\s{1,4}[+>#;*-]?[ \t]{0,8}){0,100}(?!Private-)[A-Za-z0-9+/]{4,64}={0,2})/g,
  },
  {
    name: 'key',
    signs: ['base64:'],
    pattern: /KEY\s?=\s?["']?(base64:[A-Za-z0-9+/]{22,88}={0,2})/g,
  },
  {
    // The private key of a wallet.
    name: 'private-key',
    signs: ['private_key', 'privatekey', 'private-key'],
    hint: new RegExp(`private[_-]?key${IS_NEXT}`, 'iy'),
    pattern: new RegExp(`private[_-]?key${IS}((?:0x)?[0-9a-f]{64})(?![0-9a-z])`, 'gi'),
  },
  ...PASSWORD_CONTEXTS,
  // Last, as some of the others have names of their own.
  {
    // Names that may be of something else: PublicKeyToken is.
    name: 'key',
    signs: ['token', 'secret', 'authorization', 'access_key'].flatMap(signsOf),
    pattern: new RegExp(
      `(?<![a-z])(?:token|secret|authorization|access_key)${IS}${RANDOM}(?!(?:[a-z]{1,40}[_/-]){1,9}[a-z]{0,40}\\d{0,8}(?![A-Za-z0-9+/_=-]))([A-Za-z0-9+/_=-]{16,1000})${END}`,
      'gi',
    ),
  },
  {
    // Of Octokit, in quotes only: without them it may be the name of a way.
    name: 'key',
    signs: signsOf('auth'),
    hint: /auth["']?(?:\\|\s{0,3}[:=]\s{0,3}["'`\\\x80-\xff])/iy,
    pattern: new RegExp(
      `(?<![\\w-])auth["']?\\s{0,3}[:=]\\s{0,3}["'\`]${RANDOM}(?!(?:[a-z]{1,40}[_/-]){0,9}[a-z]{0,40}\\d{0,8}["'\`])([A-Za-z0-9._~+/=-]{16,1000})["'\`]`,
      'gi',
    ),
  },
  {
    name: 'key',
    signs: KEY_NAMES,
    hint: new RegExp(`(?:${KEY_NAMES.join('|')})${IS_NEXT}`, 'iy'),
    pattern: new RegExp(
      `(?:${KEY_NAMES.join('|')})${IS}(?=[A-Za-z0-9.+/_=-]{0,127}\\d)(?=[A-Za-z0-9.+/_=-]{0,127}[a-z])(?!(?:[a-z]{1,40}[_/-]){1,9}[a-z]{0,40}\\d{0,4}(?![A-Za-z0-9+/_=-]))((?:[A-Za-z_-]{0,40}\\d[A-Za-z0-9_-]{0,127}\\.){0,3}(?=[A-Za-z+/_=~-]{0,127}\\d)[A-Za-z0-9+/_=~-]{16,128})${END}`,
      'gi',
    ),
  },
]
