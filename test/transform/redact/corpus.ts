/** Two hundred invented texts with the values that are to be found in them; in half of them there is none. */

const ALPHABET = 'a9Bc3DeF7gH1iJ5kL0mN2oP4qR6sT8uV'

/** A token that no file has as it is: this file holds none. */
export const token = (prefix: string, length: number, alphabet = ALPHABET): string =>
  prefix +
  Array.from({ length }, (_, i) => alphabet[(i * 7 + prefix.length) % alphabet.length]).join('')

const HEX = '0123456789abcdef'
const UPPER = 'Q2W3E4R5T6YUIOPASDFGHJKLZXCVBNM7'

export const NAMES = [
  'Ada Lovelace',
  'José Núñez',
  'Jean-Luc Le Roux',
  'J. R. Hartley',
  '山田 太郎',
  "Mary O'Neil",
]

type Case = readonly [text: string, ...expected: string[]]

const emails: readonly Case[] = [
  ['ada@example.org', 'ada@example.org'],
  ['Write to ada@example.org.', 'ada@example.org'],
  ['(ada@example.org)', 'ada@example.org'],
  ['<ada@example.org>', 'ada@example.org'],
  ['mailto:ada@example.org?subject=x', 'ada@example.org'],
  ['[mail](mailto:ada@example.org)', 'ada@example.org'],
  ['ada+tag@example.org, bob@example.net', 'ada+tag@example.org', 'bob@example.net'],
  ['Ada.Lovelace@Sub.Example.ORG', 'Ada.Lovelace@Sub.Example.ORG'],
  ['ada_l-2@my-host.example.co', 'ada_l-2@my-host.example.co'],
  ["'ada@example.org'", 'ada@example.org'],
  ['"ada@example.org"', 'ada@example.org'],
  ['email=ada@example.org', 'ada@example.org'],
  ['a=1&mail=ada%40example.org&b', 'ada@example.org'],
  ['https://x.example/?u=ada%40example.org#top', 'ada@example.org'],
  ['ада@почта.рф', 'ада@почта.рф'],
  ['josé@exämple.org', 'josé@exämple.org'],
  ['ada@xn--exmple-cua.org', 'ada@xn--exmple-cua.org'],
  ['Co-authored-by: Ada <ada@example.org>', 'ada@example.org'],
  [
    'Signed-off-by: B <12345+b@users.noreply.github.example>',
    '12345+b@users.noreply.github.example',
  ],
  ['ada@example.org...', 'ada@example.org'],
  ['ada@example.org-', 'ada@example.org'],
  ['report-ada@example.org.txt', 'report-ada@example.org'],
  ['cc:ada@example.org;bob@example.org', 'ada@example.org', 'bob@example.org'],
  ['| ada@example.org | x |', 'ada@example.org'],
  ['`ada@example.org`', 'ada@example.org'],
  ['**ada@example.org**', 'ada@example.org'],
  ['{ada@example.org}', 'ada@example.org'],
  ['x\0ada@example.org\0', 'ada@example.org'],
  ['ada@example.org\r\nbob@example.org', 'ada@example.org', 'bob@example.org'],
  ['1@example.org', '1@example.org'],
  ['to:ada@example.org', 'ada@example.org'],
  ['ada@example.museum/x', 'ada@example.museum'],
]

const ips: readonly Case[] = [
  ['8.8.4.4', '8.8.4.4'],
  ['from 10.20.30.40:8080', '10.20.30.40'],
  ['http://172.16.254.1/x', '172.16.254.1'],
  ['[93.184.216.34]', '93.184.216.34'],
  ['93.184.216.34.', '93.184.216.34'],
  ['93.184.216.34, 1.1.1.1', '93.184.216.34', '1.1.1.1'],
  ['ip=93.184.216.34;', '93.184.216.34'],
  ['93.184.216.0/24', '93.184.216.0'],
  ['2606:4700:4700::1111', '2606:4700:4700::1111'],
  ['[2606:4700::6810:84e5]:443', '2606:4700::6810:84e5'],
  ['fe80::1ff:fe23:4567:890a%eth0', 'fe80::1ff:fe23:4567:890a'],
  ['via 2a00:1450:4001:82a:0:0:0:200e.', '2a00:1450:4001:82a:0:0:0:200e'],
  ['client 255.0.0.9 left', '255.0.0.9'],
  ['x-forwarded-for: 203.0.112.7', '203.0.112.7'],
  ['192.168.0.17\n192.168.0.18', '192.168.0.17', '192.168.0.18'],
]

