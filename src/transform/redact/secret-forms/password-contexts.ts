import {
  END,
  MIXED,
  NO_WORD,
  PASSWORD_NAMES,
  RANDOM,
  type SecretContext,
  SIGN,
  twoWords,
} from './surroundings.ts'

/** Names of secrets that are a value of their own, with the secret beside them. */
const NAMED_SECRETS = [
  ...PASSWORD_NAMES,
  'secret',
  'token',
  ...['api', 'access', 'secret'].flatMap(twoWords('key')),
]

/** Ends of names of elements that have a password. */
const ELEMENTS = ['password', 'passwd', 'passphrase', 'secret', 'token', 'keymaterial']

/** Passwords that are found by the text around them: in arguments of programs, calls of functions, elements and settings. */
export const PASSWORD_CONTEXTS: readonly SecretContext[] = [
  {
    name: 'password',
    signs: ELEMENTS.map((name) => `${name}>`),
    pattern: new RegExp(
      `<(?:[\\w-]{1,20}:)?[\\w-]{0,30}(?:${ELEMENTS.join('|')})(?:\\s[^<>]{0,200})?>${MIXED}(${SIGN}{6,300})</`,
      'gi',
    ),
  },
  {
    name: 'password',
    signs: ['jdbc:oracle:', '@//', 'sqlplus ', 'sqlldr ', 'expdp ', 'impdp ', 'imp ', 'exp '],
    hint: /(?!(?:imp|exp) )|\w{3} [^@\n]{1,90}\/[^@\n]{3,128}@/iy,
    pattern:
      /(?:jdbc:oracle:\w{3,8}:[^\s/:@]{1,64}|(?<![\w$#/.@])[\w$#]{1,64}(?=\/[^\s/@"']{3,128}@\/\/)|(?<![a-z])(?:sqlplus|sqlldr|expdp|impdp|(?:imp|exp)(?=\s[^\s/]{1,64}\/[^\s@\d]{0,128}\d))\s(?:-\w{1,9}\s){0,4}["']?[\w$#]{1,64})\/(?!\$)([^\s/@"'<>[]{3,128})@(?!redacted\.invalid)/gi,
  },
  {
    // Two members or attributes, of which the first names the second.
    name: 'password',
    signs: [
      ...NAMED_SECRETS.flatMap((name) => ['"', "'", '<'].map((end) => name + end)),
      // At the end of a line there is often a word.
      ...[...PASSWORD_NAMES, '_token', '_secret', '_key'].flatMap((name) => [
        `${name}\n`,
        `${name}\r`,
      ]),
    ],
    pattern: new RegExp(
      `(?:\\b(?:key|name)["']?\\s{0,3}[=:]\\s{0,3}["']?|<(?:key|name)>)[\\w.:-]{0,60}(?:${NAMED_SECRETS.join('|')})(?:["']?\\s{0,3}[,;]?\\s{0,40}["']?value["']?\\s{0,3}[=:]\\s{0,3}["']?|["']\\r?\\n\\r?\\n|["'<][^<>]{0,60}>\\s{0,40}(?:<(?:value|string)>)?(?=[^\\s<>]{8,300}<))${NO_WORD}(${SIGN}{8,300})`,
      'gi',
    ),
  },
  {
    // Two strings of a call or row.
    name: 'password',
    signs: NAMED_SECRETS.flatMap((name) => ['"', "'"].map((end) => name + end)),
    pattern: new RegExp(
      `(?:${NAMED_SECRETS.join('|')})["']\\s{0,3},\\s{0,20}["']${NO_WORD}(?!(?:[a-z]{1,20}\\d{0,2}[_-]){0,6}[a-z]{0,20}(?:pass|pwd|token|secret|key))(${SIGN}{8,300})["']`,
      'gi',
    ),
  },
  {
    // A login as two strings of a call.
    name: 'password',
    signs: ['auth=(', 'auth = (', 'basicauth(', 'mysqli(', 'new pdo(', '.login(', 'twilio'],
    pattern: new RegExp(
      `(?:auth ?= ?\\(|basicauth\\(|(?:mysqli|new pdo)\\(["'][^"'\\n]{0,200}["'],|\\.login\\(|twilio["')]{0,2}\\()\\s{0,20}["'][^"'\\s]{1,100}["'],\\s{0,20}["']${MIXED}(${SIGN}{8,300})["']`,
      'gi',
    ),
  },
  {
    // The keys of WordPress may have any sign.
    name: 'key',
    signs: ['auth', 'logged_in', 'nonce'].flatMap((name) =>
      ['key', 'salt'].flatMap((end) => [`${name}_${end}'`, `${name}_${end}"`]),
    ),
    pattern:
      /define\(\s?["'](?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],\s{1,20}["']((?=[^"'\n]{0,60}\d)[^"'\n[]{20,128})["']/g,
  },
  {
    // Before a server of MySQL, as programs in Go write it.
    name: 'password',
    signs: ['@tcp(', '@unix('],
    pattern: /(?<![\w.-])[\w.-]{1,64}:([^\s:@/"'`<>[]{1,128})@(?:tcp|unix)\(/g,
  },
  {
    // Behind a space in settings, SQL and prose.
    name: 'password',
    signs: [
      'requirepass ',
      'masterauth ',
      'bindpw ',
      "option key '",
      'identified by ',
      'unseal key ',
      'password is ',
      'password was ',
      "password '",
      "password('",
      'securestring "',
      "securestring '",
    ],
    pattern: new RegExp(
      `(?<![a-z])(?:requirepass|masterauth|bindpw|option key|identified by|unseal key \\d:|password (?:is|was)|password(?= ?\\(?')|convertto-securestring) ?\\(?["']?${NO_WORD}(${SIGN}{8,300}?)(?=["'\`;,)<\\s\\\\]|-->|\\.?(?:\\s|$))`,
      'gi',
    ),
  },
  {
    name: 'key',
    signs: ['key is', 'token is', 'secret is', 'api key:', 'access key:', 'secret key:'],
    pattern: new RegExp(
      `(?<![a-z])(?:(?:key|token|secret) is:?|(?:api|access|secret) key:) ["'\`]?${RANDOM}([A-Za-z0-9+/_=-]{16,1000})${END}`,
      'gi',
    ),
  },
  {
    // In arguments of programs.
    name: 'password',
    signs: ['--password ', '--passphrase ', '--token ', '--token=', '--secret ', '--api-key '],
    pattern: new RegExp(
      `--(?:[a-z]{1,20}-)?(?:password|passphrase|token|secret|api-key)[ =]["']?${MIXED}(?!-)(${SIGN}{8,300})`,
      'gi',
    ),
  },
  {
    name: 'password',
    signs: ['curl ', 'wget '],
    pattern: new RegExp(
      `(?<![a-z])(?:curl|wget)\\b[^\\n]{0,300}?\\s(?:-u|--user)[ =]{0,3}["']?[^\\s:"'$]{1,100}:${MIXED}(${SIGN}{6,300})`,
      'g',
    ),
  },
  {
    name: 'password',
    signs: ['sshpass -p', 'docker login', 'mysql -', 'mysqldump -', 'redis-cli -'],
    pattern: new RegExp(
      `(?<![a-z])(?:mysql(?:dump)?\\b[^\\n|;&]{0,100}?\\s-p|(?:sshpass|docker login|redis-cli)\\b[^\\n|;&]{0,100}?\\s-[ap] ?)["']?${MIXED}(${SIGN}{6,300})`,
      'g',
    ),
  },
  {
    // On Windows, in a variable and before or behind a login.
    name: 'password',
    signs: ['setx '],
    pattern: new RegExp(
      `(?<![a-z])setx\\s{1,4}(?:/m\\s{1,4})?["']?\\w{0,60}(?:${NAMED_SECRETS.join('|')})["']?\\s{1,4}["']?(?![^\\s"'<]{0,300}%)${MIXED}(${SIGN}{8,300})`,
      'gi',
    ),
  },
  {
    name: 'password',
    signs: ['net use '],
    pattern: new RegExp(
      `(?<![a-z])net use [^\\n]{0,200}?\\s(?:(?![*/\\\\-])(${SIGN}{4,128})(?=\\s{1,3}["']?/u(?:ser)?:))`,
      'gi',
    ),
  },
  {
    // In the second argument of a call that signs.
    name: 'key',
    signs: ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode('],
    pattern: new RegExp(
      `jwt\\.(?:sign|verify|encode|decode)\\([^\\n]{0,200}?,\\s{0,20}["'\`]${NO_WORD}(${SIGN}{8,300})["'\`]`,
      'gi',
    ),
  },
  {
    // Of the settings of .NET: it may be a sentence, but not the name of a text.
    name: 'key',
    signs: ['jwt"', 'jwtsettings"', 'jwtconfig"', 'jwtoptions"', 'jwtbearer"'],
    pattern:
      /"(?:[Jj]wt|JWT)(?:[Ss]ettings|[Cc]onfig|[Oo]ptions|[Bb]earer)?"\s{0,3}:\s{0,3}\{[^{}]{0,300}?"(?:[Kk]ey|[Ss]ecret(?:_?[Kk]ey)?|[Ss]igning_?[Kk]ey)"\s{0,3}:\s{0,3}"(?![./])(?=[^"\n]{0,300}[A-Z\d])([^"\\\n]{16,300})"/g,
  },
  {
    // A line of .pgpass.
    name: 'password',
    signs: [':5432:', '*:*:'],
    pattern: new RegExp(
      `(?:[\\w.*-]:5432|\\*:\\*):(?!\\d{1,9}:)[\\w*-]{1,64}:[\\w.@-]{1,64}:(?![^\\s:]{0,128}:)(${SIGN}{4,128})`,
      'g',
    ),
  },
  {
    // A slash in a password is one where no path comes before the host.
    name: 'password',
    signs: ['postgres', 'mysql', 'mariadb', 'mongodb', 'redis', 'amqp', 'mssql'].flatMap((name) =>
      ['', 's', 'ql', '+srv'].map((end) => `${name}${end}://`),
    ),
    pattern:
      /(?<![a-z])(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql):\/\/[^\s:@/?#"'<>[\]]{0,64}:(?!\d{1,5}[/?#,])([^\s/@"'<>[\]]{1,64}\/[^\s@"'<>[\]]{1,64})@(?=[\w[%$*])/gi,
  },
]