const secrets: readonly Case[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(
    (prefix): Case => [`token ${token(prefix, 36)}`, token(prefix, 36)],
  ),
  [token('github_pat_', 22) + token('_', 59), token('github_pat_', 22) + token('_', 59)],
  [`GITLAB=${token('glpat-', 20)}`, token('glpat-', 20)],
  [`(${token('glrt-', 24)})`, token('glrt-', 24)],
  [token('xoxb-', 40), token('xoxb-', 40)],
  [`"${token('xoxp-', 60)}"`, token('xoxp-', 60)],
  [token('AKIA', 16, UPPER), token('AKIA', 16, UPPER)],
  [`id: ${token('ASIA', 16, UPPER)}`, token('ASIA', 16, UPPER)],
  [token('AIza', 35), token('AIza', 35)],
  [`//registry/:_authToken=${token('npm_', 36)}`, token('npm_', 36)],
  [token('sk_live_', 24), token('sk_live_', 24)],
  [token('rk_live_', 24), token('rk_live_', 24)],
  [token('SG.', 22) + token('.', 43), token('SG.', 22) + token('.', 43)],
  [token('dop_v1_', 64, HEX), token('dop_v1_', 64, HEX)],
  [token('hf_', 34), token('hf_', 34)],
  [token('shpat_', 32, HEX), token('shpat_', 32, HEX)],
  [`key ${token('sk-ant-', 90)}`, token('sk-ant-', 90)],
  [token('lin_api_', 40), token('lin_api_', 40)],
  [`bot${token('123456789:', 35)}`, `bot${token('123456789:', 35)}`],
  ['postgres://ada:s3cr3tPw@db.example/x', 's3cr3tPw'],
  ['https://user:hunter22@host.example/p', 'hunter22'],
  ['redis://:p4ssw0rt@cache:6379', 'p4ssw0rt'],
  [`https://x.example/a?access_token=${token('', 30)}&b=1`, token('', 30)],
  [`GET /?x=1&api_key=${token('', 24)}`, token('', 24)],
  [`Authorization: Bearer ${token('', 40)}`, token('', 40)],
  [`-H 'authorization: token ${token('', 40)}'`, token('', 40)],
  [
    `https://hooks.slack.com/services/${token('T', 8)}/${token('B', 8)}/${token('', 24)}`,
    `${token('T', 8)}/${token('B', 8)}/${token('', 24)}`,
  ],
  [
    `https://discord.com/api/webhooks/123456789012345678/${token('', 68)}`,
    `123456789012345678/${token('', 68)}`,
  ],
  [
    token('eyJ', 20) + token('.eyJ', 30) + token('.', 43),
    token('eyJ', 20) + token('.eyJ', 30) + token('.', 43),
  ],
  [
    `x\n-----BEGIN ${'RSA PRIVATE KEY'}-----\n${token('MII', 100)}\n-----END RSA PRIVATE KEY-----\ny`,
    `-----BEGIN ${'RSA PRIVATE KEY'}-----\n${token('MII', 100)}\n-----END RSA PRIVATE KEY-----`,
  ],
  [
    `-----BEGIN ${'OPENSSH PRIVATE KEY'}-----\n${token('b3B', 80)}\n-----END OPENSSH PRIVATE KEY-----`,
    `-----BEGIN ${'OPENSSH PRIVATE KEY'}-----\n${token('b3B', 80)}\n-----END OPENSSH PRIVATE KEY-----`,
  ],
]

const names: readonly Case[] = [
  ['Ada Lovelace said so', 'Ada Lovelace'],
  ['thanks, ada lovelace!', 'ada lovelace'],
  ["Ada Lovelace's idea", 'Ada Lovelace'],
  ['(José Núñez)', 'José Núñez'],
  ['JOSÉ NÚÑEZ', 'JOSÉ NÚÑEZ'],
  ['by Jean-Luc Le Roux.', 'Jean-Luc Le Roux'],
  ['J. R. Hartley wrote it', 'J. R. Hartley'],
  ['山田 太郎', '山田 太郎'],
  ["Mary O'Neil and Ada Lovelace", "Mary O'Neil", 'Ada Lovelace'],
  ['Ada\nLovelace', 'Ada\nLovelace'],
  ['Ada Lovelace.pdf', 'Ada Lovelace'],
]

const several: readonly Case[] = [
  ['Ada Lovelace <ada@example.org> from 9.8.7.6', 'Ada Lovelace', 'ada@example.org', '9.8.7.6'],
  ['ada@example.org:ghp?', 'ada@example.org'],
  ['https://ada:pw1234x@9.8.7.6/', 'pw1234x', '9.8.7.6'],
  [`${token('ghp_', 36)} ada@example.org`, token('ghp_', 36), 'ada@example.org'],
  ['ping 9.8.7.6 (ada@example.org)', '9.8.7.6', 'ada@example.org'],
  [`${'x'.repeat(5000)} ada@example.org ${'y'.repeat(5000)}`, 'ada@example.org'],
  ['@ada: ask ada@example.org', 'ada@example.org'],
]

const found = [...emails, ...ips, ...secrets, ...names, ...several]

/** Texts without a value, though they look like some. */
const nothing: readonly string[] = [
  ...['', ' ', '@', '@@', 'a@', '@b', 'a@b', 'a @ b.example', '@ada', '@ada/kettle', '@acme/core'],
  ...[
    'git@github.com:acme/tools.git',
    'git@gitlab.example:x/y',
    'ssh://git@github.com/acme/tools',
    'icon@2x.png',
    'logo@3x.jpg',
  ],
  ...[
    'user@sha256:0123456789abcdef',
    'node@22.1.0',
    'lodash@4.17.21',
    '@types/node@22',
    'npm i x@latest',
    'a@1.2.3.4.5',
  ],
  ...[
    'actions/checkout@v4',
    'uses: acme/x@c0ffee1',
    'me@localhost',
    'x@y.z1',
    'foo@bar.js',
    'import x from "@a/b.ts"',
  ],
  ...[
    '@media print',
    '@Override public',
    'decorator @app.route("/")',
    'a@-b.example',
    'a@.example',
    'a.@example.org',
  ],
  ...[
    'name [at] host.example',
    'name at host dot example',
    '5 @ 3.50',
    'k3m7q2x9ab@redacted.invalid',
    'user-k3m7q2x9ab@example.org',
  ],
  ...[
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.456',
    '256.1.1.1',
    '01.2.3.4',
    '127.0.0.1',
    'http://127.0.0.1:8080/',
    '0.0.0.0',
    '255.255.255.255',
  ],
  ...[
    '192.0.2.7',
    '198.51.100.9',
    '203.0.113.200',
    'a1.2.3.4',
    '1.2.3.4a',
    '.1.2.3.4',
    '1.2.3',
    '3.14159',
    '2024.01.02.',
  ],
  ...[
    '::',
    '::1',
    'a::b',
    'std::cout',
    'Foo::Bar::baz',
    '12:30:45',
    '12:30',
    'a:b:c',
    'C::D',
    'dead::beef',
    '00:1a:2b:3c:4d:5e',
  ],
  ...['2001:db8::1', 'http://x.example:80/', 'key: value', 'f::e', '10:20:30:40', ':::', 'be::ef'],
  ...[
    'ghp_',
    'ghp_short',
    `ghp_${'x'.repeat(36)}`,
    'the prefix ghp_ of tokens',
    'npm_config_cache',
    'npm_lifecycle_event',
    'hf_hub',
  ],
  ...[
    'AKIAIOSFODNN7EXAMPLE',
    'AKIA',
    'AIza',
    'sk_live_',
    'SG.x',
    'xoxb-',
    'glpat-',
    'eyJ',
    'eyJhbGciOiJIUzI1NiJ9',
    'bot 123',
  ],
  ...[
    'https://user:password@host.example',
    'https://user:$PASS@host.example',
    'https://user:***@host.example',
    'https://host.example:443/@x',
  ],
  ...[
    '?token=',
    '?token=<your token>',
    '?token=xxxxxxxx',
    'token=abc',
    '&key=1',
    'Authorization: Bearer <token>',
    'authorization: none',
  ],
  ...[
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
    'hooks.slack.com/services/',
    '[secret github-token 9f2c41d0]',
  ],
  ...[
    'Ada',
    'Lovelace',
    'Lovelace Ada',
    'Ada B. Lovelace',
    'Adam Lovelace',
    'Ada Lovelaces',
    'Ada, Lovelace',
    'Ada-Lovelace',
    'José',
    'Hartley',
  ],
]

/** Each text once, a hundred of each sort. */
export const FOUND: readonly Case[] = found.slice(0, 100)
export const NOTHING: readonly string[] = [...new Set(nothing)].slice(0, 100)
